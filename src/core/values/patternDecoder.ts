import { chunkElements, type NumberDecoder } from './numberAccumulator.js';
import { aligned } from './patternCounter.js';
import { patternBits, patternValues } from './patternValues.js';

/** Numbers of types whose patterns are counted otherwise. @param dtype of those that `patternBits` knows */
export function patternDecoder(dtype: string, isBigEndian: boolean): NumberDecoder {
  if (dtype === 'bf16' && !isBigEndian) return upperHalves();
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

/** A bfloat16 is the upper half of an f32: no table is looked up. */
function upperHalves(): NumberDecoder {
  const bits = new Uint32Array(chunkElements);
  const numbers = new Float32Array(bits.buffer);
  return {
    unitBytes: 2,
    unitElements: 1,
    precision: 'f32',
    decode(bytes) {
      const own = aligned(bytes, 2);
      const halves = new Uint16Array(own.buffer, own.byteOffset, own.byteLength / 2);
      for (let at = 0; at < halves.length; at++) bits[at] = (halves[at] as number) << 16;
      return numbers.subarray(0, halves.length);
    },
  };
}
