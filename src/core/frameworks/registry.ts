/**
 * Every framework that is known: its layouts, its kinds of configs, and what its files are by their names. A new one is a folder here,
 * its lines below, and its ids with their labels in core/text/frameworkLabels.ts.
 */
import type { Layout } from '../checkpoints/layout.js';
import type { Rule } from '../checkpoints/roles/fileRule.js';
import { FileRoles } from '../checkpoints/roles/fileRoles.js';
import type { ConfigKind } from '../configs/configKind.js';
import { accelerate as accelerateConfig } from './accelerate/config.js';
import { accelerate as accelerateLayout } from './accelerate/layout.js';
import { accelerateRoles } from './accelerate/roles.js';
import { axolotl } from './axolotl/config.js';
import { composer as composerConfig } from './composer/config.js';
import { composer as composerLayout } from './composer/layout.js';
import { composerRoles } from './composer/roles.js';
import { deepspeed as deepspeedConfig } from './deepspeed/config.js';
import { deepspeed as deepspeedLayout, deepspeedUniversal } from './deepspeed/layout.js';
import { deepspeedRoles } from './deepspeed/roles.js';
import { flaxMsgpack } from './flax/layout.js';
import { ggufModel } from './gguf/layout.js';
import { gptNeox } from './gptNeox/config.js';
import { huggingFaceModel as huggingFaceModelConfig } from './huggingFace/huggingFaceModel.js';
import {
  huggingFaceModel as huggingFaceModelLayout,
  huggingFaceTrainer,
  peftAdapter as peftAdapterLayout,
} from './huggingFace/layout.js';
import { safetensorsIndex } from './huggingFace/safetensorsIndex.js';
import { trainingArguments } from './huggingFace/trainingArguments.js';
import { keras } from './keras/layout.js';
import { lightning as lightningConfig } from './lightning/config.js';
import { lightning as lightningLayout } from './lightning/layout.js';
import { litgpt as litgptConfig } from './litgpt/config.js';
import { litgpt as litgptLayout } from './litgpt/layout.js';
import { litgptRoles } from './litgpt/roles.js';
import { llamaFactory } from './llamaFactory/config.js';
import { llmc } from './llmc/layout.js';
import { llmcRoles } from './llmc/roles.js';
import { numpyFile, safetensorsFile, torchFile, unknownLayout } from './looseFiles/layout.js';
import { maxtext } from './maxtext/config.js';
import { megatron } from './megatron/config.js';
import { megatronDistributed, nemoDirectory } from './megatron/megatronDistributed.js';
import { megatronLegacy } from './megatron/megatronLegacy.js';
import { megatronRoles } from './megatron/roles.js';
import { mergekit } from './mergekit/config.js';
import { metaParams } from './metaLlama/config.js';
import { metaLlamaRoles } from './metaLlama/roles.js';
import { mlperfStorage } from './mlperfStorage/config.js';
import { nanochatRoles } from './nanochat/roles.js';
import { nanogpt } from './nanogpt/config.js';
import { nanotron as nanotronConfig } from './nanotron/config.js';
import { nanotron as nanotronLayout } from './nanotron/layout.js';
import { nanotronRoles } from './nanotron/roles.js';
import { nemo } from './nemo/config.js';
import { nemoFile } from './nemo/layout.js';
import { olmo as olmoConfig } from './olmo/config.js';
import { olmo as olmoLayout } from './olmo/layout.js';
import { olmoCore } from './olmo/olmoCore.js';
import { olmoRoles } from './olmo/roles.js';
import { onnx } from './onnx/layout.js';
import { orbax } from './orbax/layout.js';
import { peftAdapter as peftAdapterConfig } from './peft/config.js';
import { tensorFlow } from './tensorflow/layout.js';
import { distributedCheckpoint } from './torchDistributed/layout.js';
import { torchSnapshot } from './torchSnapshot/layout.js';
import { torchtitan } from './torchtitan/config.js';
import { torchtune } from './torchtune/config.js';
import { torchtuneRoles } from './torchtune/roles.js';
import { verl as verlConfig } from './verl/config.js';
import { verl as verlLayout } from './verl/layout.js';
import { verlRoles } from './verl/roles.js';

/** All layouts, the most specific first: among equals the first wins. */
export const layouts: readonly Layout[] = [
  orbax,
  torchSnapshot,
  nanotronLayout,
  llmc,
  flaxMsgpack,
  huggingFaceTrainer,
  accelerateLayout,
  lightningLayout,
  composerLayout,
  olmoLayout,
  verlLayout,
  litgptLayout,
  deepspeedUniversal,
  deepspeedLayout,
  megatronLegacy,
  peftAdapterLayout,
  nemoDirectory,
  megatronDistributed,
  distributedCheckpoint,
  nemoFile,
  tensorFlow,
  keras,
  huggingFaceModelLayout,
  ggufModel,
  onnx,
  safetensorsFile,
  torchFile,
  numpyFile,
  unknownLayout,
];

/** A file alone is never a directory of a framework, whatever its name. */
export const singleFileLayouts: readonly Layout[] = [
  llmc,
  nemoFile,
  flaxMsgpack,
  ggufModel,
  keras,
  onnx,
  safetensorsFile,
  torchFile,
  numpyFile,
  unknownLayout,
];

/** All kinds of configs, in the order in which they are asked: the most telling first. */
export const configKinds: readonly ConfigKind[] = [
  peftAdapterConfig,
  safetensorsIndex,
  huggingFaceModelConfig,
  metaParams,
  accelerateConfig,
  gptNeox,
  deepspeedConfig,
  mergekit,
  torchtitan,
  torchtune,
  maxtext,
  nanotronConfig,
  olmoCore,
  verlConfig,
  mlperfStorage,
  nemo,
  composerConfig,
  olmoConfig,
  litgptConfig,
  axolotl,
  llamaFactory,
  nanogpt,
  megatron,
  trainingArguments,
  lightningConfig,
];

/** None of the names is one that another kind of file has. */
const roles: readonly Rule[] = [
  ...accelerateRoles,
  ...composerRoles,
  ...deepspeedRoles,
  ...litgptRoles,
  ...llmcRoles,
  ...megatronRoles,
  ...metaLlamaRoles,
  ...nanochatRoles,
  ...nanotronRoles,
  ...olmoRoles,
  ...torchtuneRoles,
  ...verlRoles,
];

/** The roles of files by all of these names, and by those that hold everywhere. */
export const fileRoles = FileRoles.withRules(roles);
