/** The models that adapters of a directory are trained on: an adapter without its base cannot be loaded. */
import { runOrdered } from '../files/orderedPool.js';
import { limits } from '../bytes/limits.js';
import { baseName } from '../files/paths.js';
import type { FileEntry } from '../files/fileTree.js';
import type { SmallFiles } from './smallFile.js';

export interface AdapterBases {
  /** As adapters name them, with the config that does. */
  bases: { base: string; adapter: string }[];
  /** Configs of adapters that could not be read: what they need is not known. */
  unread: string[];
}

const configName = 'adapter_config.json';

/** PEFT's `base_model_name_or_path`; null there is a base that is not known by a name. */
export async function adapterBases(entries: readonly FileEntry[], files: SmallFiles): Promise<AdapterBases> {
  const configs = entries.map(({ path }) => path).filter((path) => baseName(path) === configName);
  const read = configs.slice(0, limits.adapterConfigs);
  const found: AdapterBases = { bases: [], unread: configs.slice(limits.adapterConfigs) };
  await runOrdered(read, limits.concurrentReads, async (path, _index, turn) => {
    const config = await files.json(path, limits.adapterConfigBytes);
    await turn();
    const base = config?.['base_model_name_or_path'];
    if (config === null) found.unread.push(path);
    else if (typeof base === 'string' && base !== '') found.bases.push({ base, adapter: path });
  });
  return found;
}

/**
 * Whether a path that a config or a state names may be this checkpoint: its name is a part of it, wherever the other parts lead. Mounts and working directories
 * differ between machines, so that more is not compared.
 */
export function mayName(written: string, root: string): boolean {
  const name = baseName(root);
  return name !== '' && written.split(/[\\/]/).includes(name);
}
