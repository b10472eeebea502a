/** ggml's blocks of 256 values, whose scales are quantized themselves (block structs of ggml-common.h, dequantize_row_* of ggml-quants.c). */
import { halfAt, signedAt, word16, type BlockType } from './blockType.js';
import { unevenValues } from './smallBlocks.js';

const ELEMENTS = 256;

/** 16 scales and least values of 4 bits each; codes of 2 bits, four values 32 apart in a byte. */
const q2K: BlockType = {
  elements: ELEMENTS,
  bytes: 84,
  decode(bytes, at, out, to) {
    const [scale, least] = [halfAt(bytes, at + 80), halfAt(bytes, at + 82)];
    for (let group = 0; group < 16; group++) {
      const scales = bytes[at + group] as number;
      const own = Math.fround(scale * (scales & 15));
      const ownLeast = Math.fround(least * (scales >> 4));
      for (let index = 0; index < 16; index++)
        out[to + group * 16 + index] = Math.fround(own * twoBits(bytes, at + 16, group * 16 + index)) - ownLeast;
    }
  },
};

/** A code of 2 bits: 128 values in 32 bytes, 32 of them in the lowest bits. */
function twoBits(bytes: Uint8Array, at: number, index: number): number {
  return ((bytes[at + (index >> 7) * 32 + (index & 31)] as number) >> (((index >> 5) & 3) * 2)) & 3;
}

/** 16 scales of 6 bits; codes of 2 bits, and a third that takes 4 away where it is 0. */
const q3K: BlockType = {
  elements: ELEMENTS,
  bytes: 110,
  decode(bytes, at, out, to) {
    const scale = halfAt(bytes, at + 108);
    for (let group = 0; group < 16; group++) {
      const lower = ((bytes[at + 96 + (group & 7)] as number) >> (group < 8 ? 0 : 4)) & 15;
      const upper = ((bytes[at + 104 + (group & 3)] as number) >> ((group >> 2) * 2)) & 3;
      const own = Math.fround(scale * ((lower | (upper << 4)) - 32));
      for (let within = 0; within < 16; within++) {
        const index = group * 16 + within;
        const third = ((bytes[at + (index & 31)] as number) >> (index >> 5)) & 1;
        out[to + index] = own * (twoBits(bytes, at + 32, index) - (third === 0 ? 4 : 0));
      }
    }
  },
};

/** Eight scales and least values of 6 bits in 12 bytes: the first four in the lower bits of eight bytes, the upper two bits of the others above these. */
function scaleAndLeast(bytes: Uint8Array, at: number, group: number): [scale: number, least: number] {
  if (group < 4) return [(bytes[at + group] as number) & 63, (bytes[at + 4 + group] as number) & 63];
  const own = group - 4;
  const lower = bytes[at + 8 + own] as number;
  return [
    (lower & 15) | (((bytes[at + own] as number) >> 2) & 0x30),
    (lower >> 4) | (((bytes[at + 4 + own] as number) >> 2) & 0x30),
  ];
}

/** Codes of 4 bits, or of 5 with the fifth bits in 32 bytes before them. */
function evenCodes(codeBits: 4 | 5): BlockType {
  const codesAt = codeBits === 5 ? 48 : 16;
  return {
    elements: ELEMENTS,
    bytes: codesAt + ELEMENTS / 2,
    decode(bytes, at, out, to) {
      const [scale, least] = [halfAt(bytes, at), halfAt(bytes, at + 2)];
      for (let group = 0; group < 8; group++) {
        const [ownScale, ownLeast] = scaleAndLeast(bytes, at + 4, group);
        const own = Math.fround(scale * ownScale);
        const minimum = Math.fround(least * ownLeast);
        const codes = at + codesAt + (group >> 1) * 32;
        const shift = (group & 1) * 4;
        for (let index = 0; index < 32; index++) {
          const fifth = codeBits === 5 ? (((bytes[at + 16 + index] as number) >> group) & 1) << 4 : 0;
          const code = (((bytes[codes + index] as number) >> shift) & 15) | fifth;
          out[to + group * 32 + index] = Math.fround(own * code) - minimum;
        }
      }
    },
  };
}

/** 16 signed scales; codes of 6 bits, of which 4 and 2 are apart. */
const q6K: BlockType = {
  elements: ELEMENTS,
  bytes: 210,
  decode(bytes, at, out, to) {
    const scale = halfAt(bytes, at + 208);
    for (let group = 0; group < 16; group++) {
      const own = Math.fround(scale * signedAt(bytes, at + 192 + group));
      for (let within = 0; within < 16; within++) {
        const index = group * 16 + within;
        const lower = ((bytes[at + (index >> 7) * 64 + (index & 63)] as number) >> (((index >> 6) & 1) * 4)) & 15;
        out[to + index] = own * ((lower | (twoBits(bytes, at + 128, index) << 4)) - 32);
      }
    }
  },
};

/** Eight scales of 6 bits, whose upper two are apart; codes of 4 bits that stand for uneven values. */
const iq4Xs: BlockType = {
  elements: ELEMENTS,
  bytes: 136,
  decode(bytes, at, out, to) {
    const scale = halfAt(bytes, at);
    const uppers = word16(bytes, at + 2);
    for (let group = 0; group < 8; group++) {
      const lower = ((bytes[at + 4 + (group >> 1)] as number) >> ((group & 1) * 4)) & 15;
      const own = Math.fround(scale * ((lower | (((uppers >> (group * 2)) & 3) << 4)) - 32));
      for (let index = 0; index < 32; index++) {
        const pair = bytes[at + 8 + group * 16 + (index & 15)] as number;
        out[to + group * 32 + index] = own * (unevenValues[index < 16 ? pair & 15 : pair >> 4] as number);
      }
    }
  },
};

/** Five digits of base 3 in a byte, as a fixed-point fraction of 243; four in each of the last four bytes. */
const tq1: BlockType = {
  elements: ELEMENTS,
  bytes: 54,
  decode(bytes, at, out, to) {
    const scale = halfAt(bytes, at + 52);
    const stretches = [
      { from: 0, count: 32, digits: 5 },
      { from: 32, count: 16, digits: 5 },
      { from: 48, count: 4, digits: 4 },
    ];
    let next = to;
    for (const { from, count, digits } of stretches)
      for (let digit = 0; digit < digits; digit++)
        for (let index = 0; index < count; index++) {
          const rest = ((bytes[at + from + index] as number) * 3 ** digit) & 0xff;
          out[next++] = scale * (((rest * 3) >> 8) - 1);
        }
  },
};

const tq2: BlockType = {
  elements: ELEMENTS,
  bytes: 66,
  decode(bytes, at, out, to) {
    const scale = halfAt(bytes, at + 64);
    for (let index = 0; index < ELEMENTS; index++) out[to + index] = scale * (twoBits(bytes, at, index) - 1);
  },
};

export const superBlocks: Readonly<Record<string, BlockType>> = {
  q2_k: q2K,
  q3_k: q3K,
  q4_k: evenCodes(4),
  q5_k: evenCodes(5),
  q6_k: q6K,
  iq4_xs: iq4Xs,
  tq1_0: tq1,
  tq2_0: tq2,
};
