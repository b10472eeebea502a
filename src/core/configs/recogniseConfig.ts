import type { ConfigFile, ConfigKind } from './configKind.js';
import { huggingFaceModel } from './kinds/huggingFaceModel.js';
import { metaParams } from './kinds/metaParams.js';

/** In the order in which they are asked: the most telling first. */
const kinds: readonly ConfigKind[] = [huggingFaceModel, metaParams];

/** Which program's config a file is; null for all other files. */
export function recogniseConfig(file: ConfigFile): ConfigKind | null {
  return kinds.find((kind) => kind.match(file)) ?? null;
}
