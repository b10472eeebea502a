import { limits } from '../bytes/limits.js';
import type { ConfigAccess, ConfigFile } from './configKind.js';
import { parseShellText } from './document/parseShell.js';
import { sourcePaths } from './document/sourcePath.js';
import { Fields } from './fields.js';

/** Files that source files. */
const mostRounds = 4;
/** Folders in which a file that is sourced is looked for: the script's own, and those of files that were found before. */
const mostFolders = 3;

/**
 * A script together with the files that it sources, as far as they are beside it or above; every other config as it is. Their assignments count as the
 * script's own, and have no place in it. Nothing is run.
 */
export async function withSourced(file: ConfigFile, access: ConfigAccess): Promise<ConfigFile> {
  const texts = new Map<string, string>();
  const missing = new Set<string>();
  const folders = new Set(['']);
  let { document } = file;
  for (let round = 0; round < mostRounds; round++) {
    const before = texts.size;
    for (const { text: written } of document.sourced ?? []) {
      if (texts.has(written) || missing.has(written) || texts.size + missing.size >= limits.configSources) continue;
      const found = await openFirst(placesOf(written, [...folders].slice(0, mostFolders)), access);
      if (found === null) missing.add(written);
      else {
        texts.set(written, found.text);
        folders.add(found.path.slice(0, found.path.lastIndexOf('/') + 1));
      }
    }
    if (texts.size === before) break;
    document = parseShellText(file.text, texts);
  }
  return texts.size === 0 ? file : { ...file, document, fields: Fields.of(document) };
}

function placesOf(written: string, folders: readonly string[]): string[] {
  return sourcePaths(written).flatMap((path) => (path.startsWith('/') ? [path] : folders.map((folder) => `${folder}${path}`)));
}

async function openFirst(paths: readonly string[], access: ConfigAccess): Promise<ConfigFile | null> {
  for (const path of paths) {
    const found = await access.open(path);
    if (found?.document.syntax === 'shell' && found.text.length <= limits.configCharacters) return found;
  }
  return null;
}
