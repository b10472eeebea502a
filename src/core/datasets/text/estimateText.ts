/** How many tokens raw text has: a sample that is really tokenized where there is a tokenizer, else bytes over bytes per token. */
import { throwIfCancelled } from '../../bytes/formatError.js';
import { between, exactly } from '../counts.js';
import type { CountReport, TextReport, TokenizedSize } from '../datasetReport.js';
import type { Coverage } from '../../findings/evidence.js';
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
  /** True where reading more costs more than the estimate is worth. */
  isReadSpent?: () => boolean;
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
  const filled = corpora.filter(({ span, weightBytes }) => span > 0 && weightBytes > 0);
  const total = sumOf(filled, weightOf);
  if (total === 0) return null;
  const { options } = context;
  const open = filled.filter(({ reachable }) => reachable > 0);
  const isSmall = sumOf(open, weightOf) <= options.wholeBytes && open.every(({ reachable, span }) => reachable === span);
  const windows = needsDraws(filled, tokenizer) ? (isSmall ? allWindows(open, options.seed) : randomWindows(open, options)) : [];
  const draws: Draw[] = [];
  const failed = new Set<string>();
  const endMs = context.now() + options.milliseconds;
  for (const [done, { corpus, from, length }] of windows.entries()) {
    await pause(context);
    if (done >= FEWEST_WINDOWS && context.isReadSpent?.() === true) break;
    context.onSample?.(corpus.path, done, windows.length);
    const draw = await drawOf(corpus, from, length, context);
    if (draw === null) failed.add(corpus.path);
    if (draw === null) continue;
    const { texts, textBytes, documents, covered } = draw;
    const isTimeLeft = tokenizer !== null && context.now() < endMs;
    const tokens = draw.tokens ?? (isTimeLeft ? await countTokens(texts, tokenizer, context) : null);
    draws.push({ weight: (covered / corpus.span) * corpus.weightBytes, textBytes, documents, tokens });
  }
  const sample = {
    corpora: filled,
    draws,
    failed,
    total,
    isWhole: isSmall && open.length === filled.length && failed.size === 0 && draws.length === windows.length,
  };
  return new Sums(sample, options).estimate(tokenizer);
}

/** Fewer say nothing about the spread. */
const FEWEST_WINDOWS = 16;

const weightOf = ({ weightBytes }: TextCorpus): number => weightBytes;

/** Whether text has to be read: not where the formats state its size, and nothing would count its tokens. */
function needsDraws(corpora: readonly TextCorpus[], tokenizer: TextTokenizer | null): boolean {
  const isStated = corpora.every(
    ({ textBytes, documents, isCounted }) => textBytes !== null && (isCounted || documents !== null),
  );
  return tokenizer !== null || !isStated;
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

/** Null for a window in a damaged file, which is reported once. */
async function drawOf(corpus: TextCorpus, from: number, length: number, context: EstimateContext): Promise<TextDraw | null> {
  try {
    return await corpus.draw(from, length, context.signal);
  } catch (error) {
    context.failed(corpus.path, error);
    return null;
  }
}

/** What was drawn, and of what. */
interface TextSample {
  corpora: readonly TextCorpus[];
  draws: readonly Draw[];
  /** Paths of corpora whose text could not be read somewhere. */
  failed: ReadonlySet<string>;
  /** Sum of the weights of all corpora. */
  total: number;
  /** True where every text was read. */
  isWhole: boolean;
}

class Sums {
  private readonly coverage: Coverage;

  constructor(
    private readonly sample: TextSample,
    private readonly options: SamplingOptions,
  ) {
    const paths = new Set(sample.corpora.map(({ path }) => path));
    const unread = new Set(sample.corpora.flatMap(({ path, reachable }) => (reachable === 0 ? [path] : [])));
    for (const path of sample.failed) unread.add(path);
    this.coverage = { counted: paths.size - unread.size, of: paths.size, unit: 'files' };
  }

  estimate(tokenizer: TextTokenizer | null): TextEstimate {
    const bytes = this.textBytes();
    const counted = this.counted(tokenizer, bytes);
    const tokens = counted ?? byRule(bytes);
    const value = tokens.count === 0 ? assumed.value : bytes.count / tokens.count;
    const isCounted = counted !== null;
    const most = tokens.interval[1];
    const bytesPerToken = {
      value,
      low: isCounted && most !== null && most > 0 ? bytes.count / most : assumed.low,
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
    if (this.sample.corpora.every(({ textBytes }) => textBytes !== null))
      return exactly(
        sumOf(this.sample.corpora, ({ textBytes }) => textBytes ?? 0),
        'the size of the text, as the format states it',
        'header',
      );
    if (this.sample.isWhole)
      return exactly(
        sumOf(this.sample.draws, ({ textBytes }) => textBytes),
        'all texts were read',
        'content',
      );
    return this.ratio(({ textBytes }) => textBytes, 'bytes of text in') ?? this.unread();
  }

  private documents(): CountReport | null {
    const own = this.sample.corpora.filter(({ isCounted }) => !isCounted);
    if (own.length === 0) return null;
    if (own.every(({ documents }) => documents !== null))
      return exactly(
        sumOf(own, ({ documents }) => documents ?? 0),
        'all of them were counted',
        'content',
      );
    if (this.sample.isWhole)
      return exactly(
        sumOf(this.sample.draws, ({ documents }) => documents),
        'all of them were read',
        'content',
      );
    return this.ratio(({ documents }) => documents, 'documents in');
  }

  /** Null without a tokenizer, or where it came to nothing in time. */
  private counted(tokenizer: TextTokenizer | null, bytes: CountReport): CountReport | null {
    const how = tokenizer === null ? 'numbers in the records' : `tokenized with ${tokenizer.name}`;
    const counted = this.sample.draws.filter(({ tokens }) => tokens !== null);
    if (counted.length === 0) return null;
    if (this.sample.isWhole && counted.length === this.sample.draws.length) {
      const count = sumOf(counted, ({ tokens }) => tokens ?? 0);
      const documents = sumOf(counted, (draw) => draw.documents);
      return {
        count,
        exact: false,
        interval: [count, count + documents],
        confidence: 1,
        method: `all texts: ${how}; the high end has a token more for each document, as training adds one at its end`,
        basis: 'content',
        coverage: this.coverage,
      };
    }
    const known = bytes.exact ? bytes.count : this.sample.total;
    const samples = counted.map((draw) => ({ y: draw.tokens ?? 0, x: bytes.exact ? draw.textBytes : draw.weight }));
    const estimate = estimateRatio(samples, known, this.options.confidence);
    if (estimate === null) return null;
    const seen = formatBytes(sumOf(counted, ({ textBytes }) => textBytes));
    return this.asCount(estimate, `${seen} of text at ${formatCount(counted.length)} random places: ${how}`);
  }

  /** Null where no text could be read. */
  private ratio(yOf: (draw: Draw) => number, what: string): CountReport | null {
    const samples = this.sample.draws.map((draw) => ({ y: yOf(draw), x: draw.weight }));
    const estimate = estimateRatio(samples, this.sample.total, this.options.confidence);
    if (estimate === null) return null;
    return this.asCount(estimate, `${what} ${formatCount(samples.length)} windows at random places`);
  }

  /** No text could be read at all: it takes up to what the columns take uncompressed. */
  private unread(): CountReport {
    const { total } = this.sample;
    const method = 'uncompressed size of what holds the text: none of it could be read';
    return { ...between([0, total], total, method, 'assumed'), coverage: this.coverage };
  }

  /** What lies behind the reachable beginning of compressed files may differ from it: no confidence can be stated. */
  private asCount({ count, low, high }: RatioEstimate, method: string): CountReport {
    const hidden =
      1 - sumOf(this.sample.corpora, ({ reachable, span, weightBytes }) => (reachable / span) * weightBytes) / this.sample.total;
    const isHidden = hidden > 1e-9 || this.sample.failed.size > 0;
    const margin = isHidden ? count * 0.15 * hidden : 0;
    return {
      count: Math.round(count),
      exact: false,
      interval: [Math.floor(Math.max(0, low - margin)), Math.ceil(high + margin)],
      confidence: isHidden ? null : this.options.confidence,
      method: isHidden ? `${method}, where text can be read: not in the rest of compressed files, nor in damaged ones` : method,
      basis: 'sampled',
      coverage: this.coverage,
    };
  }
}

function byRule({ count, interval, coverage }: CountReport): CountReport {
  const method = `${assumed.value} bytes of text a token, as English has; ${assumed.low} to ${assumed.high} are found`;
  const most = interval[1] === null ? null : Math.ceil(interval[1] / assumed.low);
  return { ...between([Math.floor(interval[0] / assumed.high), most], count / assumed.value, method, 'assumed'), coverage };
}

/** The widths in which these tokens could be stored. */
function tokenizedSizes(tokens: CountReport, tokenizer: TextTokenizer | null): TokenizedSize[] {
  const isSmall = tokenizer === null || tokenizer.vocabularySize <= 65_536;
  const size = (dtype: string, when: string): TokenizedSize => {
    const width = bytesOfElements(dtype, 1) ?? 0;
    const [least, most] = tokens.interval;
    return { dtype, bytes: tokens.count * width, interval: [least * width, most === null ? null : most * width], when };
  };
  return [...(isSmall ? [size('u16', 'vocabularies of at most 65,536 tokens')] : []), size('i32', 'any vocabulary')];
}

function sumOf<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + valueOf(item), 0);
}
