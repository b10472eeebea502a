/**
 * ggml's blocks of 256 values whose codes are numbers of points of a grid: eight or four values at once, with signs beside them
 * (block structs and grids of ggml-common.h, dequantize_row_iq* of ggml-quants.c).
 */
import { patternValues } from '../patternValues.js';
import { halfAt, word16, word32, type BlockType } from './blockType.js';
import { grid } from './grids.js';

const ELEMENTS = 256;

/** The seventh bit and those before it as signs of eight values, an even number of which are negative. */
function evenSigns(index: number): number {
  let ones = index;
  ones ^= ones >> 4;
  ones ^= ones >> 2;
  ones ^= ones >> 1;
  return index | ((ones & 1) << 7);
}

/** A point of a grid with its scale and signs. */
function writePoint(
  out: Float32Array,
  to: number,
  points: Float32Array,
  from: number,
  count: number,
  scale: number,
  signs: number,
): void {
  for (let index = 0; index < count; index++) {
    const value = Math.fround(scale * (points[from + index] as number));
    out[to + index] = ((signs >> index) & 1) === 0 ? value : -value;
  }
}

/** (1/2 + code) of the scale, and of this a half or a quarter. */
function stepOf(scale: number, code: number, part: number): number {
  return Math.fround(scale * (0.5 + code)) * part;
}

const iq2Xxs: BlockType = {
  elements: ELEMENTS,
  bytes: 66,
  decode(bytes, at, out, to) {
    const points = grid('iq2_xxs');
    const scale = halfAt(bytes, at);
    for (let group = 0; group < 8; group++) {
      const codes = at + 2 + group * 8;
      const signs = word32(bytes, codes + 4);
      const own = stepOf(scale, signs >>> 28, 0.25);
      for (let part = 0; part < 4; part++) {
        const point = (bytes[codes + part] as number) * 8;
        writePoint(out, to + group * 32 + part * 8, points, point, 8, own, evenSigns((signs >>> (7 * part)) & 127));
      }
    }
  },
};

const iq2Xs: BlockType = {
  elements: ELEMENTS,
  bytes: 74,
  decode(bytes, at, out, to) {
    const points = grid('iq2_xs');
    const scale = halfAt(bytes, at);
    for (let part = 0; part < 32; part++) {
      const code = word16(bytes, at + 2 + part * 2);
      const own = stepOf(scale, ((bytes[at + 66 + (part >> 2)] as number) >> (((part >> 1) & 1) * 4)) & 15, 0.25);
      writePoint(out, to + part * 8, points, (code & 511) * 8, 8, own, evenSigns(code >> 9));
    }
  },
};

const iq2S: BlockType = {
  elements: ELEMENTS,
  bytes: 82,
  decode(bytes, at, out, to) {
    const points = grid('iq2_s');
    const scale = halfAt(bytes, at);
    for (let part = 0; part < 32; part++) {
      const upper = ((bytes[at + 66 + (part >> 2)] as number) >> ((part & 3) * 2)) & 3;
      const own = stepOf(scale, ((bytes[at + 74 + (part >> 2)] as number) >> (((part >> 1) & 1) * 4)) & 15, 0.25);
      const point = ((bytes[at + 2 + part] as number) | (upper << 8)) * 8;
      writePoint(out, to + part * 8, points, point, 8, own, bytes[at + 34 + part] as number);
    }
  },
};

const iq3Xxs: BlockType = {
  elements: ELEMENTS,
  bytes: 98,
  decode(bytes, at, out, to) {
    const points = grid('iq3_xxs');
    const scale = halfAt(bytes, at);
    for (let part = 0; part < 64; part++) {
      const word = word32(bytes, at + 66 + (part >> 3) * 4);
      const signs = evenSigns((word >>> (7 * ((part >> 1) & 3))) & 127) >> ((part & 1) * 4);
      writePoint(out, to + part * 4, points, (bytes[at + 2 + part] as number) * 4, 4, stepOf(scale, word >>> 28, 0.5), signs);
    }
  },
};

const iq3S: BlockType = {
  elements: ELEMENTS,
  bytes: 110,
  decode(bytes, at, out, to) {
    const points = grid('iq3_s');
    const scale = halfAt(bytes, at);
    for (let part = 0; part < 64; part++) {
      const upper = ((bytes[at + 66 + (part >> 3)] as number) >> (part & 7)) & 1;
      const code = ((bytes[at + 106 + (part >> 4)] as number) >> (((part >> 3) & 1) * 4)) & 15;
      const point = ((bytes[at + 2 + part] as number) | (upper << 8)) * 4;
      const signs = (bytes[at + 74 + (part >> 1)] as number) >> ((part & 1) * 4);
      writePoint(out, to + part * 4, points, point, 4, Math.fround(scale * (1 + 2 * code)), signs);
    }
  },
};

/** What is added to all values of a point: an eighth up or down. */
const SHIFT = 0.125;

function writeShifted(out: Float32Array, to: number, point: number, scale: number, shift: number): void {
  const points = grid('iq1');
  for (let index = 0; index < 8; index++) out[to + index] = scale * ((points[point * 8 + index] as number) + shift);
}

const iq1S: BlockType = {
  elements: ELEMENTS,
  bytes: 50,
  decode(bytes, at, out, to) {
    const scale = halfAt(bytes, at);
    for (let part = 0; part < 32; part++) {
      const word = word16(bytes, at + 34 + (part >> 2) * 2);
      const own = Math.fround(scale * (2 * ((word >> 12) & 7) + 1));
      const point = (bytes[at + 2 + part] as number) | (((word >> (3 * (part & 3))) & 7) << 8);
      writeShifted(out, to + part * 8, point, own, (word & 0x8000) === 0 ? SHIFT : -SHIFT);
    }
  },
};

/** The scale is in the upper four bits of four words of scales. */
const iq1M: BlockType = {
  elements: ELEMENTS,
  bytes: 56,
  decode(bytes, at, out, to) {
    const words = [0, 1, 2, 3].map((word) => word16(bytes, at + 48 + word * 2));
    const pattern = words.reduce((bits, word, index) => bits | ((word >> 12) << (index * 4)), 0);
    const scale = patternValues('f16')[pattern] as number;
    for (let part = 0; part < 32; part++) {
      const code = ((words[part >> 3] as number) >> (3 * ((part >> 1) & 3))) & 7;
      const upper = ((bytes[at + 32 + (part >> 1)] as number) >> ((part & 1) * 4)) & 15;
      const point = (bytes[at + part] as number) | ((upper & 7) << 8);
      writeShifted(out, to + part * 8, point, Math.fround(scale * (2 * code + 1)), (upper & 8) === 0 ? SHIFT : -SHIFT);
    }
  },
};

export const gridBlocks: Readonly<Record<string, BlockType>> = {
  iq2_xxs: iq2Xxs,
  iq2_xs: iq2Xs,
  iq2_s: iq2S,
  iq3_xxs: iq3Xxs,
  iq3_s: iq3S,
  iq1_s: iq1S,
  iq1_m: iq1M,
};
