import type { Conversion } from '../../checkpoints/loadReport.js';
import { baseName, parentPath } from '../../files/paths.js';
import { at, commandOf, reshardCommand, directoriesOf, type Place } from './conversionPlace.js';
import { noBytes } from './directoryBytes.js';

/** A shard of the model that `zero_to_fp32.py` writes at a time (--max_shard_size). */
const fp32ShardBytes = 5_000_000_000;

/** Consolidates the shards of ZeRO in 32 bits, or makes them universal. */
export function deepspeed(place: Place): Conversion[] {
  const { parts, bytes } = place;
  const { zeroStage } = parts.topology;
  return directoriesOf(parts.files, /_optim_states\.pt$/).flatMap((tag): Conversion[] => {
    const { masters, moments } = bytes().get(tag) ?? noBytes;
    const saved = at(place, tag);
    const isTag = tag !== '';
    const root = isTag ? at(place, parentPath(tag)) : parentPath(saved);
    const universal = reshardCommand(place, saved, `${saved}_universal`);
    const largest = parts.files.reduce(
      (most, { path, sizeBytes }) =>
        parentPath(path) === tag && path.endsWith('_optim_states.pt') ? Math.max(most, sizeBytes) : most,
      0,
    );
    const name = baseName(saved);
    const made: Conversion[] = [];
    if (zeroStage !== null && zeroStage > 0 && root !== '' && masters > 0)
      made.push({
        to: 'Hugging Face weights in 32 bits',
        command: commandOf([
          'python -m deepspeed.utils.zero_to_fp32',
          { path: root },
          { path: `${root}-fp32` },
          '--tag',
          { path: name },
          '--safe_serialization',
        ]),
        memoryBytes: zeroStage === 3 ? masters + Math.min(masters, fp32ShardBytes) : 2 * masters,
        diskBytes: masters,
        source:
          zeroStage === 3
            ? 'deepspeed/utils/zero_to_fp32.py: the 32-bit shards are mapped, and one file of at most 5 GB is put together at a time.'
            : 'deepspeed/utils/zero_to_fp32.py: the 32-bit shards are mapped, and all are put together once more.',
      });
    if (universal !== undefined)
      made.push({
        to: 'DeepSpeed universal checkpoint',
        command: universal,
        memoryBytes: largest,
        diskBytes: 2 * (masters + moments),
        source:
          'deepspeed/checkpoint/ds_to_universal.py: four processes read a file of optimizer state each, and pieces are written into a temporary folder first.',
      });
    return made;
  });
}
