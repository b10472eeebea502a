import { accelerate } from './accelerate/layout.js';
import { composer } from './composer/layout.js';
import { deepspeed, deepspeedUniversal } from './deepspeed/layout.js';
import { keras } from './keras/layout.js';
import { ggufModel } from './gguf/layout.js';
import { flaxMsgpack } from './flax/layout.js';
import { huggingFaceModel, huggingFaceTrainer, peftAdapter } from './huggingFace/layout.js';
import { distributedCheckpoint } from './torchDistributed/layout.js';
import type { Layout } from '../checkpoints/layout.js';
import type { Listing } from '../files/listing.js';
import { megatronDistributed, nemoDirectory } from './megatron/megatronDistributed.js';
import { lightning } from './lightning/layout.js';
import { litgpt } from './litgpt/layout.js';
import { megatronLegacy } from './megatron/megatronLegacy.js';
import { olmo } from './olmo/layout.js';
import { verl } from './verl/layout.js';
import { numpyFile, safetensorsFile, torchFile, unknownLayout } from './looseFiles/layout.js';
import { onnx } from './onnx/layout.js';
import { llmc } from './llmc/layout.js';
import { nanotron } from './nanotron/layout.js';
import { nemoFile } from './nemo/layout.js';
import { torchSnapshot } from './torchSnapshot/layout.js';
import { tensorFlow } from './tensorflow/layout.js';
import { orbax } from './orbax/layout.js';

/** All layouts, the most specific first: among equals the first wins. */
const layouts: readonly Layout[] = [
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
const singleFileLayouts: readonly Layout[] = [
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

/** The layout that claims the listing with the most confidence. There is always one: `unknown` claims everything, a little. */
export function detectLayout(listing: Listing): Layout {
  let best: Layout = unknownLayout;
  let confidence = 0;
  for (const layout of listing.isSingleFile ? singleFileLayouts : layouts) {
    const match = layout.match(listing);
    if (match > confidence) [best, confidence] = [layout, match];
  }
  return best;
}
