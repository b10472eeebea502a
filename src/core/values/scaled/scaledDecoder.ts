/** Decoders of packed values of 4 bits and of floats of 8 bits with what gives their scales. */
import { decodeText } from '../../bytes/text.js';
import { jsonValue } from '../../formats/text/jsonValue.js';
import { memberOf } from '../../formats/text/jsonMember.js';
import { e2m1 } from '../e2m1.js';
import { chunkElements, type NumberDecoder } from '../numberAccumulator.js';
import { aligned } from '../patternCounter.js';
import { patternBits, patternValues } from '../patternValues.js';
import { scaleFinder } from './scaleGrid.js';
import type { Scaling, ScaleUse } from './scaling.js';

/** The bytes of the parts of a scaling, by their use. */
export type ScaleBytes = ReadonlyMap<ScaleUse, Uint8Array>;

/** The scale of a unit by its number in the tensor. */
type ScaleOf = (unit: number) => number;

/** Undefined where the parts do not fit: then what is stored are codes. */
export function scaledDecoder(scaling: Scaling, bytes: ScaleBytes): NumberDecoder | undefined {
  const scales = bytes.get('scales');
  switch (scaling.kind) {
    case 'mxfp4':
      return scales && pairDecoder(32, tableScales(scales, patternValues('f8_e8m0')), e2m1, 'lower');
    case 'nvfp4': {
      const factor = floats(bytes.get('factor'))?.[0] ?? 1;
      const divisor = floats(bytes.get('divisor'))?.[0] ?? 1;
      const table = patternValues('f8_e4m3').map((scale) => Math.fround(Math.fround(scale * factor) / divisor));
      return scales && pairDecoder(16, tableScales(scales, table), e2m1, 'lower');
    }
    case 'bitsandbytes':
      return mappedDecoder(stateOf(bytes.get('state')), bytes);
    case 'f8':
      return scales && floatDecoder(scaling, numbersOf(scales, scaling.parts[0].dtype));
  }
}

/** Products are rounded to f32, which they are exactly where the scale has fewer bits. */
function floatDecoder({ dtype, grid }: Extract<Scaling, { kind: 'f8' }>, scales: ArrayLike<number>): NumberDecoder {
  const values = patternValues(dtype);
  const find = scaleFinder(grid);
  const out = new Float32Array(chunkElements);
  return {
    unitBytes: 1,
    unitElements: 1,
    precision: 'f32',
    decode(bytes, unitsBefore) {
      for (let at = 0; at < bytes.byteLength;) {
        const { scale, count } = find(unitsBefore + at);
        const factor = scales[scale] ?? NaN;
        const end = Math.min(bytes.byteLength, at + count);
        for (; at < end; at++) out[at] = (values[bytes[at] as number] as number) * factor;
      }
      return out.subarray(0, bytes.byteLength);
    },
  };
}

/** Of f32, or of a type whose patterns are known. */
function numbersOf(bytes: Uint8Array, dtype: string): ArrayLike<number> {
  if (dtype === 'f32') return floats(bytes) ?? [];
  const values = patternValues(dtype);
  const own = aligned(bytes);
  const patterns = patternBits(dtype) === 8 ? own : new Uint16Array(own.buffer, own.byteOffset, own.byteLength >> 1);
  return Float64Array.from(patterns, (pattern) => values[pattern] as number);
}

function tableScales(codes: Uint8Array, table: ArrayLike<number>): ScaleOf {
  return (unit) => table[codes[unit] ?? -1] ?? NaN;
}

function floats(bytes: Uint8Array | undefined): Float32Array | undefined {
  const own = bytes && aligned(bytes);
  return own && new Float32Array(own.buffer, own.byteOffset, Math.floor(own.byteLength / 4));
}

/** @param first which half of a byte has the first value of a pair */
function pairDecoder(elements: number, scaleOf: ScaleOf, values: ArrayLike<number>, first: 'lower' | 'upper'): NumberDecoder {
  const out = new Float32Array(chunkElements);
  const half = first === 'lower' ? 0 : 1;
  const unitBytes = elements / 2;
  return {
    unitBytes,
    unitElements: elements,
    precision: 'f32',
    decode(bytes, unitsBefore) {
      for (let from = 0, unit = unitsBefore; from < bytes.byteLength; from += unitBytes, unit++) {
        const scale = scaleOf(unit);
        for (let at = from; at < from + unitBytes; at++) {
          const pair = bytes[at] as number;
          out[2 * at + half] = (values[pair & 15] as number) * scale;
          out[2 * at + 1 - half] = (values[pair >> 4] as number) * scale;
        }
      }
      return out.subarray(0, 2 * bytes.byteLength);
    },
  };
}

/** What bitsandbytes writes of a tensor beside it, as JSON. */
interface MappedState {
  blockSize: number;
  nestedBlockSize: number;
  nestedOffset: number;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return jsonValue(decodeText(bytes));
  } catch {
    return undefined;
  }
}

function stateOf(bytes: Uint8Array | undefined): MappedState | undefined {
  const root = bytes && parsed(bytes);
  const numberAt = (key: string): number | undefined => {
    const value = memberOf(root, key);
    return typeof value === 'number' ? value : undefined;
  };
  const blockSize = numberAt('blocksize');
  // Powers of two from 32 on (functional.py, quantize_4bit).
  if (blockSize === undefined || ![32, 64, 128, 256, 512, 1024, 2048, 4096].includes(blockSize)) return undefined;
  return {
    blockSize,
    nestedBlockSize: numberAt('nested_blocksize') ?? 0,
    nestedOffset: Math.fround(numberAt('nested_offset') ?? 0),
  };
}

/** Codes of a table of 16 values with the largest magnitude of each block, which may be quantized itself. The first is in the upper half of a byte. */
function mappedDecoder(state: MappedState | undefined, bytes: ScaleBytes): NumberDecoder | undefined {
  const map = floats(bytes.get('map'));
  const absmax = bytes.get('absmax');
  if (state === undefined || map?.length !== 16 || absmax === undefined) return undefined;
  const { blockSize, nestedBlockSize, nestedOffset } = state;
  const nestedMap = floats(bytes.get('nestedMap'));
  if (nestedMap === undefined) {
    const scales = floats(absmax);
    return pairDecoder(blockSize, (unit) => scales?.[unit] ?? NaN, map, 'upper');
  }
  const nestedAbsmax = floats(bytes.get('nestedAbsmax'));
  if (nestedAbsmax === undefined || nestedBlockSize < 1 || nestedMap.length !== 256) return undefined;
  const scaleOf: ScaleOf = (unit) => {
    const code = nestedMap[absmax[unit] ?? -1] ?? NaN;
    const scale = nestedAbsmax[Math.floor(unit / nestedBlockSize)] ?? NaN;
    return Math.fround(Math.fround(code * scale) + nestedOffset);
  };
  return pairDecoder(blockSize, scaleOf, map, 'upper');
}
