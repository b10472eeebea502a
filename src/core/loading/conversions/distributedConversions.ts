import type { Conversion } from '../../checkpoints/loadReport.js';
import { baseName } from '../../files/paths.js';
import { at, commandOf, directoriesOf, type Place } from './conversionPlace.js';
import { noBytes } from './directoryBytes.js';

/** torch.distributed.checkpoint, in whose place frameworks have commands of their own. */
export function distributed(place: Place): Conversion[] {
  const { parts, bytes } = place;
  if (parts.layout === 'megatron-distributed' || parts.layout === 'nemo') return [];
  return directoriesOf(parts.files, /^\.metadata$/).flatMap((directory): Conversion[] => {
    const { all } = bytes().get(directory) ?? noBytes;
    const path = at(place, directory);
    if (all === 0) return [];
    const whole = { memoryBytes: all, diskBytes: all };
    const fabric = parts.layout === 'litgpt' ? 'fabric' : 'pytorch';
    if (parts.layout === 'lightning' || parts.layout === 'litgpt')
      return [
        {
          to: 'one torch file',
          command: commandOf([`python -m lightning.${fabric}.utilities.consolidate_checkpoint`, { path }]),
          ...whole,
          source: `lightning/${fabric}/utilities/consolidate_checkpoint.py: all tensors are in memory, and the file is written beside the directory, with the suffix .consolidated.`,
        },
      ];
    if (baseName(path).startsWith('pytorch_model_fsdp'))
      return [
        {
          to: 'Hugging Face weights',
          command: commandOf(['accelerate merge-weights', { path }, { path: `${path}-merged` }]),
          ...whole,
          source: 'accelerate/utils/fsdp_utils.py: merge_fsdp_weights has all weights in memory.',
        },
      ];
    return [
      {
        to: 'one torch file',
        command: commandOf([
          'python -m torch.distributed.checkpoint.format_utils dcp_to_torch',
          { path },
          { path: `${path}.pt` },
        ]),
        ...whole,
        source: 'torch/distributed/checkpoint/format_utils.py: dcp_to_torch_save has all tensors in memory.',
      },
    ];
  });
}
