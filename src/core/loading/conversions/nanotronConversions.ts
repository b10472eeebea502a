import type { Conversion } from '../../checkpoints/loadReport.js';
import { commandOf, type Place } from './conversionPlace.js';
import { halfBytes } from './directoryBytes.js';

/** Converts a Llama of nanotron. */
export function nanotron(place: Place): Conversion[] {
  const { parts, bytes } = place;
  if (parts.layout !== 'nanotron') return [];
  const elements = [...bytes().values()].reduce((sum, { weightElements }) => sum + weightElements, 0);
  const path = place.place;
  return [
    {
      to: 'Hugging Face model',
      command: commandOf([
        'torchrun --nproc_per_node=1 examples/llama/convert_nanotron_to_hf.py --checkpoint_path',
        { path },
        '--save_path',
        { path: `${path}-hf` },
      ]),
      memoryBytes: null,
      diskBytes: elements * halfBytes,
      source: 'examples/llama/convert_nanotron_to_hf.py of nanotron, for Llama models: a GPU holds both models in bfloat16.',
    },
  ];
}
