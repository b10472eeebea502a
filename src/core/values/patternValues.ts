/**
 * The value of every bit pattern of 8 and 16 bits. Sources: IEEE 754 (f16), bfloat16 as the upper half of f32, OCP 8-bit floating point
 * specification 1.0 (E4M3 without infinities, E5M2), its microscaling specification 1.0 (E8M0), and for the FNUZ types "8-bit Numerical Formats
 * for Deep Neural Networks" (arXiv 2206.02915): no infinities, no negative zero, whose pattern is NaN, and a bias larger by one.
 */

/** A binary floating-point type of at most 16 bits. */
interface SmallFloat {
  exponentBits: number;
  mantissaBits: number;
  bias: number;
  /** What the largest exponent means: infinities and NaN (IEEE), NaN only with all bits set, or numbers, where the pattern of -0 is the one NaN. */
  special: 'ieee' | 'all-ones' | 'negative-zero';
}

const smallFloats: Readonly<Record<string, SmallFloat>> = {
  f16: { exponentBits: 5, mantissaBits: 10, bias: 15, special: 'ieee' },
  bf16: { exponentBits: 8, mantissaBits: 7, bias: 127, special: 'ieee' },
  f8_e5m2: { exponentBits: 5, mantissaBits: 2, bias: 15, special: 'ieee' },
  f8_e4m3: { exponentBits: 4, mantissaBits: 3, bias: 7, special: 'all-ones' },
  f8_e4m3fnuz: { exponentBits: 4, mantissaBits: 3, bias: 8, special: 'negative-zero' },
  f8_e5m2fnuz: { exponentBits: 5, mantissaBits: 2, bias: 16, special: 'negative-zero' },
};

const integers: Readonly<Record<string, (pattern: number) => number>> = {
  u8: (pattern) => pattern,
  i8: (pattern) => (pattern << 24) >> 24,
  u16: (pattern) => pattern,
  i16: (pattern) => (pattern << 16) >> 16,
  // Any byte but 0 is true.
  bool: (pattern) => (pattern === 0 ? 0 : 1),
  f8_e8m0: (pattern) => (pattern === 0xff ? NaN : 2 ** (pattern - 127)),
};

/** Bits of a type whose patterns are counted; undefined for others. */
export function patternBits(dtype: string): 8 | 16 | undefined {
  const float = Object.hasOwn(smallFloats, dtype) ? smallFloats[dtype] : undefined;
  if (float !== undefined) return 1 + float.exponentBits + float.mantissaBits === 16 ? 16 : 8;
  if (!Object.hasOwn(integers, dtype)) return undefined;
  return dtype.endsWith('16') ? 16 : 8;
}

const tables = new Map<string, Float64Array>();

/** The values of all patterns of a type that `patternBits` knows. */
export function patternValues(dtype: string): Float64Array {
  const known = tables.get(dtype);
  if (known !== undefined) return known;
  const float = smallFloats[dtype];
  const valueOf = float === undefined ? integers[dtype] : (pattern: number) => smallFloatValue(pattern, float);
  const values = Float64Array.from({ length: 1 << (patternBits(dtype) ?? 0) }, (_, pattern) => valueOf?.(pattern) ?? NaN);
  tables.set(dtype, values);
  return values;
}

function smallFloatValue(pattern: number, { exponentBits, mantissaBits, bias, special }: SmallFloat): number {
  const signPattern = 1 << (exponentBits + mantissaBits);
  const sign = pattern >= signPattern ? -1 : 1;
  const magnitude = pattern & (signPattern - 1);
  const exponent = magnitude >> mantissaBits;
  const mantissa = magnitude & ((1 << mantissaBits) - 1);
  if (special === 'negative-zero' && pattern === signPattern) return NaN;
  if (special === 'all-ones' && magnitude === signPattern - 1) return NaN;
  if (special === 'ieee' && exponent === (1 << exponentBits) - 1) return mantissa === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * mantissa * 2 ** (1 - bias - mantissaBits);
  return sign * ((1 << mantissaBits) + mantissa) * 2 ** (exponent - bias - mantissaBits);
}

/** The patterns of a type in order. */
export interface PatternOrder {
  /** Those of finite values in ascending order, then the others. */
  patterns: Uint16Array;
  /** Of each pattern its place among them. */
  ranks: Uint16Array;
  /** How many are finite. */
  finite: number;
}

const orders = new Map<string, PatternOrder>();

/** The order of the patterns of a type that `patternBits` knows. */
export function patternOrder(dtype: string): PatternOrder {
  const known = orders.get(dtype);
  if (known !== undefined) return known;
  const values = patternValues(dtype);
  const isFinite = (pattern: number): boolean => Number.isFinite(values[pattern]);
  const all = Uint16Array.from(values.keys());
  const finite = all.filter(isFinite).sort((a, b) => (values[a] as number) - (values[b] as number));
  const patterns = Uint16Array.from([...finite, ...all.filter((pattern) => !isFinite(pattern))]);
  const ranks = new Uint16Array(patterns.length);
  for (let rank = 0; rank < patterns.length; rank++) ranks[patterns[rank] as number] = rank;
  const order = { patterns, ranks, finite: finite.length };
  orders.set(dtype, order);
  return order;
}
