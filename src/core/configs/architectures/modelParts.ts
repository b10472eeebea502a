/** Parts of a model that takes images or sounds beside text, by the names of its modules in transformers. */
import type { TensorGroup } from './tensorGroup.js';

/** `tower`: what reads images, videos or sounds. `projector`: what makes tokens of its output. `language`: all else, and all of a model of text alone. */
export type ModelPart = 'language' | 'tower' | 'projector';

const projectors: ReadonlySet<string> = new Set([
  ...['merger', 'merger_list', 'deepstack_merger_list', 'multi_modal_projector', 'connector', 'aligner', 'resampler'],
  ...['embed_vision', 'embed_audio', 'mlp1', 'vision_adapter', 'vision_projection', 'mm_projector'],
  ...['layerwise_projectors', 'spatial_projectors'],
]);
const towers: ReadonlySet<string> = new Set([
  ...['visual', 'vision_tower', 'vision_model', 'vision_encoder', 'audio_tower', 'vpm', 'apm'],
  ...['vqmodel', 'vision_tokenizer', 'audio_tokenizer'],
]);

export function partOf({ name }: TensorGroup): ModelPart {
  const segments = name.split('.');
  // Qwen's projector is within its tower.
  if (segments.some((segment) => projectors.has(segment))) return 'projector';
  return segments.some((segment) => towers.has(segment)) ? 'tower' : 'language';
}
