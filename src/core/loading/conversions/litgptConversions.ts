import type { Conversion } from '../../checkpoints/loadReport.js';
import { commandOf, type Place } from './conversionPlace.js';

/** Converts a model of LitGPT to the names of Hugging Face. */
export function litgpt(place: Place): Conversion[] {
  const { parts, bytes } = place;
  const file = parts.files.find(({ path }) => path === 'lit_model.pth');
  if (parts.layout !== 'litgpt' || file === undefined) return [];
  const path = place.place;
  return [
    {
      to: 'torch file with the names of Hugging Face',
      command: commandOf(['litgpt convert_from_litgpt', { path }, { path: `${path}-hf` }]),
      memoryBytes: null,
      diskBytes: bytes().get('')?.weights ?? 0,
      source: 'litgpt/scripts/convert_lit_checkpoint.py: tensors are read and written one after the other.',
    },
  ];
}
