/** Findings of datasets and their shards. Facts come from files and are shown as text. */
import { defineFinding } from './defineFinding.js';
import { counted } from '../text/quantities.js';
import { formatBytes, formatCount, formatDifferentBytes } from '../text/units.js';

const writeAgain = 'Copy the shard again from the source, or write it again.';

export const datasetFindings = {
  'shard-not-its-format': defineFinding({
    severity: 'error',
    example: { detail: 'there is no magic number' },
    words: ({ detail }) => ({
      message: `Content does not match the file name or location: ${detail}.`,
      effect: 'Loaders stop here. The bytes are counted, the samples are not.',
      advice: 'Check whether the file was copied completely, and whether it belongs to the dataset.',
    }),
  }),
  'shard-truncated': defineFinding({
    severity: 'error',
    example: { detail: 'its headers need 268,435,456 bytes, it has 100,000,000' },
    words: ({ detail }) => ({
      message: `File truncated: ${detail}.`,
      effect: 'Samples at the end are cut off. Loaders fail when they reach them, possibly days into a run.',
      advice: writeAgain,
    }),
  }),
  'shard-corrupt': defineFinding({
    severity: 'error',
    example: { detail: 'a length of 4,294,967,295 bytes' },
    words: ({ detail }) => ({
      message: `Header corrupt: ${detail}.`,
      effect: 'Data after it cannot be found. The totals exclude samples that could not be counted.',
      advice: writeAgain,
    }),
  }),
  'shard-size-differs': defineFinding({
    severity: 'error',
    example: { expectedBytes: 67_108_864, bytes: 66_000_000 },
    words: ({ expectedBytes, bytes }) => {
      const [expected, found] = formatDifferentBytes(expectedBytes, bytes);
      return {
        message: `The index declares ${expected}, the file has ${found}.`,
        effect: 'The index or the shard is from another version of the dataset. Loaders reject it or return wrong samples.',
        advice: 'Copy the index and the shard again from the same source.',
      };
    },
  }),
  'shards-listed-missing': defineFinding({
    severity: 'error',
    example: { missing: 2, total: 128, first: 'shard.00007.mds' },
    words: ({ missing, total, first }) => ({
      message: `${formatCount(missing)} of ${counted(total, 'shard')} of the index missing: ${first}.`,
      effect: 'Loaders stop at them, or fetch them from a remote copy. The totals exclude them.',
      advice: 'Copy the missing shards, unless this directory is a cache of a remote one.',
    }),
  }),
  'shard-unlisted': defineFinding({
    severity: 'warning',
    example: { files: 3, first: 'shard.00128.mds' },
    words: ({ files, first }) => ({
      message: `${counted(files, 'possible shard')} not in the index: ${first}.`,
      effect: 'Loaders read only what is in the index. The totals exclude the rest.',
      advice: 'Rebuild the index if they belong to the dataset. Otherwise remove them.',
    }),
  }),
  'shard-count-differs': defineFinding({
    severity: 'error',
    example: { expected: 128, found: 126, first: 7 },
    words: ({ expected, found, first }) => ({
      message: `${formatCount(found)} of ${counted(expected, 'shard')} found, by the count in their names. First missing: ${formatCount(first)}.`,
      effect: 'Part of the data is missing. Most loaders do not notice.',
      advice: 'Copy the missing shards.',
    }),
  }),
  'shard-numbers-missing': defineFinding({
    severity: 'note',
    example: { missing: 1, found: 127, first: 7 },
    words: ({ missing, found, first }) => ({
      message: `The names of ${counted(found, 'shard')} leave out ${counted(missing, 'number')} in between. First missing: ${formatCount(first)}.`,
      effect: 'Part of the data may be missing: no index lists the shards. Totals are lower bounds.',
      advice: 'Compare the shards with their source, and copy the missing ones.',
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
      message: `Shard sizes differ: ${formatBytes(smallestBytes)} (${smallest}) to ${formatBytes(largestBytes)} (${largest}), median ${formatBytes(medianBytes)}.`,
      effect: 'Workers that each read one shard finish at different times, and sampling is uneven.',
      advice: 'Write the shards again with a size limit, if each worker reads its own.',
    }),
  }),
  'shard-empty': defineFinding({
    severity: 'note',
    example: { detail: 'it has no records' },
    words: ({ detail }) => ({
      message: `Shard without samples: ${detail}.`,
      effect: 'Some loaders divide by zero or wait forever when a worker gets only such shards.',
      advice: 'Remove the shard from the index.',
    }),
  }),
  'index-unmatched': defineFinding({
    severity: 'error',
    example: { present: 'train.bin', missing: 'train.idx' },
    words: ({ present, missing }) => ({
      message: `${missing} is missing; ${present} needs it.`,
      effect: 'Neither can be read without the other.',
      advice: 'Copy both files again.',
    }),
  }),
  'index-count-differs': defineFinding({
    severity: 'error',
    example: { expected: 10_000, found: 9_990, detail: 'samples of the shard' },
    words: ({ expected, found, detail }) => ({
      message: `The index declares ${formatCount(expected)}, the data contain ${formatCount(found)}: ${detail}.`,
      effect: 'The index or the data is from another version of the dataset.',
      advice: 'Rebuild the index from the data.',
    }),
  }),
  'many-small-shards': defineFinding({
    severity: 'warning',
    example: { files: 20_000, medianBytes: 500_000 },
    words: ({ files, medianBytes }) => ({
      message: `${counted(files, 'shard')} with a median of ${formatBytes(medianBytes)}.`,
      effect:
        'Each shard costs an open, a lookup and a seek. On parallel file systems and object stores this takes longer than reading it.',
      advice: 'Merge them into shards of at least 64 MB.',
    }),
  }),
  'dataset-unfinished': defineFinding({
    severity: 'error',
    example: { detail: '12 shards, but no index.json' },
    words: ({ detail }) => ({
      message: `Dataset incomplete: ${detail}.`,
      effect: 'Loaders find no index, or read only a part.',
      advice: 'Run the writer again, or its last step.',
    }),
  }),
  'dataset-stored-twice': defineFinding({
    severity: 'note',
    example: { copy: 'train.ds', parts: 'train_0.ds and train_1.ds', repeatedBytes: 8_000_000_000, isCountedOnce: true },
    words: ({ copy, parts, repeatedBytes, isCountedOnce }) => ({
      message: `${formatBytes(repeatedBytes)} duplicated: ${copy} contains the same samples as ${parts}.`,
      effect: `The totals count ${isCountedOnce ? 'one copy' : 'both copies'}.`,
      advice: 'Keep one copy.',
    }),
  }),
  'shard-copied': defineFinding({
    severity: 'warning',
    example: { files: 12, repeatedBytes: 268_435_456, original: 'train/shard.00000.mds', compared: 12 },
    words: ({ files, repeatedBytes, original, compared }) => ({
      message: `${counted(files, 'file')} (${formatBytes(repeatedBytes)}) duplicated: the first repeats ${original}. Names match, and so do the bytes at some places of ${compared === files ? 'each' : formatCount(compared)}.`,
      effect: 'Loaders that find shards by a pattern read these samples twice. The totals count one copy.',
      advice: 'Compare the two by checksum, and remove the copy if they are equal.',
    }),
  }),
  'line-corrupt': defineFinding({
    severity: 'error',
    example: { count: 2, total: 10_000 },
    words: ({ count, total }) => ({
      message: `${formatCount(count)} of ${counted(total, 'line')} incomplete or invalid.`,
      effect: 'Loaders stop at the first of them, or skip them silently.',
      advice: 'Check whether the file was truncated, or mixed with another one.',
    }),
  }),
  'text-encoding': defineFinding({
    severity: 'warning',
    example: null,
    words: () => ({
      message: 'The text contains bytes that are not valid UTF-8.',
      effect: 'Tokenizers replace them by a replacement character, which becomes tokens.',
      advice: 'Convert the text before tokenizing, or filter such documents.',
    }),
  }),
};
