/** Models in directories of their own that a file beside them names as parts of one. */
import type { Listing } from '../../files/listing.js';
import { baseName, joinPath } from '../../files/paths.js';

/** `model_index.json` of diffusers (pipelines/pipeline_utils.py), `modules.json` of sentence-transformers (SentenceTransformer.py). */
const names = ['model_index.json', 'modules.json'];
const weightFile = /^(model|pytorch_model|diffusion_pytorch_model)([.-].*)?\.(safetensors|bin)$/s;

/** Whether the models below a directory of the listing, the root unless another is given, are parts of one. */
export function isPipeline(listing: Listing, directory = ''): boolean {
  if (!names.some((name) => listing.entry(joinPath(directory, name)) !== undefined)) return false;
  const prefix = directory === '' ? '' : `${directory}/`;
  return listing.entries.some(({ path }) => path.startsWith(prefix) && weightFile.test(baseName(path)));
}
