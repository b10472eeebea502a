import { chunkElements, type NumberDecoder } from './numberAccumulator.js';
import { patternBits, patternValues } from './patternValues.js';

/** Numbers of types whose patterns are counted otherwise. @param dtype of those that `patternBits` knows */
export function patternDecoder(dtype: string, isBigEndian: boolean): NumberDecoder {
  const values = patternValues(dtype);
  const unitBytes = (patternBits(dtype) ?? 8) / 8;
  const [upper, lower] = isBigEndian ? [0, 1] : [1, 0];
  const numbers = new Float64Array(chunkElements);
  return {
    unitBytes,
    unitElements: 1,
    precision: 'f64',
    decode(bytes) {
      const count = bytes.byteLength / unitBytes;
      for (let at = 0; at < count; at++) {
        const pattern =
          unitBytes === 1 ? (bytes[at] as number) : ((bytes[2 * at + upper] as number) << 8) | (bytes[2 * at + lower] as number);
        numbers[at] = values[pattern] as number;
      }
      return numbers.subarray(0, count);
    },
  };
}
