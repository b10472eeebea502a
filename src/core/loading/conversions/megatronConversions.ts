import type { Conversion } from '../../checkpoints/loadReport.js';
import { parentPath } from '../../files/paths.js';
import { at, reshardCommand, directoriesOf, type Place } from './conversionPlace.js';

/** Rewrites a legacy save of Megatron-LM for one rank. */
export function megatron(place: Place): Conversion[] {
  const { parts, bytes } = place;
  if (parts.layout !== 'megatron-legacy') return [];
  const ranks = directoriesOf(parts.files, /^model_(?:optim_)?rng\.pt$/);
  return [...new Set(ranks.map(parentPath))].flatMap((save): Conversion[] => {
    // The loader looks for latest_checkpointed_iteration.txt around the save.
    const saved = save === '' ? parentPath(place.place) : at(place, parentPath(save));
    const command = saved === '' ? undefined : reshardCommand(place, saved, `${saved}-converted`);
    if (command === undefined) return [];
    const own = ranks.filter((rank) => parentPath(rank) === save);
    const weights = own.reduce((sum, rank) => sum + (bytes().get(rank)?.weights ?? 0), 0);
    return [
      {
        to: 'Megatron checkpoint of one rank, weights alone',
        command,
        memoryBytes: null,
        diskBytes: weights,
        source:
          'tools/checkpoint/convert.py of Megatron-LM: a loader hands whole tensors to a saver; other sizes by the --target arguments. Optimizer state is left out.',
      },
    ];
  });
}
