import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { FormatError } from '../core/bytes/formatError.js';
import { limits } from '../core/bytes/limits.js';
import { type ConfigSources, isModelName } from '../core/configs/configAccess.js';
import type { FoundText } from '../core/configs/configKind.js';
import type { System } from './os/system.js';
import { thisSystem } from './os/thisSystem.js';
import { ReadableRoots, type RootPaths } from './readableRoots.js';
import { readRegularText } from './regularFile.js';

/** Folders above a config in which the files that it names are looked for: programs start in the project, configs lie below it. */
const parentFolders = 3;

/** `refs/main` of a repository in the Hub's cache: a commit. */
const refBytes = 1024;

/**
 * Files of this machine that a config in `folder` names.
 * @param rootPaths the directories that may be read; with any given, the Hub's cache, which is outside, is not
 */
export function nodeConfigSources(folder: string, rootPaths: RootPaths = null, system = thisSystem): ConfigSources {
  const roots = ReadableRoots.of(rootPaths);
  return {
    read: async (named) => readNamed(folder, named, await roots, system),
    readCached: async (model) => (rootPaths === null ? readHubConfig(model, await roots) : null),
  };
}

async function readNamed(folder: string, named: string, roots: ReadableRoots, system: System): Promise<FoundText | null> {
  if (system.leadsOutOfFiles(named)) return null;
  if (path.isAbsolute(named)) return readConfigText(named, roots);
  let base = path.resolve(folder);
  for (let level = 0; level <= parentFolders; level++) {
    const found = await readConfigText(path.resolve(base, named), roots);
    if (found !== null) return { ...found, path: path.relative(folder, found.path) };
    base = path.dirname(base);
  }
  return null;
}

async function readConfigText(file: string, roots: ReadableRoots): Promise<FoundText | null> {
  return orNull(async () => ({ path: file, text: await readRegularText(await roots.resolve(file), limits.configBytes, true) }));
}

async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (FormatError.is(error)) return null;
    throw error;
  }
}

/**
 * The config.json of a model that the Hub's client has downloaded, of its main revision or the newest snapshot there is
 * (huggingface_hub/constants.py; docs "Understand caching").
 */
async function readHubConfig(model: string, roots: ReadableRoots): Promise<FoundText | null> {
  if (!isModelName(model)) return null;
  const folder = path.join(hubCache(), `models--${model.replaceAll('/', '--')}`);
  const main = (await orNull(() => readRegularText(path.join(folder, 'refs', 'main'), refBytes))) ?? '';
  const revisions = /^[0-9a-f]{6,64}\s*$/.test(main) ? [main.trim()] : await snapshots(folder);
  for (const revision of revisions) {
    const found = await readConfigText(path.join(folder, 'snapshots', revision, 'config.json'), roots);
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
