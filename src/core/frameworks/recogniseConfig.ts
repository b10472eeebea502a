import type { ConfigFile, ConfigKind } from '../configs/configKind.js';
import { configKinds } from './configKinds.js';

/** Which program's config a file is; null for all other files. */
export function recogniseConfig(file: ConfigFile): ConfigKind | null {
  return configKinds.find((kind) => kind.match(file)) ?? null;
}
