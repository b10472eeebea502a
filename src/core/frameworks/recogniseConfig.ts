import type { ConfigFile, ConfigKind } from '../configs/configKind.js';
import { accelerate } from './accelerate/config.js';
import { axolotl } from './axolotl/config.js';
import { composer } from './composer/config.js';
import { deepspeed } from './deepspeed/config.js';
import { gptNeox } from './gptNeox/config.js';
import { huggingFaceModel } from './huggingFace/huggingFaceModel.js';
import { lightning } from './lightning/config.js';
import { litgpt } from './litgpt/config.js';
import { llamaFactory } from './llamaFactory/config.js';
import { maxtext } from './maxtext/config.js';
import { megatron } from './megatron/config.js';
import { mergekit } from './mergekit/config.js';
import { metaParams } from './metaLlama/config.js';
import { mlperfStorage } from './mlperfStorage/config.js';
import { nanogpt } from './nanogpt/config.js';
import { nanotron } from './nanotron/config.js';
import { nemo } from './nemo/config.js';
import { olmo } from './olmo/config.js';
import { olmoCore } from './olmo/olmoCore.js';
import { peftAdapter } from './peft/config.js';
import { safetensorsIndex } from './huggingFace/safetensorsIndex.js';
import { torchtitan } from './torchtitan/config.js';
import { torchtune } from './torchtune/config.js';
import { trainingArguments } from './huggingFace/trainingArguments.js';
import { verl } from './verl/config.js';

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
