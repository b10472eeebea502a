/** What a column is to a training run. The names are those of transformers, TRL, llm-foundry, torchtitan, MaxText and datatrove. */
import type { ByteKind, ColumnRole } from './datasetReport.js';

const tokenNames = new Set([
  'input_ids',
  'tokens',
  'token_ids',
  'tokenids',
  'ids',
  'inputs',
  'input_tokens',
  'text_ids',
  'prompt_ids',
  'prompt_input_ids',
  'chosen_input_ids',
  'rejected_input_ids',
  'completion_ids',
]);
const maskNames = /^(.*_)?(attention_mask|loss_mask|special_tokens_mask|completion_mask|assistant_masks?|prompt_mask|mask)$/;
const labelNames = /^(.*_)?(labels?|targets?)(_ids)?$/;
const positionNames =
  /^(position_ids|positions?|token_type_ids|segment_ids|segmentation|cu_seqlens|seq_lens?|.*_(position|segmentation))$/;
const textNames =
  /^(text|content|raw_content|document|body|txt|article|passage|code|prompt|completion|response|output|instruction|question|answer|story|abstract|markdown|html|messages?|conversations?|input)$/i;

/** Words in names of integers that are something else: boxes, classes, places, times, what belongs to whom. */
const otherWords =
  /(^|[-_. ])(bbox(es)?|box(es)?|rects?|labels?|targets?|class(es)?|categor(y|ies)|masks?|coords?|coordinates|points?|keypoints?|polygons?|pixels?|images?|faces?|edges?|nodes?|graphs?|users?|items?|ratings?|scores?|counts?|hist(ogram)?s?|times?|timestamps?|dates?|years?|seeds?|shapes?|ranks?|positions?|spans?|segments?|sizes?|lengths?|lens?|offsets?|index|indexes|indices|starts?|ends?|audio|waves?|wav|[xy])([-_. ]|$)/i;

/** True for names of integers that are no tokens. */
export function isOtherThanTokens(name: string): boolean {
  return otherWords.test(name.replace(/\d+$/, ''));
}

/** True for names that tokens go by, with or without a number behind them. */
export function isTokenName(name: string): boolean {
  return tokenNames.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}

/** What the elements of a column are, as far as roles ask. */
export type ColumnShape = 'integers' | 'text' | 'bytes' | 'other';

/**
 * The role of a column.
 * @param shape `integers`: lists or arrays of integers; a single integer a row is `other`
 */
export function roleOfColumn(name: string, shape: ColumnShape): ColumnRole {
  const own = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  if (shape === 'text') return textNames.test(own) ? 'text' : 'value';
  if (shape === 'other') return 'value';
  if (tokenNames.has(own)) return 'tokens';
  if (maskNames.test(own)) return 'mask';
  if (labelNames.test(own)) return 'labels';
  if (positionNames.test(own)) return 'positions';
  return 'value';
}

/** Text that says where a sample is from, not what it is. */
const sourceNames =
  /(^|[._])(id|ids|uuid|hash|url|uri|path|file|file_?name|date|time|timestamp|lang|language|source|dump|split|name|key)$/i;

/**
 * Gives the role of tokens, or of text, to the column that has to be it where no name tells: the only one with integers in lists,
 * the only one of text. Where there is the one, nothing is settled as the other: integers beside named text are positions in it or
 * classes, text beside tokens says where they are from.
 */
export function settleRoles<T extends { role: ColumnRole; shape: ColumnShape; name?: string }>(columns: readonly T[]): void {
  if (columns.some(({ role }) => role === 'tokens' || role === 'text')) return;
  settle(
    columns.filter(({ name }) => name === undefined || !isOtherThanTokens(name)),
    'integers',
    'tokens',
  );
  if (columns.some(({ role }) => role === 'tokens')) return;
  settle(
    columns.filter(({ name }) => name === undefined || !sourceNames.test(name)),
    'text',
    'text',
  );
}

function settle<T extends { role: ColumnRole; shape: ColumnShape }>(
  columns: readonly T[],
  shape: ColumnShape,
  role: ColumnRole,
): void {
  const candidates = columns.filter((column) => column.shape === shape && column.role === 'value');
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) only.role = role;
}

/** Where a column's bytes go in the account. */
export const kindOfRole: Record<ColumnRole, ByteKind> = {
  tokens: 'tokens',
  mask: 'masks',
  labels: 'masks',
  positions: 'masks',
  text: 'text',
  value: 'values',
};
