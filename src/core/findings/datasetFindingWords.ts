/** The words for what is found in datasets. Facts come from files and are shown as text. */
import { type FactText, type FindingWords } from './findingWords.js';
import type { FindingCode } from './finding.js';

const writeAgain = 'Copy it again from where it was written, or write this shard again.';

export const datasetFindingWords = {
  'shard-not-its-format': (fact) => ({
    message: `The file is not what its name or its place says: ${fact('detail')}.`,
    effect: 'A loader stops here. Its bytes are counted, but nothing in it is.',
    advice: 'Look whether it was copied or downloaded to its end, and whether it belongs here.',
  }),
  'shard-truncated': (fact) => ({
    message: `The file ends too early: ${fact('detail')}.`,
    effect: 'The samples at its end are cut off. A loader fails when it reaches them, which may be days into a run.',
    advice: writeAgain,
  }),
  'shard-corrupt': (fact) => ({
    message: `A header in the file is damaged: ${fact('detail')}.`,
    effect: 'What comes after it cannot be found. Samples that could not be counted are missing in the numbers above.',
    advice: writeAgain,
  }),
  'shard-size-differs': (fact) => ({
    message: `The index says ${fact('expectedBytes')}, the file has ${fact('bytes')}.`,
    effect: 'Either the shard or the index is not of this version of the dataset: loaders refuse it, or return wrong samples.',
    advice: 'Copy the shard and the index again, from the same place.',
  }),
  'shards-listed-missing': (fact) => ({
    message: `${fact('missing')} of ${fact('total')} shards that the index names are not here: ${fact('first')}.`,
    effect: 'Loaders stop at them, or fetch them where they know a remote copy. Samples and tokens above do not count them.',
    advice: 'Copy the missing shards, unless this directory is only a cache of a remote one.',
  }),
  'shard-unlisted': (fact) => ({
    message:
      fact('files') === '1'
        ? `One file looks like a shard, but the index does not name it: ${fact('first')}.`
        : `${fact('files')} files look like shards, but the index does not name them: ${fact('first')}.`,
    effect: 'Loaders never read what is not in the index. Samples and tokens above do not count it.',
    advice: 'Make the index again if they belong to it, else remove them.',
  }),
  'shard-count-differs': (fact) => ({
    message: `Names say that there are ${fact('expected')} shards, ${fact('found')} are here. Missing: ${fact('first')}.`,
    effect: 'A part of the data is not here; most loaders do not notice.',
    advice: 'Copy the missing shards.',
  }),
  'shards-unequal': (fact) => ({
    message: `Shards differ in size: ${fact('smallest')} has ${fact('smallestBytes')}, the middle one ${fact('medianBytes')}, ${fact('largest')} ${fact('largestBytes')}.`,
    effect: 'Workers that read a shard each end at different times, and the sampling of samples is uneven.',
    advice: 'Write the shards again with a size limit where every worker reads its own.',
  }),
  'shard-empty': (fact) => ({
    message: `The shard has no samples: ${fact('detail')}.`,
    effect: 'Some loaders divide by the number of samples, or wait for ever, when a worker gets only such shards.',
    advice: 'Leave it out of the index.',
  }),
  'index-unmatched': (fact) => ({
    message: `There is ${fact('present')}, but not ${fact('missing')}.`,
    effect: 'One without the other cannot be read.',
    advice: 'Copy both files again.',
  }),
  'index-count-differs': (fact) => ({
    message: `The index says ${fact('expected')}, the data say ${fact('found')}: ${fact('detail')}.`,
    effect: 'One of both is of another version of the dataset.',
    advice: 'Make the index again from the data.',
  }),
  'documents-empty': (fact) => ({
    message: `${fact('count')} of ${fact('total')} ${fact('unit')} have no tokens.`,
    effect: 'They train nothing; some loaders fail on them.',
    advice: 'Filter empty texts before tokenizing.',
  }),
  'token-dtypes-mixed': (fact) => ({
    message: `Tokens are stored in more than one dtype: ${fact('dtypes')}.`,
    effect: 'Loaders that take the dtype from the first shard or from a setting read wrong tokens from the others.',
    advice: 'Write all shards with one dtype.',
  }),
  'token-dtype-too-small': (fact) => ({
    message: `Tokens are stored as ${fact('dtype')}, but the vocabulary has ${fact('vocabulary')} tokens (${fact('source')}).`,
    effect: `Ids above ${fact('highest')} do not fit: they were wrapped around to other tokens, or the vocabulary is not the one of this data.`,
    advice: 'Tokenize again with uint32 or int32, or find the tokenizer that was really used.',
  }),
  'token-dtype-wide': (fact) => ({
    message: `Tokens are stored as ${fact('dtype')}; ${fact('enough')} holds them in ${fact('savedBytes')} less, before any compression.`,
    effect: `${fact('share')} of the bytes of tokens are zeros, which are stored, copied and read.`,
    advice: `Write tokens as ${fact('enough')}; loaders widen them when they are read.`,
  }),
  'token-outside-vocabulary': (fact) => ({
    message: `${fact('outside')} of ${fact('seen')} are ids that the vocabulary of ${fact('vocabulary')} does not have: they go from ${fact('lowest')} to ${fact('highest')}.`,
    effect: 'An embedding has no row for them: training stops with an index error, or on a GPU with a device-side assert.',
    advice: 'Find the tokenizer that was really used, or whether the dtype is another one.',
  }),
  'columns-repeat-tokens': (fact) => ({
    message: `${fact('repeatedBytes')} (${fact('share')} of the dataset) are columns with a value for each token: ${fact('columns')}.`,
    effect: 'Masks of ones and labels that repeat the tokens can be made when a batch is put together.',
    advice: 'Leave them out unless they differ from the tokens: a mask of padding, labels with the prompt masked.',
  }),
  'many-small-shards': (fact) => ({
    message: `${fact('files')} shards of ${fact('medianBytes')} in the middle.`,
    effect:
      'Each takes an open, a look-up and a seek: on a parallel file system or an object store that costs more than reading it.',
    advice: 'Merge them into shards of 64 MB or more.',
  }),
  'dataset-unfinished': (fact) => ({
    message: `Writing the dataset did not end: ${fact('detail')}.`,
    effect: 'Loaders find no index, or read a part.',
    advice: 'Run the writer again, or its last step.',
  }),
  'dataset-stored-twice': (fact) => ({
    message: `${fact('copy')} holds the same samples as ${fact('parts')}: ${fact('repeatedBytes')} are here twice.`,
    effect: `Samples and tokens above count ${fact('counted') === 'once' ? 'one of them' : 'both'}.`,
    advice: 'Keep one of them.',
  }),
  'line-corrupt': (fact) => ({
    message: `${fact('count')} of ${fact('total')} lines are no whole record.`,
    effect: 'Loaders stop at the first of them, or leave them out without a word.',
    advice: 'Look whether the file was cut, or lines of two files were mixed.',
  }),
  'text-encoding': (fact) => ({
    message: `The text is not clean UTF-8: ${fact('detail')}.`,
    effect: 'A tokenizer sees marks for what cannot be read; they become tokens.',
    advice: 'Convert it before tokenizing, or filter such documents.',
  }),
} as const satisfies Partial<Record<FindingCode, (fact: FactText) => FindingWords>>;
