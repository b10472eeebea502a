import type { Conversion } from '../../checkpoints/loadReport.js';
import { at, reshardCommand, directoriesOf, type Place } from './conversionPlace.js';
import { noBytes, halfBytes } from './directoryBytes.js';

/** Merges the shards of verl into a model of Hugging Face. */
export function verl(place: Place): Conversion[] {
  if (place.parts.layout !== 'verl') return [];
  return directoriesOf(place.parts.files, /^model_world_size_\d+_rank_0\.pt$/).flatMap((directory): Conversion[] => {
    const { weights, weightElements } = place.bytes().get(directory) ?? noBytes;
    const saved = at(place, directory);
    const command = reshardCommand(place, saved, `${saved}-huggingface`);
    if (command === undefined || weights === 0) return [];
    const half = weightElements * halfBytes;
    return [
      {
        to: 'Hugging Face model',
        command,
        memoryBytes: Math.max(weights, 2 * half),
        diskBytes: half,
        source:
          'verl/model_merger/fsdp_model_merger.py: all shards are in memory, then the merged weights and a model of them in bfloat16.',
      },
    ];
  });
}
