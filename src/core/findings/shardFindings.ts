/** Findings of shards of weights and the index that names them. Facts come from files and are shown as text. */
import { defineFinding } from './defineFinding.js';
import { formatCount, formatExactBytes } from '../text/units.js';

export const shardFindings = {
  'index-shard-missing': defineFinding({
    severity: 'error',
    example: { shard: 'model-00002-of-00004.safetensors', tensors: 102 },
    words: ({ shard, tensors }) => ({
      message: `The index names ${shard}, which is not here; it holds ${formatCount(tensors)} tensors.`,
      effect: 'Loading fails, or goes on with random values in their place.',
      advice: 'Copy or download the missing shard.',
    }),
  }),
  'index-path-unsafe': defineFinding({
    severity: 'error',
    example: { shard: '../../etc/passwd' },
    words: ({ shard }) => ({
      message: `The index names a path outside of its directory: ${shard}.`,
      effect: 'It was not followed.',
      advice: 'No framework writes such an index: look at where it comes from.',
    }),
  }),
  'index-tensor-missing': defineFinding({
    severity: 'error',
    example: { shard: 'model-00002-of-00004.safetensors', tensors: 2, tensor: 'lm_head.weight, model.norm.weight' },
    words: ({ shard, tensors, tensor }) => ({
      message: `The index says that ${formatCount(tensors)} tensors are in ${shard}, which does not have them: ${tensor}.`,
      effect: 'Loading fails, or goes on with random values in their place.',
      advice: 'Index and shard are of different saves: copy both again.',
    }),
  }),
  'index-tensor-unlisted': defineFinding({
    severity: 'warning',
    example: { shard: 'model-00002-of-00004.safetensors', tensors: 3 },
    words: ({ shard, tensors }) => ({
      message: `${shard} has ${formatCount(tensors)} tensors that the index does not list.`,
      effect: 'Loaders that follow the index never see them.',
      advice: 'Index and shard are of different saves: copy both again.',
    }),
  }),
  'index-total-size-differs': defineFinding({
    severity: 'note',
    example: { expectedBytes: 16_060_522_240, bytes: 16_060_522_496 },
    words: ({ expectedBytes, bytes }) => ({
      message: `The index speaks of ${formatExactBytes(expectedBytes)} of tensors, the shards have ${formatExactBytes(bytes)}.`,
      effect: 'Loaders do not use this number; old exporters got it wrong.',
      advice: 'Nothing to do, where all shards are from one save.',
    }),
  }),
  'shard-missing': defineFinding({
    severity: 'error',
    example: { shards: 2, total: 4, stem: 'model', first: '2, 3' },
    words: ({ shards, total, stem, first }) => ({
      message: `${formatCount(shards)} of ${formatCount(total)} shards of ${stem} are not here: number ${first}.`,
      effect: 'Loading fails, or goes on with random values in their place.',
      advice: 'Copy or download the missing shards.',
    }),
  }),
};
