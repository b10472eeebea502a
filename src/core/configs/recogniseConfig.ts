import type { ConfigFile, ConfigKind } from './configKind.js';
import { accelerate } from './kinds/accelerate.js';
import { axolotl } from './kinds/axolotl.js';
import { composer } from './kinds/composer.js';
import { deepspeed } from './kinds/deepspeed.js';
import { gptNeox } from './kinds/gptNeox.js';
import { huggingFaceModel } from './kinds/huggingFaceModel.js';
import { lightning } from './kinds/lightning.js';
import { litgpt } from './kinds/litgpt.js';
import { llamaFactory } from './kinds/llamaFactory.js';
import { maxtext } from './kinds/maxtext.js';
import { megatron } from './kinds/megatron.js';
import { mergekit } from './kinds/mergekit.js';
import { metaParams } from './kinds/metaParams.js';
import { mlperfStorage } from './kinds/mlperfStorage.js';
import { nanogpt } from './kinds/nanogpt.js';
import { nanotron } from './kinds/nanotron.js';
import { nemo } from './kinds/nemo.js';
import { olmo } from './kinds/olmo.js';
import { olmoCore } from './kinds/olmoCore.js';
import { peftAdapter } from './kinds/peftAdapter.js';
import { safetensorsIndex } from './kinds/safetensorsIndex.js';
import { torchtitan } from './kinds/torchtitan.js';
import { torchtune } from './kinds/torchtune.js';
import { trainingArguments } from './kinds/trainingArguments.js';
import { verl } from './kinds/verl.js';

/** In the order in which they are asked: the most telling first. */
const kinds: readonly ConfigKind[] = [
  peftAdapter,
  safetensorsIndex,
  huggingFaceModel,
  metaParams,
  accelerate,
  gptNeox,
  deepspeed,
  mergekit,
  torchtitan,
  torchtune,
  maxtext,
  nanotron,
  olmoCore,
  verl,
  mlperfStorage,
  nemo,
  composer,
  olmo,
  litgpt,
  axolotl,
  llamaFactory,
  nanogpt,
  megatron,
  trainingArguments,
  lightning,
];

/** Which program's config a file is; null for all other files. */
export function recogniseConfig(file: ConfigFile): ConfigKind | null {
  return kinds.find((kind) => kind.match(file)) ?? null;
}
