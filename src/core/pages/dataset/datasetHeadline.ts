import { coverageInWords, isPartial, type Coverage } from '../../findings/evidence.js';
import type { CountReport, DatasetReport, TokenizedSize } from '../../datasets/datasetReport.js';
import { countInWords } from './datasetWords.js';
import { dtypeInWords } from '../../tensors/dtypeInWords.js';
import { pluralOf } from '../../text/plural.js';
import { formatBinaryBytes, formatBytes, formatCount } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';

export interface DatasetHeadline {
  /** `1.2 GB`. */
  size: string;
  binarySize: string;
  /** `15,000 tokens in 120 documents`. */
  what: string;
  /** How a token is stored, or what tokenizing would give. */
  how: string;
}

/** The answer that stands at the top of a dataset's report. */
export function datasetHeadlineOf(report: DatasetReport): DatasetHeadline {
  return {
    size: formatBytes(report.totalBytes),
    binarySize: formatBinaryBytes(report.totalBytes),
    what: `${tokensInWords(report)}${samplesInWords(report)}.`,
    how: report.tokenDtype === null ? tokenizedInWords(report) : storedInWords(report),
  };
}

function tokensInWords({ tokens }: DatasetReport): string {
  if (tokens === null) return 'The number of tokens is not known';
  if (isBound(tokens)) return boundedTokens(tokens);
  if (isByWidth(tokens)) return `${formatCount(tokens.count)} tokens, if a sample shows their width`;
  return tokens.exact
    ? `${formatCount(tokens.count)} token${tokens.count === 1 ? '' : 's'}`
    : `About ${countInWords(tokens.count, false)} tokens (${tokensRange(tokens)})`;
}

/** True where one width of a token fits samples, and no file states it: the number is right if the width is. */
function isByWidth({ exact, confidence, basis, interval: [low, high] }: CountReport): boolean {
  return !exact && confidence === null && basis === 'sampled' && low === high;
}

function boundedTokens(tokens: CountReport & { coverage: Coverage }): string {
  const coverage = coverageInWords(tokens.coverage);
  const bound = boundInWords(tokens);
  if (bound !== null && isEstimated(tokens) && tokens.count > tokens.interval[0])
    return `About ${countInWords(tokens.count, false)} tokens in ${coverage}, ${bound}`;
  if (bound === null) return `The number of tokens is not known (${coverage})`;
  return `${bound.charAt(0).toUpperCase()}${bound.slice(1)} tokens (${coverage})`;
}

/** True for a sum over some of the shards: what the others hold is not known. An estimate of text is one where shards are not part of it. */
export function isBound(count: CountReport): count is CountReport & { coverage: Coverage } {
  return (
    !count.exact && count.confidence === null && isPartial(count.coverage) && (count.interval[1] === null || !isEstimated(count))
  );
}

function isEstimated({ basis }: CountReport): boolean {
  return basis === 'assumed' || basis === 'sampled';
}

/** A number of an estimate is short, one of headers exact. */
function numberInWords(bound: number, count: CountReport): string {
  return isEstimated(count) ? countInWords(bound, false) : formatCount(bound);
}

/** `at least 1,200` of some of the shards, `at most 5,000` where none could be counted; null where nothing is known. */
export function boundInWords(count: CountReport, inWords = numberInWords): string | null {
  const bound = boundOf(count, inWords);
  return bound === null ? null : `at ${bound.side} ${bound.number}`;
}

/** As `boundInWords`, for where a sign stands for the words. */
export function boundOf(count: CountReport, inWords = numberInWords): { side: 'least' | 'most'; number: string } | null {
  const [low, high] = count.interval;
  if (low > 0) return { side: 'least', number: inWords(low, count) };
  return high === null ? null : { side: 'most', number: inWords(high, count) };
}

/** `1.41 B to 1.63 B`, or that all of the text was tokenized. */
function tokensRange(tokens: CountReport): string {
  const [low, high] = tokens.interval;
  return low === high && tokens.confidence === 1 ? 'all of the text was tokenized' : rangeInWords(tokens);
}

/** `1.41 B to 1.63 B`, `at least 1.41 B`. */
export function rangeInWords({ interval: [low, high] }: Pick<CountReport, 'interval'>): string {
  return high === null ? `at least ${countInWords(low, false)}` : `${countInWords(low, false)} to ${countInWords(high, false)}`;
}

function samplesInWords({ samples, sampleCount, sampleUnit, tokens }: DatasetReport): string {
  if (samples === null) return '';
  const unit = visibleText(sampleUnit);
  if (sampleCount !== null && isBound(sampleCount)) {
    const bound = boundInWords(sampleCount);
    if (bound === null) return '';
    const words = `${bound} ${pluralOf(unit)} (${coverageInWords(sampleCount.coverage)})`;
    return tokens === null ? `; ${words}` : ` in ${words}`;
  }
  const isExact = sampleCount?.exact !== false;
  const words = `${isExact ? '' : 'about '}${countInWords(samples, isExact)} ${samples === 1 ? unit : pluralOf(unit)}`;
  return tokens === null ? `; ${words}` : ` in ${words}`;
}

function storedInWords({ tokenDtype, bytesPerToken, bytes, totalBytes, tokens }: DatasetReport): string {
  const each = bytesPerToken === null ? '' : `, ${bytesPerTokenInWords(bytesPerToken)} each`;
  const dtype = tokenDtype === 'mixed' ? 'integers of several widths' : dtypeInWords(tokenDtype ?? '');
  const rest = totalBytes - (bytes.tokens ?? 0);
  const share = totalBytes === 0 ? 0 : rest / totalBytes;
  const other = share < 0.005 ? '' : ` ${(share * 100).toFixed(0)} % of the bytes are not tokens.`;
  // No header states the width of bare tokens: it is a guess where nothing else does.
  const stored = tokens?.basis === 'assumed' || tokens?.basis === 'sampled' ? 'probably stored' : 'stored';
  return `Tokens are ${stored} as ${dtype}${each}.${other}`;
}

/** `2 bytes`, `1 byte`, `3.50 bytes`. */
export function bytesPerTokenInWords(bytes: number): string {
  const number = bytes.toFixed(bytes % 1 === 0 ? 0 : 2);
  return `${number} byte${number === '1' ? '' : 's'}`;
}

function tokenizedInWords({ text, tokens }: DatasetReport): string {
  if (text === null || text.tokenized.length === 0) return '';
  if (tokens !== null && isBound(tokens) && boundOf(tokens) === null) return '';
  const sizes = text.tokenized.map((size) => `${formatBytes(size.bytes)} (${dtypeInWords(size.dtype)})`);
  const [first] = text.tokenized;
  const isRange = first !== undefined && first.interval[0] !== first.interval[1];
  return `Tokenized it will take ${isRange ? 'about ' : ''}${sizes.join(' or ')}${isRange ? `; ${tokenizedRange(first)}` : ''}.`;
}

/** `1.9 TB to 2.4 TB as uint16`, `at least 1.9 TB as uint16`. */
export function tokenizedRange({ interval: [low, high], dtype }: TokenizedSize): string {
  const range = high === null ? `at least ${formatBytes(low)}` : `${formatBytes(low)} to ${formatBytes(high)}`;
  return `${range} as ${dtypeInWords(dtype)}`;
}
