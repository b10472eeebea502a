/** How many tokens raw text has: a sample that is really tokenized where there is a tokenizer, else bytes over bytes per token. */
import { throwIfCancelled } from '../../bytes/formatError.js';
import { between, exactly } from '../counts.js';
import type { CountReport, TextReport, TokenizedSize } from '../datasetReport.js';
import type { Coverage } from '../../findings/evidence.js';
import { formatBytes, formatCount } from '../../text/units.js';
import { bytesOfElements } from '../../tensors/dtype.js';
import { estimateRatio, type RatioEstimate } from './ratioEstimate.js';
import { scriptMixOf, type ScriptMix } from './scriptMix.js';
import { USUAL_WINDOW_BYTES, type TextCorpus, type TextDraw } from './textCorpus.js';
import type { TextTokenizer } from './tokenizer.js';
import { byUnreadRatio, noWiderThan, sumOfMixes, usualMethod } from './usualEstimate.js';
import { unreadRatio, usualTokens, vocabularyClassOf, type VocabularyClass } from './usualRatios.js';
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
  /** Text that is tokenized: the window with which it is reached is the last one. A count, so that a seed gives the same on any machine. */
  tokenizedBytes: number;
  /** Ends tokenizing earlier, where a user sets it; the result says so. */
  milliseconds: number | null;
  /** Share of cases in which the true number is to lie inside of the interval. */
  confidence: number;
}

export const usualSampling: SamplingOptions = {
  seed: 1,
  wholeBytes: 4 * 1024 * 1024,
  windows: 128,
  windowBytes: USUAL_WINDOW_BYTES,
  tokenizedBytes: 2 * 1024 * 1024,
  milliseconds: null,
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
  /** Of the vocabulary beside the data, where the tokenizer itself cannot be used; null where it is not known. */
  vocabularySize?: number | null;
  /** True where reading more costs more than the estimate is worth. */
  isReadSpent?: () => boolean;
  /** Called for a file whose text cannot be read; throws what is no damage. */
  failed(path: string, error: unknown): void;
  /** Called after each window. */
  onSample?(path: string, done: number, total: number): void;
}

/** What one window gave. */
interface Draw {
  /** Its share of the known quantity that the text is in proportion to. */
  weight: number;
  textBytes: number;
  documents: number;
  /** Null where nothing counted them. */
  tokens: number | null;
  /** Bytes of text by script. */
  mix: ScriptMix;
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
  const isMix = isOnlyMix(filled, tokenizer);
  const all = isSmall ? allWindows(open, options.seed) : undefined;
  const isAll = all !== undefined && (!isMix || all.length <= MIX_WINDOWS);
  const count = isMix ? Math.min(options.windows, MIX_WINDOWS) : options.windows;
  const windows = isAll ? all : randomWindows(open, { ...options, windows: count });
  const draws: Draw[] = [];
  const failed = new Set<string>();
  const limit = new TokenizingLimit(options, context.now);
  for (const [done, { corpus, from, length }] of windows.entries()) {
    await pause(context);
    if (done >= FEWEST_WINDOWS && context.isReadSpent?.() === true) break;
    context.onSample?.(corpus.path, done, windows.length);
    const draw = await drawOf(corpus, from, length, context);
    if (draw === null) failed.add(corpus.path);
    if (draw === null) continue;
    const { texts, textBytes, documents, covered } = draw;
    const tokens =
      draw.tokens ?? (tokenizer !== null && limit.take(textBytes) ? await countTokens(texts, tokenizer, context) : null);
    draws.push({ weight: (covered / corpus.span) * corpus.weightBytes, textBytes, documents, tokens, mix: scriptMixOf(texts) });
  }
  const sample = {
    corpora: filled,
    draws,
    failed,
    total,
    isWhole: isAll && open.length === filled.length && failed.size === 0 && draws.length === windows.length,
    cutSeconds: limit.isCut && options.milliseconds !== null ? options.milliseconds / 1000 : null,
    vocabularySize: tokenizer?.vocabularySize ?? context.vocabularySize ?? null,
  };
  return new Sums(sample, options).estimate(tokenizer);
}

/** Fewer say nothing about the spread. */
const FEWEST_WINDOWS = 16;

const weightOf = ({ weightBytes }: TextCorpus): number => weightBytes;

/** Windows that tell of which scripts text is, where its size is known and nothing counts its tokens. */
const MIX_WINDOWS = 32;

/** True where formats state the size of the text, so that it is only read for its scripts. */
function isOnlyMix(corpora: readonly TextCorpus[], tokenizer: TextTokenizer | null): boolean {
  const isStated = corpora.every(
    ({ textBytes, documents, isCounted }) => textBytes !== null && (isCounted || documents !== null),
  );
  return tokenizer === null && isStated;
}

/** When tokenizing ends: by count, so that it does not depend on the machine; by time only where a user wants it so. */
class TokenizingLimit {
  isCut = false;
  private windows = 0;
  private bytes = 0;
  private readonly endMs: number;

  constructor(
    private readonly options: SamplingOptions,
    private readonly now: () => number,
  ) {
    this.endMs = options.milliseconds === null ? Infinity : now() + options.milliseconds;
  }

  /** True for a window that is still tokenized. Few windows say nothing, but documents of megabytes end it before there are many. */
  take(textBytes: number): boolean {
    const { tokenizedBytes } = this.options;
    const isEnough = this.bytes >= tokenizedBytes && (this.windows >= FEWEST_WINDOWS || this.bytes >= 4 * tokenizedBytes);
    if (isEnough || this.isCut) return false;
    if (this.endMs !== Infinity && this.now() >= this.endMs) this.isCut = true;
    else {
      this.windows += 1;
      this.bytes += textBytes;
    }
    return !this.isCut;
  }
}

/** A window that was begun is finished, also when a limit is reached: else long texts would be missing from the sample. */
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
  /** After how long a user's limit ended tokenizing; null where it did not. */
  cutSeconds: number | null;
  vocabularySize: number | null;
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
    const vocabulary = vocabularyClassOf(this.sample.vocabularySize);
    const usual = this.usual(bytes, vocabulary);
    const sampled = this.counted(tokenizer, bytes);
    const tokens =
      sampled === null ? usual : tokenizer === null ? sampled : noWiderThan(sampled, [usual, this.usual(bytes, 'unknown')]);
    const most = tokens.interval[1];
    const isCounted = sampled !== null;
    const bytesPerToken = {
      value: tokens.count === 0 ? unreadRatio.value : bytes.count / tokens.count,
      low: most !== null && most > 0 ? bytes.count / most : unreadRatio.low,
      high: tokens.interval[0] > 0 ? bytes.count / tokens.interval[0] : unreadRatio.high,
      source: isCounted ? tokens.method : 'measured with published tokenizers, by script and size of vocabulary',
    };
    const text: TextReport = {
      bytes,
      bytesPerToken,
      tokenized: tokenizedSizes(vocabulary, (of) => (isCounted ? tokens : this.usual(bytes, of))),
      tokenizer: isCounted ? (tokenizer?.name ?? null) : null,
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

  /** Tokens as published tokenizers take them, by the scripts of the sampled text. */
  private usual(bytes: CountReport, vocabulary: VocabularyClass): CountReport {
    const seen = this.sample.draws.filter(({ textBytes }) => textBytes > 0);
    const known = bytes.exact ? bytes.count : this.sample.total;
    const of = (bound: 'value' | 'least' | 'most'): RatioEstimate | null =>
      estimateRatio(
        seen.map(({ mix, textBytes, weight }) => ({
          y: usualTokens(mix, vocabulary)[bound],
          x: bytes.exact ? textBytes : weight,
        })),
        known,
        this.options.confidence,
      );
    const [value, least, most] = [of('value'), of('least'), of('most')];
    if (value === null || least === null || most === null) return byUnreadRatio(bytes);
    const method = usualMethod(sumOfMixes(seen.map(({ mix }) => mix)), this.sample.isWhole ? null : seen.length, vocabulary);
    // What was read whole has no error of sampling.
    const range = this.sample.isWhole ? { low: least.count, high: most.count } : { low: least.low, high: most.high };
    const count = this.asCount({ count: value.count, ...range }, method);
    return { ...count, confidence: null, basis: 'assumed' };
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
    const { cutSeconds } = this.sample;
    const cut = cutSeconds === null ? '' : `; cut after ${cutSeconds} s, so another run may give other numbers`;
    return this.asCount(estimate, `${seen} of text at ${formatCount(counted.length)} random places: ${how}${cut}`);
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

/** The widths in which tokens could be stored, each with the tokens of a vocabulary that fits. */
function tokenizedSizes(vocabulary: VocabularyClass, tokensOf: (vocabulary: VocabularyClass) => CountReport): TokenizedSize[] {
  const size = (dtype: string, of: VocabularyClass, when: string): TokenizedSize => {
    const width = bytesOfElements(dtype, 1) ?? 0;
    const { count, interval } = tokensOf(of);
    const [least, most] = interval;
    return { dtype, bytes: count * width, interval: [least * width, most === null ? null : most * width], when };
  };
  const small = size('u16', 'small', 'vocabularies of at most 65,536 tokens');
  if (vocabulary === 'unknown') return [small, size('i32', 'large', 'larger vocabularies')];
  return [...(vocabulary === 'small' ? [small] : []), size('i32', vocabulary, 'any vocabulary')];
}

function sumOf<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + valueOf(item), 0);
}
