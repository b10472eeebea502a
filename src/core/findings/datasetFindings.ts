/** Findings of datasets and their shards. Facts come from files and are shown as text. */
import { defineFinding } from './defineFinding.js';
import { formatCount, formatExactBytes } from '../text/units.js';

const writeAgain = 'Copy it again from where it was written, or write this shard again.';

export const datasetFindings = {
  'shard-not-its-format': defineFinding({
    severity: 'error',
    example: { detail: 'there is no magic number' },
    words: ({ detail }) => ({
      message: `The file is not what its name or its place says: ${detail}.`,
      effect: 'A loader stops here. Its bytes are counted, but nothing in it is.',
      advice: 'Look whether it was copied or downloaded to its end, and whether it belongs here.',
    }),
  }),
  'shard-truncated': defineFinding({
    severity: 'error',
    example: { detail: 'its headers need 268,435,456 bytes, it has 100,000,000' },
    words: ({ detail }) => ({
      message: `The file ends too early: ${detail}.`,
      effect: 'The samples at its end are cut off. A loader fails when it reaches them, which may be days into a run.',
      advice: writeAgain,
    }),
  }),
  'shard-corrupt': defineFinding({
    severity: 'error',
    example: { detail: 'a length of 4,294,967,295 bytes' },
    words: ({ detail }) => ({
      message: `A header in the file is damaged: ${detail}.`,
      effect: 'What comes after it cannot be found. Samples that could not be counted are missing in the numbers above.',
      advice: writeAgain,
    }),
  }),
  'shard-size-differs': defineFinding({
    severity: 'error',
    example: { expectedBytes: 67_108_864, bytes: 66_000_000 },
    words: ({ expectedBytes, bytes }) => ({
      message: `The index says ${formatExactBytes(expectedBytes)}, the file has ${formatExactBytes(bytes)}.`,
      effect: 'Either the shard or the index is not of this version of the dataset: loaders refuse it, or return wrong samples.',
      advice: 'Copy the shard and the index again, from the same place.',
    }),
  }),
  'shards-listed-missing': defineFinding({
    severity: 'error',
    example: { missing: 2, total: 128, first: 'shard.00007.mds' },
    words: ({ missing, total, first }) => ({
      message: `${formatCount(missing)} of ${formatCount(total)} shards that the index names are not here: ${first}.`,
      effect: 'Loaders stop at them, or fetch them where they know a remote copy. Samples and tokens above do not count them.',
      advice: 'Copy the missing shards, unless this directory is only a cache of a remote one.',
    }),
  }),
  'shard-unlisted': defineFinding({
    severity: 'warning',
    example: { files: 3, first: 'shard.00128.mds' },
    words: ({ files, first }) => ({
      message:
        files === 1
          ? `One file looks like a shard, but the index does not name it: ${first}.`
          : `${formatCount(files)} files look like shards, but the index does not name them: ${first}.`,
      effect: 'Loaders never read what is not in the index. Samples and tokens above do not count it.',
      advice: 'Make the index again if they belong to it, else remove them.',
    }),
  }),
  'shard-count-differs': defineFinding({
    severity: 'error',
    example: { expected: 128, found: 126, first: 7 },
    words: ({ expected, found, first }) => ({
      message: `Names say that there are ${formatCount(expected)} shards, ${formatCount(found)} are here. Missing: ${formatCount(first)}.`,
      effect: 'A part of the data is not here; most loaders do not notice.',
      advice: 'Copy the missing shards.',
    }),
  }),
  'shards-unequal': defineFinding({
    severity: 'note',
    example: {
      smallest: 'shard.00127.mds',
      smallestBytes: 1_000_000,
      medianBytes: 67_108_864,
      largest: 'shard.00003.mds',
      largestBytes: 200_000_000,
    },
    words: ({ smallest, smallestBytes, medianBytes, largest, largestBytes }) => ({
      message: `Shards differ in size: ${smallest} has ${formatExactBytes(smallestBytes)}, the middle one ${formatExactBytes(medianBytes)}, ${largest} ${formatExactBytes(largestBytes)}.`,
      effect: 'Workers that read a shard each end at different times, and the sampling of samples is uneven.',
      advice: 'Write the shards again with a size limit where every worker reads its own.',
    }),
  }),
  'shard-empty': defineFinding({
    severity: 'note',
    example: { detail: 'it has no records' },
    words: ({ detail }) => ({
      message: `The shard has no samples: ${detail}.`,
      effect: 'Some loaders divide by the number of samples, or wait for ever, when a worker gets only such shards.',
      advice: 'Leave it out of the index.',
    }),
  }),
  'index-unmatched': defineFinding({
    severity: 'error',
    example: { present: 'train.bin', missing: 'train.idx' },
    words: ({ present, missing }) => ({
      message: `There is ${present}, but not ${missing}.`,
      effect: 'One without the other cannot be read.',
      advice: 'Copy both files again.',
    }),
  }),
  'index-count-differs': defineFinding({
    severity: 'error',
    example: { expected: 10_000, found: 9_990, detail: 'samples of the shard' },
    words: ({ expected, found, detail }) => ({
      message: `The index says ${formatCount(expected)}, the data say ${formatCount(found)}: ${detail}.`,
      effect: 'One of both is of another version of the dataset.',
      advice: 'Make the index again from the data.',
    }),
  }),
  'many-small-shards': defineFinding({
    severity: 'warning',
    example: { files: 20_000, medianBytes: 500_000 },
    words: ({ files, medianBytes }) => ({
      message: `${formatCount(files)} shards of ${formatExactBytes(medianBytes)} in the middle.`,
      effect:
        'Each takes an open, a look-up and a seek: on a parallel file system or an object store that costs more than reading it.',
      advice: 'Merge them into shards of 64 MB or more.',
    }),
  }),
  'dataset-unfinished': defineFinding({
    severity: 'error',
    example: { detail: '12 shards, but no index.json' },
    words: ({ detail }) => ({
      message: `Writing the dataset did not end: ${detail}.`,
      effect: 'Loaders find no index, or read a part.',
      advice: 'Run the writer again, or its last step.',
    }),
  }),
  'dataset-stored-twice': defineFinding({
    severity: 'note',
    example: { copy: 'train.ds', parts: 'train_0.ds and train_1.ds', repeatedBytes: 8_000_000_000, isCountedOnce: true },
    words: ({ copy, parts, repeatedBytes, isCountedOnce }) => ({
      message: `${copy} holds the same samples as ${parts}: ${formatExactBytes(repeatedBytes)} are here twice.`,
      effect: `Samples and tokens above count ${isCountedOnce ? 'one of them' : 'both'}.`,
      advice: 'Keep one of them.',
    }),
  }),
  'line-corrupt': defineFinding({
    severity: 'error',
    example: { count: 2, total: 10_000 },
    words: ({ count, total }) => ({
      message: `${formatCount(count)} of ${formatCount(total)} lines are no whole record.`,
      effect: 'Loaders stop at the first of them, or leave them out without a word.',
      advice: 'Look whether the file was cut, or lines of two files were mixed.',
    }),
  }),
  'text-encoding': defineFinding({
    severity: 'warning',
    example: { detail: 'there are bytes that are no UTF-8' },
    words: ({ detail }) => ({
      message: `The text is not clean UTF-8: ${detail}.`,
      effect: 'A tokenizer sees marks for what cannot be read; they become tokens.',
      advice: 'Convert it before tokenizing, or filter such documents.',
    }),
  }),
};
