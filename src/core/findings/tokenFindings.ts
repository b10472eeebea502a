/** Findings of tokens and the columns that hold them. Facts come from files and are shown as text. */
import { defineFinding } from './defineFinding.js';
import { formatCount, formatExactBytes } from '../text/units.js';

export const tokenFindings = {
  'documents-empty': defineFinding({
    severity: 'note',
    example: { count: 3, total: 10_000, unit: 'documents' },
    words: ({ count, total, unit }) => ({
      message: `${formatCount(count)} of ${formatCount(total)} ${unit} have no tokens.`,
      effect: 'They train nothing; some loaders fail on them.',
      advice: 'Filter empty texts before tokenizing.',
    }),
  }),
  'token-dtypes-mixed': defineFinding({
    severity: 'warning',
    example: { dtypes: 'uint16, int32' },
    words: ({ dtypes }) => ({
      message: `Tokens are stored in more than one dtype: ${dtypes}.`,
      effect: 'Loaders that take the dtype from the first shard or from a setting read wrong tokens from the others.',
      advice: 'Write all shards with one dtype.',
    }),
  }),
  'token-dtype-too-small': defineFinding({
    severity: 'error',
    example: { dtype: 'uint16', vocabulary: 128_256, source: 'tokenizer.json', highest: 65_535 },
    words: ({ dtype, vocabulary, source, highest }) => ({
      message: `Tokens are stored as ${dtype}, but the vocabulary has ${formatCount(vocabulary)} tokens (${source}).`,
      effect: `Ids above ${formatCount(highest)} do not fit: they were wrapped around to other tokens, or the vocabulary is not the one of this data.`,
      advice: 'Tokenize again with uint32 or int32, or find the tokenizer that was really used.',
    }),
  }),
  'token-dtype-wide': defineFinding({
    severity: 'note',
    example: { dtype: 'int64', enough: 'uint16', savedBytes: 6_000_000_000, share: '75.0 %' },
    words: ({ dtype, enough, savedBytes, share }) => ({
      message: `Tokens are stored as ${dtype}; ${enough} holds them in ${formatExactBytes(savedBytes)} less, before any compression.`,
      effect: `${share} of the bytes of tokens are zeros, which are stored, copied and read.`,
      advice: `Write tokens as ${enough}; loaders widen them when they are read.`,
    }),
  }),
  'token-outside-vocabulary': defineFinding({
    severity: 'error',
    example: { outside: 12, seen: 'all 10,000 tokens', vocabulary: 32_000, lowest: 32_000, highest: 50_256 },
    words: ({ outside, seen, vocabulary, lowest, highest }) => ({
      message: `${formatCount(outside)} of ${seen} are ids that the vocabulary of ${formatCount(vocabulary)} does not have: they go from ${formatCount(lowest)} to ${formatCount(highest)}.`,
      effect: 'An embedding has no row for them: training stops with an index error, or on a GPU with a device-side assert.',
      advice: 'Find the tokenizer that was really used, or whether the dtype is another one.',
    }),
  }),
  'columns-repeat-tokens': defineFinding({
    severity: 'note',
    example: { repeatedBytes: 4_000_000_000, share: '50.0 %', columns: 'attention_mask' },
    words: ({ repeatedBytes, share, columns }) => ({
      message: `${formatExactBytes(repeatedBytes)} (${share} of the dataset) are columns with a value for each token: ${columns}.`,
      effect: 'Masks of ones and labels that repeat the tokens can be made when a batch is put together.',
      advice: 'Leave them out unless they differ from the tokens: a mask of padding, labels with the prompt masked.',
    }),
  }),
};
