import { readdir, readFile, stat, statfs } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { limits } from '../core/bytes/limits.js';
import { type ConfigSources, type FoundText, isModelName } from '../core/configs/configAccess.js';

/** Folders above a config in which the files that it names are looked for: programs start in the project, configs lie below it. */
const parentFolders = 3;

/** Files of this machine that a config in `folder` names. */
export function nodeConfigSources(folder: string): ConfigSources {
  return {
    read: (named) => readNamed(folder, named),
    readCached: readHubConfig,
  };
}

async function readNamed(folder: string, named: string): Promise<FoundText | null> {
  if (path.isAbsolute(named)) return readConfigText(named);
  let base = path.resolve(folder);
  for (let level = 0; level <= parentFolders; level++) {
    const found = await readConfigText(path.resolve(base, named));
    if (found !== null) return { ...found, path: path.relative(folder, found.path) };
    base = path.dirname(base);
  }
  return null;
}

async function readConfigText(file: string): Promise<FoundText | null> {
  try {
    const { size } = await stat(file);
    // A character takes at most four bytes; a larger file is refused before it is read.
    if (size > limits.configCharacters * 4) return null;
    return { path: file, text: await readFile(file, 'utf8') };
  } catch {
    return null;
  }
}

/**
 * The config.json of a model that the Hub's client has downloaded, of its main revision or the newest snapshot there is
 * (huggingface_hub/constants.py; docs "Understand caching").
 */
export async function readHubConfig(model: string): Promise<FoundText | null> {
  if (!isModelName(model)) return null;
  const folder = path.join(hubCache(), `models--${model.replaceAll('/', '--')}`);
  const main = await readFile(path.join(folder, 'refs', 'main'), 'utf8').catch(() => '');
  const revisions = /^[0-9a-f]{6,64}\s*$/.test(main) ? [main.trim()] : await snapshots(folder);
  for (const revision of revisions) {
    const found = await readConfigText(path.join(folder, 'snapshots', revision, 'config.json'));
    if (found !== null) return { ...found, path: `${model}/config.json` };
  }
  return null;
}

async function snapshots(folder: string): Promise<string[]> {
  const names = await readdir(path.join(folder, 'snapshots')).catch(() => []);
  return names.slice(0, 100);
}

function hubCache(): string {
  const { HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE, HF_HOME, XDG_CACHE_HOME } = process.env;
  const home = HF_HOME ?? path.join(XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'huggingface');
  return HF_HUB_CACHE ?? HUGGINGFACE_HUB_CACHE ?? path.join(home, 'hub');
}

/**
 * Bytes that a user may still write where a config in `configFolder` has its checkpoints go; null where the system does not tell, and for
 * folders that are on no file system: `s3://…`, `gs://…`.
 */
export async function freeBytesFor(configFolder: string, outputFolder: string | undefined): Promise<number | null> {
  if (outputFolder !== undefined && /^[a-z][a-z\d+.-]*:\/\//i.test(outputFolder)) return null;
  let folder = path.resolve(configFolder, outputFolder ?? '.');
  for (;;) {
    try {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    } catch {
      const parent = path.dirname(folder);
      if (parent === folder) return null;
      folder = parent;
    }
  }
}
