/** Decoders of numbers of 32 and 64 bits. */
import { chunkElements, type NumberDecoder } from './numberAccumulator.js';
import { e2m1 } from './e2m1.js';
import { aligned } from './patternCounter.js';

export function isNumberType(dtype: string): boolean {
  return Object.hasOwn(creators, dtype);
}

/** Decoder of a type; undefined for others. */
export function numberDecoder(dtype: string, isBigEndian: boolean): NumberDecoder | undefined {
  const create = Object.hasOwn(creators, dtype) ? creators[dtype] : undefined;
  if (create === undefined) return undefined;
  const decoder = create();
  if (!isBigEndian) return decoder;
  const { unitBytes, integerAt, restsOf } = decoder;
  const width = unitBytes / decoder.unitElements;
  return {
    ...decoder,
    decode: (bytes, before) => decoder.decode(swapped(bytes, width), before),
    ...(integerAt && {
      integerAt: (bytes, at) => integerAt(swapped(bytes.subarray(at * unitBytes, (at + 1) * unitBytes), width), 0),
    }),
    ...(restsOf && { restsOf: (bytes) => restsOf(swapped(bytes, width)) }),
  };
}

type WordsConstructor = new (buffer: ArrayBufferLike, byteOffset: number, length: number) => Int32Array | Uint32Array;

const f32 = (unitElements = 1): NumberDecoder => ({
  unitBytes: 4 * unitElements,
  unitElements,
  precision: 'f32',
  decode(bytes) {
    const own = aligned(bytes);
    return new Float32Array(own.buffer, own.byteOffset, own.byteLength / 4);
  },
});

const f64 = (unitElements = 1): NumberDecoder => ({
  unitBytes: 8 * unitElements,
  unitElements,
  precision: 'f64',
  decode(bytes) {
    const own = aligned(bytes, 8);
    return new Float64Array(own.buffer, own.byteOffset, own.byteLength / 8);
  },
});

const integers32 = (Words: WordsConstructor): NumberDecoder => {
  const numbers = new Float64Array(chunkElements);
  return {
    unitBytes: 4,
    unitElements: 1,
    precision: 'f64',
    decode(bytes) {
      const own = aligned(bytes);
      const words = new Words(own.buffer, own.byteOffset, own.byteLength / 4);
      for (let at = 0; at < words.length; at++) numbers[at] = words[at] as number;
      return numbers.subarray(0, words.length);
    },
  };
};

/** The nearest double of those above 2^53. */
const integers64 = (Words: WordsConstructor): NumberDecoder => {
  const numbers = new Float64Array(chunkElements);
  const wordsOf = (bytes: Uint8Array): { lower: Uint32Array; upper: Int32Array | Uint32Array } => {
    const { buffer, byteOffset, byteLength } = aligned(bytes);
    return {
      lower: new Uint32Array(buffer, byteOffset, byteLength / 4),
      upper: new Words(buffer, byteOffset, byteLength / 4),
    };
  };
  return {
    unitBytes: 8,
    unitElements: 1,
    precision: 'f64',
    integerAt(bytes, at) {
      const view = new DataView(bytes.buffer, bytes.byteOffset + 8 * at, 8);
      return Words === Int32Array ? view.getBigInt64(0, true) : view.getBigUint64(0, true);
    },
    restsOf(bytes) {
      const { lower, upper } = wordsOf(bytes);
      return Float64Array.from({ length: lower.length / 2 }, (_, at) => {
        const [high, low] = [(upper[2 * at + 1] as number) * 4_294_967_296, lower[2 * at] as number];
        const rounded = high + low;
        const part = rounded - high;
        return high - (rounded - part) + (low - part);
      });
    },
    decode(bytes) {
      const { lower, upper } = wordsOf(bytes);
      const elements = lower.length / 2;
      for (let at = 0; at < elements; at++)
        numbers[at] = (upper[2 * at + 1] as number) * 4_294_967_296 + (lower[2 * at] as number);
      return numbers.subarray(0, elements);
    },
  };
};

/** Two in a byte, the first in the lower half. */
const pairs = (values: readonly number[]): NumberDecoder => {
  const numbers = new Float32Array(chunkElements);
  return {
    unitBytes: 1,
    unitElements: 2,
    precision: 'f32',
    decode(bytes) {
      for (let at = 0; at < bytes.byteLength; at++) {
        const pair = bytes[at] as number;
        numbers[2 * at] = values[pair & 15] as number;
        numbers[2 * at + 1] = values[pair >> 4] as number;
      }
      return numbers.subarray(0, 2 * bytes.byteLength);
    },
  };
};

const unsigned4 = Array.from({ length: 16 }, (_, code) => code);

const creators: Readonly<Record<string, () => NumberDecoder>> = {
  f32: () => f32(),
  f64: () => f64(),
  i32: () => integers32(Int32Array),
  u32: () => integers32(Uint32Array),
  i64: () => integers64(Int32Array),
  u64: () => integers64(Uint32Array),
  // Real and imaginary parts, one after the other.
  c64: () => f32(2),
  c128: () => f64(2),
  f4: () => pairs(e2m1),
  f4_e2m1_x2: () => pairs(e2m1),
  quint4x2: () => pairs(unsigned4),
};

function swapped(bytes: Uint8Array, width: number): Uint8Array {
  const copy = new Uint8Array(bytes);
  for (let at = 0; at + width <= copy.byteLength; at += width) copy.subarray(at, at + width).reverse();
  return copy;
}
