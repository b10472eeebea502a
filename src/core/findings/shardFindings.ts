/** Findings of shards of weights and the index that names them. Facts come from files and are shown as text. */
import { defineFinding } from './defineFinding.js';
import { counted } from '../text/quantities.js';
import { formatCount, formatDifferentBytes } from '../text/units.js';

export const shardFindings = {
  'index-shard-missing': defineFinding({
    severity: 'error',
    example: { shard: 'model-00002-of-00004.safetensors', tensors: 102 },
    words: ({ shard, tensors }) => ({
      message: `Shard missing: ${shard} with ${counted(tensors, 'tensor')} of the index.`,
      effect: 'Loading fails, or leaves these weights randomly initialized.',
      advice: 'Copy or download the missing shard.',
    }),
  }),
  'index-shard-spelled-otherwise': defineFinding({
    severity: 'warning',
    example: { shard: 'Model-00002-of-00004.safetensors', file: 'model-00002-of-00004.safetensors' },
    words: ({ shard, file }) => ({
      message: `Shard ${shard} of the index is the file ${file}: the names differ in case or Unicode normal form.`,
      effect: 'macOS and Windows may find the file under both names. Linux does not, and loading fails there.',
      advice: 'Rename the file to the name in the index before copying it to Linux.',
    }),
  }),
  'index-path-unsafe': defineFinding({
    severity: 'error',
    example: { shard: '../../etc/passwd' },
    words: ({ shard }) => ({
      message: `Path outside the directory in the index: ${shard}.`,
      effect: 'The path was not followed.',
      advice: 'Check where the index comes from: no known framework writes such a path.',
    }),
  }),
  'index-tensor-missing': defineFinding({
    severity: 'error',
    example: { shard: 'model-00002-of-00004.safetensors', tensors: 2, tensor: 'lm_head.weight, model.norm.weight' },
    words: ({ shard, tensors, tensor }) => ({
      message: `${counted(tensors, 'tensor')} of the index missing from ${shard}: ${tensor}.`,
      effect: 'Loading fails, or leaves these weights randomly initialized.',
      advice: 'Copy the index and the shard again: they are from different saves.',
    }),
  }),
  'index-tensor-unlisted': defineFinding({
    severity: 'warning',
    example: { shard: 'model-00002-of-00004.safetensors', tensors: 3 },
    words: ({ shard, tensors }) => ({
      message: `${counted(tensors, 'tensor')} of ${shard} missing from the index.`,
      effect: 'Loaders that follow the index do not load them.',
      advice: 'Copy the index and the shard again: they are from different saves.',
    }),
  }),
  'index-total-size-differs': defineFinding({
    severity: 'note',
    example: { expectedBytes: 16_060_522_240, bytes: 16_060_522_496 },
    words: ({ expectedBytes, bytes }) => {
      const [expected, found] = formatDifferentBytes(expectedBytes, bytes);
      return {
        message: `The index declares ${expected} of tensors, the shards contain ${found}.`,
        effect: 'Loaders ignore this number; old exporters wrote it incorrectly.',
        advice: 'No action needed if all shards are from the same save.',
      };
    },
  }),
  'shard-missing': defineFinding({
    severity: 'error',
    example: { shards: 2, total: 4, stem: 'model', first: '2, 3' },
    words: ({ shards, total, stem, first }) => ({
      message: `${formatCount(shards)} of ${counted(total, 'shard')} of ${stem} missing: number ${first}.`,
      effect: 'Loading fails, or leaves these weights randomly initialized.',
      advice: 'Copy or download the missing shards.',
    }),
  }),
};
