import type { Conversion } from '../../checkpoints/loadReport.js';
import { commandOf, reshardCommand, type Place } from './conversionPlace.js';
import { halfBytes } from './directoryBytes.js';

/** Unshards a checkpoint of OLMo, or converts one of OLMo-core. */
export function olmo(place: Place): Conversion[] {
  const { parts, bytes } = place;
  if (parts.layout !== 'olmo') return [];
  const all = [...bytes().values()].reduce((sum, each) => sum + each.all, 0);
  const saved = place.place;
  const unsharded = reshardCommand(place, saved, `${saved}-unsharded`);
  if (unsharded !== undefined)
    return [
      {
        to: 'OLMo checkpoint of one process',
        command: unsharded,
        memoryBytes: all,
        diskBytes: all,
        source:
          'scripts/unshard.py of OLMo: weights and optimizer state of all ranks are in memory; --model-only leaves the state out.',
      },
    ];
  if (parts.framework.name !== 'olmo-core') return [];
  const elements = [...bytes().values()].reduce((sum, { weightElements }) => sum + weightElements, 0);
  return [
    {
      to: 'Hugging Face model',
      command: commandOf([
        'python src/examples/huggingface/convert_checkpoint_to_hf.py -i',
        { path: saved },
        '-o',
        { path: `${saved}-hf` },
      ]),
      memoryBytes: null,
      diskBytes: elements * halfBytes,
      source: 'src/examples/huggingface/convert_checkpoint_to_hf.py of OLMo-core: bfloat16 unless --dtype sets another.',
    },
  ];
}
