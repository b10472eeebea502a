/** Findings of tokens and the columns that hold them. Facts come from files and are shown as text. */
import { defineFinding } from './defineFinding.js';
import { counted } from '../text/quantities.js';
import { formatBytes, formatCount } from '../text/units.js';

export const tokenFindings = {
  'documents-empty': defineFinding({
    severity: 'note',
    example: { count: 3, total: 10_000, unit: 'documents' },
    words: ({ count, total, unit }) => ({
      message: `${formatCount(count)} of ${formatCount(total)} ${unit} have no tokens.`,
      effect: 'They add nothing to training; some loaders fail on them.',
      advice: 'Filter empty texts before tokenizing.',
    }),
  }),
  'shards-without-tokens': defineFinding({
    severity: 'note',
    example: { without: 4, shards: 16, isExcluded: true },
    words: ({ without, shards, isExcluded }) => ({
      message: `${formatCount(without)} of ${counted(shards, 'shard')} contain text and no tokens.`,
      effect: isExcluded
        ? 'They are taken for the source of the tokenized shards. The totals exclude them.'
        : 'Their tokens are not known. The total of the other shards is a lower bound.',
      advice: 'Move them to a directory of their own if they are another dataset.',
    }),
  }),
  'token-dtypes-mixed': defineFinding({
    severity: 'warning',
    example: { dtypes: 'uint16, int32' },
    words: ({ dtypes }) => ({
      message: `Tokens stored in several dtypes: ${dtypes}.`,
      effect: 'Loaders that use one dtype for all shards read wrong tokens from the others.',
      advice: 'Write all shards with one dtype.',
    }),
  }),
  'token-dtype-too-small': defineFinding({
    severity: 'error',
    example: { dtype: 'uint16', vocabulary: 128_256, source: 'tokenizer.json', highest: 65_535 },
    words: ({ dtype, vocabulary, source, highest }) => ({
      message: `Token dtype ${dtype} is too small for the vocabulary of ${formatCount(vocabulary)} (${source}).`,
      effect: `Ids above ${formatCount(highest)} wrapped around to other tokens, or the vocabulary belongs to other data.`,
      advice: 'Tokenize again with uint32 or int32, or find the tokenizer that was used.',
    }),
  }),
  'token-dtype-wide': defineFinding({
    severity: 'note',
    example: { dtype: 'int64', enough: 'uint16', savedBytes: 6_000_000_000, share: '75.0 %' },
    words: ({ dtype, enough, savedBytes, share }) => ({
      message: `${formatBytes(savedBytes)} less with tokens as ${enough} instead of ${dtype}, before compression.`,
      effect: `${share} of the token bytes are zeros.`,
      advice: `Write tokens as ${enough}; loaders widen them when they read them.`,
    }),
  }),
  'token-outside-vocabulary': defineFinding({
    severity: 'error',
    example: { outside: 12, seen: 'all 10,000 tokens', vocabulary: 32_000, lowest: 32_000, highest: 50_256 },
    words: ({ outside, seen, vocabulary, lowest, highest }) => ({
      message: `${formatCount(outside)} of ${seen} outside the vocabulary of ${formatCount(vocabulary)}: ids ${formatCount(lowest)} to ${formatCount(highest)}.`,
      effect: 'An embedding has no row for them: training stops with an index error, or a device-side assert on a GPU.',
      advice: 'Find the tokenizer that was used, or check the dtype.',
    }),
  }),
  'columns-repeat-tokens': defineFinding({
    severity: 'note',
    example: { repeatedBytes: 4_000_000_000, share: '50.0 %', columns: 'attention_mask' },
    words: ({ repeatedBytes, share, columns }) => ({
      message: `${formatBytes(repeatedBytes)} (${share} of the dataset) in columns with one value per token: ${columns}.`,
      effect: 'Masks of ones and copies of the tokens can be built when batching.',
      advice: 'Omit them unless they differ from the tokens, as padding masks and labels with masked prompts do.',
    }),
  }),
};
