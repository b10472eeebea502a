import type { ConfigFile, ConfigKind } from './configKind.js';
import { axolotl } from './kinds/axolotl.js';
import { deepspeed } from './kinds/deepspeed.js';
import { huggingFaceModel } from './kinds/huggingFaceModel.js';
import { litgpt } from './kinds/litgpt.js';
import { maxtext } from './kinds/maxtext.js';
import { megatron } from './kinds/megatron.js';
import { metaParams } from './kinds/metaParams.js';
import { nanotron } from './kinds/nanotron.js';
import { olmo } from './kinds/olmo.js';
import { torchtitan } from './kinds/torchtitan.js';
import { trainingArguments } from './kinds/trainingArguments.js';

/** In the order in which they are asked: the most telling first. */
const kinds: readonly ConfigKind[] = [
  huggingFaceModel,
  metaParams,
  deepspeed,
  torchtitan,
  maxtext,
  nanotron,
  olmo,
  litgpt,
  axolotl,
  megatron,
  trainingArguments,
];

/** Which program's config a file is; null for all other files. */
export function recogniseConfig(file: ConfigFile): ConfigKind | null {
  return kinds.find((kind) => kind.match(file)) ?? null;
}
