/** How many tokens raw text has: a sample that is really tokenized where there is a tokenizer, else bytes over bytes per token. */
import { throwIfCancelled } from '../../bytes/formatError.js';
import type { CountReport, TextReport, TokenizedSize } from '../datasetReport.js';
import { formatBytes, formatCount } from '../../text/units.js';
import { bytesOfElements } from '../../tensors/dtype.js';
import { estimateRatio, type RatioEstimate } from './ratioEstimate.js';
import { USUAL_WINDOW_BYTES, type TextCorpus, type TextDraw } from './textCorpus.js';
import type { TextTokenizer } from './tokenizer.js';
import { allWindows, randomWindows } from './windows.js';

export interface SamplingOptions {
  /** Draws the same windows for the same seed. */
  seed: number;
  /** Text up to this size is looked at as a whole. */
  wholeBytes: number;
  /** Windows that are drawn of larger text. */
  windows: number;
  /** Text in each. */
  windowBytes: number;
  /** How long windows are tokenized; what was not reached is not part of the sample. */
  milliseconds: number;
  /** Share of cases in which the true number is to lie inside of the interval. */
  confidence: number;
}

export const usualSampling: SamplingOptions = {
  seed: 1,
  wholeBytes: 4 * 1024 * 1024,
  windows: 128,
  windowBytes: USUAL_WINDOW_BYTES,
  milliseconds: 3000,
  confidence: 0.95,
};

export interface TextEstimate {
  text: TextReport;
  tokens: CountReport;
  /** Null where all documents are counted elsewhere, or the text has none. */
  samples: CountReport | null;
}

export interface EstimateContext {
  options: SamplingOptions;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
  /** Lets other work run; between windows, so that a user can cancel. */
  pause: () => Promise<void>;
  signal: AbortSignal | undefined;
  /** Called for a file whose text cannot be read; throws what is no damage. */
  failed(path: string, error: unknown): void;
  /** Called after each window. */
  onSample?(path: string, done: number, total: number): void;
}

/** Bytes of text for each token where there is no tokenizer, and between what they are found. */
const assumed = { value: 4, low: 2, high: 6.5 };

/** What one window gave. */
interface Draw {
  /** Its share of the known quantity that the text is in proportion to. */
  weight: number;
  textBytes: number;
  documents: number;
  /** Null where time was up. */
  tokens: number | null;
}

/** Null where there is no text at all. */
export async function estimateText(
  corpora: readonly TextCorpus[],
  tokenizer: TextTokenizer | null,
  context: EstimateContext,
): Promise<TextEstimate | null> {
  const open = corpora.filter(({ reachable, span, weightBytes }) => reachable > 0 && span > 0 && weightBytes > 0);
  const total = open.reduce((sum, { weightBytes }) => sum + weightBytes, 0);
  if (total === 0) return null;
  const { options } = context;
  const isWhole = total <= options.wholeBytes && open.every(({ reachable, span }) => reachable === span);
  const windows = isWhole ? allWindows(open, options.seed) : randomWindows(open, options);
  const draws: Draw[] = [];
  const endMs = context.now() + options.milliseconds;
  for (const [done, { corpus, from, length }] of windows.entries()) {
    await pause(context);
    context.onSample?.(corpus.path, done, windows.length);
    const draw = await drawOf(corpus, from, length, context);
    if (draw === null) continue;
    const { texts, textBytes, documents, covered } = draw;
    const isTimeLeft = tokenizer !== null && context.now() < endMs;
    const tokens = draw.tokens ?? (isTimeLeft ? await countTokens(texts, tokenizer, context) : null);
    draws.push({ weight: (covered / corpus.span) * corpus.weightBytes, textBytes, documents, tokens });
  }
  return new Sums(open, draws, total, isWhole, options).estimate(tokenizer);
}

/** A window that was begun is finished, also when time is up: else long texts would be missing from the sample. */
async function countTokens(texts: readonly string[], tokenizer: TextTokenizer, context: EstimateContext): Promise<number> {
  let sum = 0;
  for (const text of texts) {
    await pause(context);
    sum += tokenizer.count(text);
  }
  return sum;
}

async function pause(context: EstimateContext): Promise<void> {
  await context.pause();
  throwIfCancelled(context.signal);
}

/** Null for a window in a damaged file, which is told once. */
async function drawOf(corpus: TextCorpus, from: number, length: number, context: EstimateContext): Promise<TextDraw | null> {
  try {
    return await corpus.draw(from, length, context.signal);
  } catch (error) {
    context.failed(corpus.path, error);
    return null;
  }
}

class Sums {
  constructor(
    private readonly corpora: readonly TextCorpus[],
    private readonly draws: readonly Draw[],
    private readonly total: number,
    private readonly isWhole: boolean,
    private readonly options: SamplingOptions,
  ) {}

  estimate(tokenizer: TextTokenizer | null): TextEstimate {
    const bytes = this.textBytes();
    const counted = this.counted(tokenizer, bytes);
    const tokens = counted ?? byRule(bytes);
    const value = tokens.count === 0 ? assumed.value : bytes.count / tokens.count;
    const isCounted = tokens.confidence !== null;
    const bytesPerToken = {
      value,
      low: isCounted && tokens.interval[1] > 0 ? bytes.count / tokens.interval[1] : assumed.low,
      high: isCounted && tokens.interval[0] > 0 ? bytes.count / tokens.interval[0] : assumed.high,
      source: isCounted ? tokens.method : 'experience: English takes about 4 bytes a token, code 3, other languages 2 to 6',
    };
    const text: TextReport = {
      bytes,
      bytesPerToken,
      tokenized: tokenizedSizes(tokens, tokenizer),
      tokenizer: counted === null ? null : (tokenizer?.name ?? null),
      tokenizerError: null,
    };
    return { text, tokens, samples: this.documents() };
  }

  /** Text in UTF-8, without the framing around it. */
  private textBytes(): CountReport {
    if (this.corpora.every(({ textBytes }) => textBytes !== null))
      return exactly(
        sumOf(this.corpora, ({ textBytes }) => textBytes ?? 0),
        'the size of the text, as the format states it',
      );
    if (this.isWhole)
      return exactly(
        sumOf(this.draws, ({ textBytes }) => textBytes),
        'all texts were read',
      );
    return this.ratio(({ textBytes }) => textBytes, 'bytes of text in');
  }

  private documents(): CountReport | null {
    const own = this.corpora.filter(({ isCounted }) => !isCounted);
    if (own.length === 0) return null;
    if (own.every(({ documents }) => documents !== null))
      return exactly(
        sumOf(own, ({ documents }) => documents ?? 0),
        'all of them were counted',
      );
    if (this.isWhole)
      return exactly(
        sumOf(this.draws, ({ documents }) => documents),
        'all of them were read',
      );
    return this.ratio(({ documents }) => documents, 'documents in');
  }

  /** Null without a tokenizer, or where it came to nothing in time. */
  private counted(tokenizer: TextTokenizer | null, bytes: CountReport): CountReport | null {
    const how = tokenizer === null ? 'numbers in the records' : `tokenized with ${tokenizer.name}`;
    const counted = this.draws.filter(({ tokens }) => tokens !== null);
    if (counted.length === 0) return null;
    if (this.isWhole && counted.length === this.draws.length) {
      const count = sumOf(counted, ({ tokens }) => tokens ?? 0);
      const documents = sumOf(counted, (draw) => draw.documents);
      return {
        count,
        exact: false,
        interval: [count, count + documents],
        confidence: 1,
        method: `all texts: ${how}; the high end has a token more for each document, as training adds one at its end`,
      };
    }
    const known = bytes.exact ? bytes.count : this.total;
    const samples = counted.map((draw) => ({ y: draw.tokens ?? 0, x: bytes.exact ? draw.textBytes : draw.weight }));
    const estimate = estimateRatio(samples, known, this.options.confidence);
    if (estimate === null) return null;
    const seen = formatBytes(sumOf(counted, ({ textBytes }) => textBytes));
    return this.asCount(estimate, `${seen} of text at ${formatCount(counted.length)} random places: ${how}`);
  }

  private ratio(yOf: (draw: Draw) => number, what: string): CountReport {
    const samples = this.draws.map((draw) => ({ y: yOf(draw), x: draw.weight }));
    const estimate = estimateRatio(samples, this.total, this.options.confidence) ?? { count: 0, low: 0, high: 0 };
    return this.asCount(estimate, `${what} ${formatCount(samples.length)} windows at random places`);
  }

  /** What lies behind the reachable beginning of compressed files may differ from it: no confidence can be stated. */
  private asCount({ count, low, high }: RatioEstimate, method: string): CountReport {
    const hidden = 1 - sumOf(this.corpora, ({ reachable, span, weightBytes }) => (reachable / span) * weightBytes) / this.total;
    const isHidden = hidden > 1e-9;
    const margin = isHidden ? count * 0.15 * hidden : 0;
    return {
      count: Math.round(count),
      exact: false,
      interval: [Math.floor(Math.max(0, low - margin)), Math.ceil(high + margin)],
      confidence: isHidden ? null : this.options.confidence,
      method: isHidden ? `${method}, within the beginnings of the compressed files` : method,
    };
  }
}

function byRule({ count, interval }: CountReport): CountReport {
  return {
    count: Math.round(count / assumed.value),
    exact: false,
    interval: [Math.floor(interval[0] / assumed.high), Math.ceil(interval[1] / assumed.low)],
    confidence: null,
    method: `${assumed.value} bytes of text a token, as English has; ${assumed.low} to ${assumed.high} are found`,
  };
}

/** The widths in which these tokens could be stored. */
function tokenizedSizes(tokens: CountReport, tokenizer: TextTokenizer | null): TokenizedSize[] {
  const isSmall = tokenizer === null || tokenizer.vocabularySize <= 65_536;
  const size = (dtype: string, when: string): TokenizedSize => {
    const width = bytesOfElements(dtype, 1) ?? 0;
    return { dtype, bytes: tokens.count * width, interval: [tokens.interval[0] * width, tokens.interval[1] * width], when };
  };
  return [...(isSmall ? [size('u16', 'vocabularies of at most 65,536 tokens')] : []), size('i32', 'any vocabulary')];
}

function exactly(count: number, method: string): CountReport {
  return { count, exact: true, interval: [count, count], confidence: 1, method };
}

function sumOf<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + valueOf(item), 0);
}
