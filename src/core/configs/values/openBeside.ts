import type { ConfigAccess, ConfigFile } from '../configKind.js';

/** A file that a config names. Its path may be meant from where the program is started, so its name alone is tried beside the config too. */
export async function openBeside(path: string, access: ConfigAccess): Promise<ConfigFile | null> {
  const found = await access.open(path);
  if (found !== null) return found;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name === path || name === '' ? null : access.open(name);
}
