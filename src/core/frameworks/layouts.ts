/**
 * Layouts of all frameworks, and what their files are by their names. A new framework is a folder here, its lines below and in
 * configKinds.ts, and its ids with their labels in core/text/frameworkLabels.ts.
 */
import type { Layout } from '../checkpoints/layout.js';
import type { Rule } from '../checkpoints/roles/fileRule.js';
import { FileRoles } from '../checkpoints/roles/fileRoles.js';
import { accelerate } from './accelerate/layout.js';
import { accelerateRoles } from './accelerate/roles.js';
import { composer } from './composer/layout.js';
import { composerRoles } from './composer/roles.js';
import { deepspeed, deepspeedUniversal } from './deepspeed/layout.js';
import { deepspeedRoles } from './deepspeed/roles.js';
import { flaxMsgpack } from './flax/layout.js';
import { ggufModel } from './gguf/layout.js';
import { huggingFaceModel, huggingFaceTrainer, peftAdapter } from './huggingFace/layout.js';
import { keras } from './keras/layout.js';
import { lightning } from './lightning/layout.js';
import { litgpt } from './litgpt/layout.js';
import { litgptRoles } from './litgpt/roles.js';
import { llmc } from './llmc/layout.js';
import { llmcRoles } from './llmc/roles.js';
import { numpyFile, safetensorsFile, torchFile, unknownLayout } from './looseFiles/layout.js';
import { megatronDistributed, nemoDirectory } from './megatron/megatronDistributed.js';
import { megatronLegacy } from './megatron/megatronLegacy.js';
import { megatronRoles } from './megatron/roles.js';
import { metaLlamaRoles } from './metaLlama/roles.js';
import { nanochatRoles } from './nanochat/roles.js';
import { nanotron } from './nanotron/layout.js';
import { nanotronRoles } from './nanotron/roles.js';
import { nemoFile } from './nemo/layout.js';
import { olmo } from './olmo/layout.js';
import { olmoRoles } from './olmo/roles.js';
import { onnx } from './onnx/layout.js';
import { orbax } from './orbax/layout.js';
import { tensorFlow } from './tensorflow/layout.js';
import { distributedCheckpoint } from './torchDistributed/layout.js';
import { torchSnapshot } from './torchSnapshot/layout.js';
import { torchtuneRoles } from './torchtune/roles.js';
import { verl } from './verl/layout.js';
import { verlRoles } from './verl/roles.js';

/** All layouts, the most specific first: among equals the first wins. */
export const layouts: readonly Layout[] = [
  orbax,
  torchSnapshot,
  nanotron,
  llmc,
  flaxMsgpack,
  huggingFaceTrainer,
  accelerate,
  lightning,
  composer,
  olmo,
  verl,
  litgpt,
  deepspeedUniversal,
  deepspeed,
  megatronLegacy,
  peftAdapter,
  nemoDirectory,
  megatronDistributed,
  distributedCheckpoint,
  nemoFile,
  tensorFlow,
  keras,
  huggingFaceModel,
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
