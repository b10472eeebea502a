/** Configs of all frameworks and tools. */
import type { ConfigKind } from '../configs/configKind.js';
import { accelerate } from './accelerate/config.js';
import { axolotl } from './axolotl/config.js';
import { composer } from './composer/config.js';
import { deepspeed } from './deepspeed/config.js';
import { deepspeedChat } from './deepspeedChat/config.js';
import { fairseq } from './fairseq/config.js';
import { gptNeox } from './gptNeox/config.js';
import { huggingFaceModel } from './huggingFace/huggingFaceModel.js';
import { safetensorsIndex } from './huggingFace/safetensorsIndex.js';
import { trainingArguments } from './huggingFace/trainingArguments.js';
import { levanter } from './levanter/config.js';
import { lmEvaluation } from './lmEvaluation/config.js';
import { lightning } from './lightning/config.js';
import { lingua } from './lingua/config.js';
import { litgpt } from './litgpt/config.js';
import { llamaFactory } from './llamaFactory/config.js';
import { maxtext } from './maxtext/config.js';
import { megatron } from './megatron/config.js';
import { megatronBridge } from './megatronBridge/config.js';
import { mergekit } from './mergekit/config.js';
import { metaParams } from './metaLlama/config.js';
import { mlperfStorage } from './mlperfStorage/config.js';
import { msSwift } from './msSwift/config.js';
import { nanogpt } from './nanogpt/config.js';
import { nanotron } from './nanotron/config.js';
import { nemo } from './nemo/config.js';
import { openInstruct } from './openInstruct/config.js';
import { openRlhf } from './openRlhf/config.js';
import { olmo } from './olmo/config.js';
import { olmoCore } from './olmo/olmoCore.js';
import { peftAdapter } from './peft/config.js';
import { sglang } from './sglang/config.js';
import { slime } from './slime/config.js';
import { torchtitan } from './torchtitan/config.js';
import { torchtune } from './torchtune/config.js';
import { verl } from './verl/config.js';
import { vllm } from './vllm/config.js';
import { xtuner } from './xtuner/config.js';

/** All kinds of configs, in the order in which they are asked: the most telling first. */
export const configKinds: readonly ConfigKind[] = [
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
  megatronBridge,
  composer,
  olmo,
  levanter,
  lingua,
  litgpt,
  axolotl,
  llamaFactory,
  msSwift,
  openRlhf,
  deepspeedChat,
  fairseq,
  xtuner,
  nanogpt,
  slime,
  megatron,
  openInstruct,
  vllm,
  sglang,
  lmEvaluation,
  trainingArguments,
  lightning,
];
