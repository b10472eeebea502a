/** A spot check of stored tokens: ids that no vocabulary has, and padding. Some KiB at random places; headers give everything else. */
import type { ByteSource } from '../bytes/byteSource.js';
import { throwIfCancelled } from '../bytes/formatError.js';
import { bytesOfElements } from '../tensors/dtype.js';
import { createRandom } from './text/random.js';

/** A stretch of a file that holds nothing but numbers of one dtype, little-endian: tokens, or an attention mask. */
export interface NumberSpan {
  path: string;
  offset: number;
  bytes: number;
  dtype: string;
  role: 'tokens' | 'mask';
}

export interface TokenSample {
  /** Tokens that were looked at. */
  tokens: number;
  /** True where that were all. */
  isWhole: boolean;
  lowest: number;
  highest: number;
  /** Those that are negative, or not below the size of the vocabulary. */
  outside: number;
  /** Where the first of them lies. */
  firstOutside: { path: string; offset: number } | null;
  /** Those in runs of the padding token; null where it is not known. */
  padding: number | null;
}

export interface MaskSample {
  values: number;
  zeros: number;
}

const WINDOWS = 16;
const WINDOW_BYTES = 4096;
/** Where padding is the same token as the end of a document, a single one is no padding. */
const MIN_RUN = 4;

export interface SpotCheck {
  seed: number;
  vocabularySize: number | null;
  paddingId: number | null;
  open: (path: string) => ByteSource;
  signal: AbortSignal | undefined;
}

/** Null where there are no tokens. @throws FormatError where a file cannot be read */
export async function sampleTokens(spans: readonly NumberSpan[], check: SpotCheck): Promise<TokenSample | null> {
  const sample: TokenSample = {
    tokens: 0,
    isWhole: false,
    lowest: Infinity,
    highest: 0,
    outside: 0,
    firstOutside: null,
    padding: check.paddingId === null ? null : 0,
  };
  sample.isWhole = await eachWindow(spans, 'tokens', check, (numbers, { path, dtype }, offset) => {
    sample.tokens += numbers.length;
    const width = bytesOfElements(dtype, 1) ?? 0;
    numbers.forEach((id, index) => {
      if (id < sample.lowest) sample.lowest = id;
      if (id > sample.highest) sample.highest = id;
      if (check.vocabularySize === null || (id >= 0 && id < check.vocabularySize)) return;
      sample.outside += 1;
      sample.firstOutside ??= { path, offset: offset + index * width };
    });
    if (check.paddingId !== null) sample.padding = (sample.padding ?? 0) + runsOf(numbers, check.paddingId);
  });
  return sample.tokens === 0 ? null : sample;
}

/** Null where there is no mask. @throws FormatError where a file cannot be read */
export async function sampleMask(spans: readonly NumberSpan[], check: SpotCheck): Promise<MaskSample | null> {
  const sample: MaskSample = { values: 0, zeros: 0 };
  await eachWindow(spans, 'mask', check, (numbers) => {
    sample.values += numbers.length;
    for (const value of numbers) if (value === 0) sample.zeros += 1;
  });
  return sample.values === 0 ? null : sample;
}

/**
 * Windows at random places, each number of all spans with the same chance; all of them where they take no more than the windows.
 * @returns whether that were all
 */
async function eachWindow(
  spans: readonly NumberSpan[],
  role: NumberSpan['role'],
  { seed, open, signal }: SpotCheck,
  use: (numbers: Float64Array, span: NumberSpan, offset: number) => void,
): Promise<boolean> {
  const own = spans.filter((span) => span.role === role && span.bytes >= 8 && Object.hasOwn(readers, span.dtype));
  const total = own.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total === 0) return false;
  if (own.length <= WINDOWS && total <= WINDOWS * WINDOW_BYTES) {
    for (const span of own)
      use(numbersOf(await open(span.path).read(span.offset, span.bytes, signal), span.dtype), span, span.offset);
    return own.length === spans.filter((span) => span.role === role).length;
  }
  const random = createRandom(seed);
  let index = 0;
  let before = 0;
  for (let window = 0; window < WINDOWS; window++) {
    throwIfCancelled(signal);
    const point = ((window + random()) / WINDOWS) * total;
    while (index < own.length - 1 && point >= before + (own[index] as NumberSpan).bytes) {
      before += (own[index] as NumberSpan).bytes;
      index += 1;
    }
    const span = own[index] as NumberSpan;
    const width = bytesOfElements(span.dtype, 1) as number;
    const length = Math.floor(Math.min(WINDOW_BYTES, span.bytes) / width) * width;
    const places = Math.floor((span.bytes - length) / width) + 1;
    const offset = span.offset + Math.floor(random() * places) * width;
    use(numbersOf(await open(span.path).read(offset, length, signal), span.dtype), span, offset);
  }
  return false;
}

function numbersOf(bytes: Uint8Array, dtype: string): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = bytesOfElements(dtype, 1) as number;
  const read = readers[dtype] as (view: DataView, at: number) => number;
  return Float64Array.from({ length: Math.floor(bytes.byteLength / width) }, (_, index) => read(view, index * width));
}

const readers: Readonly<Record<string, (view: DataView, at: number) => number>> = {
  u8: (view, at) => view.getUint8(at),
  i8: (view, at) => view.getInt8(at),
  u16: (view, at) => view.getUint16(at, true),
  i16: (view, at) => view.getInt16(at, true),
  u32: (view, at) => view.getUint32(at, true),
  i32: (view, at) => view.getInt32(at, true),
  u64: (view, at) => Number(view.getBigUint64(at, true)),
  i64: (view, at) => Number(view.getBigInt64(at, true)),
};

/** Numbers that are one of at least `MIN_RUN` of `id` in a row. */
function runsOf(numbers: Float64Array, id: number): number {
  let sum = 0;
  let run = 0;
  for (let index = 0; index <= numbers.length; index++) {
    if (index < numbers.length && numbers[index] === id) {
      run += 1;
      continue;
    }
    if (run >= MIN_RUN) sum += run;
    run = 0;
  }
  return sum;
}
