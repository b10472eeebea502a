import { accelerate } from './accelerate.js';
import { composer } from './composer.js';
import { deepspeed, deepspeedUniversal } from './deepspeed.js';
import { keras } from './keras.js';
import { ggufModel } from './gguf.js';
import { flaxMsgpack } from './flaxMsgpack.js';
import { huggingFaceModel, huggingFaceTrainer, peftAdapter } from './huggingFace.js';
import { distributedCheckpoint } from './distributedCheckpoint.js';
import type { Layout } from '../layout.js';
import type { Listing } from '../../files/listing.js';
import { megatronDistributed, nemoDirectory } from './megatronDistributed.js';
import { lightning } from './lightning.js';
import { litgpt } from './litgpt.js';
import { megatronLegacy } from './megatronLegacy.js';
import { olmo } from './olmo.js';
import { verl } from './verl.js';
import { numpyFile, safetensorsFile, torchFile, unknownLayout } from './looseFiles.js';
import { onnx } from './onnx.js';
import { llmc } from './llmc.js';
import { nanotron } from './nanotron.js';
import { nemoFile } from './nemoFile.js';
import { torchSnapshot } from './torchSnapshot.js';
import { tensorFlow } from './tensorFlow.js';
import { orbax } from './orbax.js';

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
