/** ggml's blocks of 32 values with one scale, and in some a least value: codes of 4, 5 and 8 bits (block structs of ggml-common.h, dequantize_row_* of ggml-quants.c). */
import { e2m1 } from '../e2m1.js';
import { halfAt, signedAt, word32, type BlockType } from './blockType.js';

const ELEMENTS = 32;

/**
 * Codes of 4 bits, the lower halves of all bytes before the upper ones, and of 5 with the fifth bits together in front of them.
 * @param least of the smallest code, in scales; null where the block has a least value of its own
 */
function codesOf(codeBits: 4 | 5, least: number | null): BlockType {
  const headerBytes = least === null ? 4 : 2;
  const codesAt = headerBytes + (codeBits === 5 ? 4 : 0);
  return {
    elements: ELEMENTS,
    bytes: codesAt + ELEMENTS / 2,
    decode(bytes, at, out, to) {
      const scale = halfAt(bytes, at);
      const minimum = least === null ? halfAt(bytes, at + 2) : 0;
      const upper = codeBits === 5 ? word32(bytes, at + headerBytes) : 0;
      for (let index = 0; index < ELEMENTS; index++) {
        const pair = bytes[at + codesAt + (index & 15)] as number;
        const code = (index < 16 ? pair & 15 : pair >> 4) | (((upper >>> index) & 1) << 4);
        // As floats: the product is rounded before the sum.
        out[to + index] = Math.fround(scale * (code + (least ?? 0))) + minimum;
      }
    },
  };
}

/** Codes of 4 bits that stand for values of a table. */
function tableCodes(values: readonly number[], scaleBytes: 1 | 2): BlockType {
  return {
    elements: ELEMENTS,
    bytes: scaleBytes + ELEMENTS / 2,
    decode(bytes, at, out, to) {
      const scale = scaleBytes === 2 ? halfAt(bytes, at) : halfPowerOfTwo(bytes[at] as number);
      for (let index = 0; index < ELEMENTS; index++) {
        const pair = bytes[at + scaleBytes + (index & 15)] as number;
        out[to + index] = scale * (values[index < 16 ? pair & 15 : pair >> 4] as number);
      }
    },
  };
}

/** Half of the number that an exponent byte of a microscaling format stands for; no pattern is NaN here (ggml_e8m0_to_fp32_half). */
function halfPowerOfTwo(exponent: number): number {
  return 2 ** (exponent - 128);
}

/** Values of IQ4_NL (kvalues_iq4nl of ggml-common.h). */
export const unevenValues = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];

/** ggml has twice the values, and half the scales. */
const doubledE2m1 = e2m1.map((value) => value * 2);

const bytesWithScale: BlockType = {
  elements: ELEMENTS,
  bytes: 2 + ELEMENTS,
  decode(bytes, at, out, to) {
    const scale = halfAt(bytes, at);
    for (let index = 0; index < ELEMENTS; index++) out[to + index] = scale * signedAt(bytes, at + 2 + index);
  },
};

/** 64 values with an unsigned E4M3 scale for each 16. */
const nvfp4: BlockType = {
  elements: 64,
  bytes: 36,
  decode(bytes, at, out, to) {
    for (let index = 0; index < 64; index++) {
      const group = index >> 4;
      const pair = bytes[at + 4 + group * 8 + (index & 7)] as number;
      const code = (index & 8) === 0 ? pair & 15 : pair >> 4;
      out[to + index] = unsignedE4m3(bytes[at + group] as number) * 0.5 * (doubledE2m1[code] as number);
    }
  },
};

/** Without NaN: its pattern is 0 (ggml_ue4m3_to_fp32). */
function unsignedE4m3(pattern: number): number {
  if (pattern === 0x7f) return 0;
  const exponent = (pattern >> 3) & 15;
  const mantissa = pattern & 7;
  return exponent === 0 ? mantissa * 2 ** -9 : (8 + mantissa) * 2 ** (exponent - 10);
}

export const smallBlocks: Readonly<Record<string, BlockType>> = {
  q4_0: codesOf(4, -8),
  q4_1: codesOf(4, null),
  q5_0: codesOf(5, -16),
  q5_1: codesOf(5, null),
  q8_0: bytesWithScale,
  iq4_nl: tableCodes(unevenValues, 2),
  mxfp4: tableCodes(doubledE2m1, 1),
  nvfp4,
};
