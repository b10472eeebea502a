/** What counts the values of a type. */
import { NumberAccumulator } from './numberAccumulator.js';
import { numberDecoder } from './numberDecoders.js';
import { PatternCounter } from './patternCounter.js';
import { patternBits } from './patternValues.js';
import type { Accumulator } from './valueSummary.js';

/** Types of torch whose stored codes are numbers of another type. */
const codesOf: Readonly<Record<string, string>> = { quint8: 'u8', qint8: 'i8', qint32: 'i32', bits8: 'u8', bits16: 'u16' };

/** What the numbers of a summary are: values of the tensor, or what is stored for them. */
export type ValueBasis = 'values' | 'codes' | 'parts';

/** Undefined for a type whose values are not known. */
export function basisOf(dtype: string): ValueBasis | undefined {
  if (Object.hasOwn(codesOf, dtype)) return 'codes';
  if (dtype === 'c64' || dtype === 'c128') return 'parts';
  return patternBits(dtype) !== undefined || numberDecoder(dtype, false) !== undefined ? 'values' : undefined;
}

/** @param dtype of those that `basisOf` knows */
export function accumulatorOf(dtype: string, isBigEndian: boolean): Accumulator {
  const stored = Object.hasOwn(codesOf, dtype) ? (codesOf[dtype] as string) : dtype;
  const decoder = numberDecoder(stored, isBigEndian);
  return decoder === undefined ? new PatternCounter(stored, isBigEndian) : new NumberAccumulator(decoder);
}
