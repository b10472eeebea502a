/** Rows and sentences of a dataset report that its terminal and Markdown forms share. */
import { evidenceInWords, isPartial } from '../../findings/evidence.js';
import {
  byteKinds,
  type ByteKind,
  type CountReport,
  type DatasetColumn,
  type DatasetReport,
} from '../../datasets/datasetReport.js';
import { byteKindLabels, columnRoleLabels, countInWords } from './datasetWords.js';
import { unitsOf } from '../../text/plural.js';
import { boundInWords, isBound, rangeInWords } from './datasetHeadline.js';
import { oddityInWords, summarizeShards } from './shardSummary.js';
import { formatBytes, formatCount, formatShare } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';

export interface KindLine {
  kind: ByteKind;
  label: string;
  bytes: number;
  share: number;
}

/** Bytes by kind in their fixed order, those that are there; they sum to `totalBytes`. */
export function kindLines({ bytes, totalBytes }: Pick<DatasetReport, 'bytes' | 'totalBytes'>): KindLine[] {
  return byteKinds.flatMap((kind) => {
    const own = bytes[kind] ?? 0;
    return own === 0 ? [] : [{ kind, label: byteKindLabels[kind], bytes: own, share: totalBytes === 0 ? 0 : own / totalBytes }];
  });
}

/** Name, type, role, values, size on disk, uncompressed and share of a column; empty where it is not known. Unescaped. */
export function columnCells(column: DatasetColumn, totalBytes: number): string[] {
  const { name, type, role, values, bytes, logicalBytes } = column;
  return [
    name,
    type,
    columnRoleLabels[role],
    values === null ? '' : formatCount(values),
    bytes === null ? '' : formatBytes(bytes),
    logicalBytes === null ? '' : formatBytes(logicalBytes),
    bytes === null || totalBytes === 0 ? '' : formatShare(bytes / totalBytes),
  ];
}

export const columnHeads = ['column', 'type', 'role', 'values', 'on disk', 'uncompressed', 'share'] as const;

/** Odd shards that a sentence names before it counts the rest. */
const namedOdd = 5;

/** `12 shards, median 64 MB, from 1 MB to 64.1 MB. Odd: a.mds (empty).`; empty without shards. */
export function shardSentence({ shards }: DatasetReport): string {
  const summary = summarizeShards(shards);
  if (summary === null) return '';
  const { count, smallestBytes, medianBytes, largestBytes, odd } = summary;
  if (count === 1) return `1 shard of ${formatBytes(largestBytes)}.`;
  const sizes =
    smallestBytes === largestBytes
      ? `all of ${formatBytes(largestBytes)}`
      : `median ${formatBytes(medianBytes)}, from ${formatBytes(smallestBytes)} to ${formatBytes(largestBytes)}`;
  const named = [...odd]
    .slice(0, namedOdd)
    .map(([index, why]) => `${visibleText(shards[index]?.path ?? '')} (${oddityInWords(why)})`);
  const rest = odd.size - named.length;
  const others = odd.size === 0 ? '' : ` Odd: ${named.join(', ')}${rest > 0 ? ` and ${formatCount(rest)} more` : ''}.`;
  return `${unitsOf(count, 'shard')}, ${sizes}.${others}`;
}

/** `150 sequences of 4 to 60 tokens, mean 31.5, median 30, none empty.`; empty where lengths are not known. */
export function lengthSentence({ lengths }: DatasetReport): string {
  if (lengths === null) return '';
  const { unit, count, minTokens, maxTokens, meanTokens, medianTokens, empty } = lengths;
  const none = empty === 0 ? 'none empty' : `${formatCount(empty)} empty`;
  if (minTokens === maxTokens) return `${unitsOf(count, unit)} of ${formatCount(minTokens)} tokens each.`;
  return `${unitsOf(count, unit)} of ${formatCount(minTokens)} to ${formatCount(maxTokens)} tokens, mean ${meanTokens.toFixed(1)}, median ${formatCount(medianTokens)}, ${none}.`;
}

/** Sentences on how the numbers at the top are known: method, range, confidence. */
export function sourceSentences({ tokens, text, padding, vocabulary }: DatasetReport): string[] {
  return [
    ...(tokens === null || tokens.method === '' ? [] : [`Tokens: ${countSource(tokens)}.`]),
    ...(text === null
      ? []
      : [
          `Bytes a token: ${text.bytesPerToken.value.toFixed(2)}, ${text.bytesPerToken.low.toFixed(2)} to ${text.bytesPerToken.high.toFixed(2)}: ${visibleText(text.bytesPerToken.source)}.`,
        ]),
    ...(padding === null
      ? []
      : [
          `Padding: ${countInWords(padding.tokens, padding.exact)} tokens, ${formatShare(padding.share)}: ${visibleText(padding.method)}.`,
        ]),
    ...(vocabulary === null ? [] : [`Vocabulary: ${formatCount(vocabulary.size)} tokens (${visibleText(vocabulary.source)}).`]),
  ];
}

/** Where a number comes from: `about 1.52 B, 1.41 B to 1.63 B, with 95 % confidence, from a sample: 400 places tokenized`. */
export function countSource(count: CountReport): string {
  const method = visibleText(count.method);
  if (count.exact) return `exact, ${evidenceInWords(count)}: ${method}`;
  const confidence = confidenceInWords(count);
  const bound = isBound(count) ? boundInWords(count) : null;
  if (bound !== null && count.basis !== 'sampled' && count.basis !== 'assumed')
    return `${bound}, ${evidenceInWords(count)}: ${method}`;
  return `about ${countInWords(count.count, false)}, ${rangeInWords(count)}, ${confidence}, ${evidenceInWords(count)}: ${method}`;
}

/** How sure a range is: `with 95 % confidence`; of what was read whole, is bounded, or is only known from other data, that. */
export function confidenceInWords({
  confidence,
  basis,
  coverage,
}: Pick<CountReport, 'confidence' | 'basis' | 'coverage'>): string {
  if (confidence === 1) return basis === 'content' ? 'all of it was read' : 'a bound';
  if (confidence !== null) return `with ${Number((confidence * 100).toFixed(1))} % confidence`;
  if (isPartial(coverage)) return 'a bound for what could not be read';
  return basis === 'assumed' || basis === 'sampled' ? 'a typical range' : 'a bound';
}

/** True for raw text of which nothing was tokenized or counted: its range is a typical one. */
export function isNotTokenized({ text, tokens }: Pick<DatasetReport, 'text' | 'tokens'>): boolean {
  return text !== null && text.bytes.count > 0 && text.tokenizer === null && tokens?.confidence === null;
}
