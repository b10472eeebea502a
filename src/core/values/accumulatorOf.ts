/** What counts the values of a type. */
import { blockDecoder, isBlockType } from './blocks/blockDecoder.js';
import { NumberAccumulator, type NumberDecoder } from './numberAccumulator.js';
import { isNumberType, numberDecoder } from './numberDecoders.js';
import { PatternCounter } from './patternCounter.js';
import { patternDecoder } from './patternDecoder.js';
import { patternBits } from './patternValues.js';
import type { Accumulator } from './valueSummary.js';

/** Types of torch whose stored codes are numbers of another type. */
const codesOf: Readonly<Record<string, string>> = { quint8: 'u8', qint8: 'i8', qint32: 'i32', bits8: 'u8', bits16: 'u16' };

/** Of 4 bits: their scales are tensors of their own. */
const pairTypes: ReadonlySet<string> = new Set(['f4', 'f4_e2m1_x2', 'quint4x2']);

/** What the numbers of a summary are: values of the tensor, or what is stored for them. */
export type ValueBasis = 'values' | 'codes' | 'parts';

/** Undefined for a type whose values are not known. Blocks with the most significant byte first are none of them. */
export function basisOf(dtype: string, isBigEndian = false): ValueBasis | undefined {
  if (Object.hasOwn(codesOf, dtype) || pairTypes.has(dtype)) return 'codes';
  if (dtype === 'c64' || dtype === 'c128') return 'parts';
  if (isBlockType(dtype)) return isBigEndian ? undefined : 'values';
  return patternBits(dtype) !== undefined || isNumberType(dtype) ? 'values' : undefined;
}

/** Bytes that are decoded together. @param dtype of those that `basisOf` knows */
export function unitBytesOf(dtype: string): number {
  return decoderOf(dtype, false).unitBytes;
}

/** What makes numbers of whole units. @param dtype of those that `basisOf` knows */
export function decoderOf(dtype: string, isBigEndian: boolean): NumberDecoder {
  const stored = storedType(dtype);
  return numberDecoder(stored, isBigEndian) ?? blockDecoder(stored) ?? patternDecoder(stored, isBigEndian);
}

function storedType(dtype: string): string {
  return Object.hasOwn(codesOf, dtype) ? (codesOf[dtype] as string) : dtype;
}

/** @param dtype of those that `basisOf` knows */
export function accumulatorOf(dtype: string, isBigEndian: boolean): Accumulator {
  const stored = storedType(dtype);
  const decoder = numberDecoder(stored, isBigEndian) ?? blockDecoder(stored);
  return decoder === undefined ? new PatternCounter(stored, isBigEndian) : new NumberAccumulator(decoder);
}
