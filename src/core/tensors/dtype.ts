/**
 * Element types under the names that reports use, with bits an element. The names follow the design's vocabulary; block
 * types go by their own name.
 */
const bitsByDtype = new Map<string, number>(
  Object.entries({
    f64: 64,
    f32: 32,
    f16: 16,
    bf16: 16,
    f8_e4m3: 8,
    f8_e5m2: 8,
    f8_e4m3fnuz: 8,
    f8_e5m2fnuz: 8,
    f8_e8m0: 8,
    f6_e2m3: 6,
    f6_e3m2: 6,
    f4: 4,
    // Torch's packed pair of float4: the element of the tensor is the pair.
    f4_e2m1_x2: 8,
    i64: 64,
    i32: 32,
    i16: 16,
    i8: 8,
    u64: 64,
    u32: 32,
    u16: 16,
    u8: 8,
    bool: 8,
    c128: 128,
    c64: 64,
    c32: 32,
    quint8: 8,
    qint8: 8,
    qint32: 32,
    quint4x2: 4,
    quint2x4: 2,
    bits8: 8,
    bits16: 16,
  }),
);

/** Types that exist in blocks only: elements and bytes of a block. ggml's, from the block structs of ggml-common.h. */
const blocks = new Map<string, readonly [elements: number, bytes: number]>(
  Object.entries({
    q4_0: [32, 18],
    q4_1: [32, 20],
    q5_0: [32, 22],
    q5_1: [32, 24],
    q8_0: [32, 34],
    q8_1: [32, 36],
    q2_k: [256, 84],
    q3_k: [256, 110],
    q4_k: [256, 144],
    q5_k: [256, 176],
    q6_k: [256, 210],
    q8_k: [256, 292],
    iq2_xxs: [256, 66],
    iq2_xs: [256, 74],
    iq3_xxs: [256, 98],
    iq1_s: [256, 50],
    iq4_nl: [32, 18],
    iq3_s: [256, 110],
    iq2_s: [256, 82],
    iq4_xs: [256, 136],
    iq1_m: [256, 56],
    tq1_0: [256, 54],
    tq2_0: [256, 66],
    mxfp4: [32, 17],
    nvfp4: [64, 36],
    q1_0: [128, 18],
    q2_0: [64, 18],
  }),
);

/** Bits an element takes; undefined for a type that this version does not know, and for one that exists in blocks only. */
export function bitsOfDtype(dtype: string): number | undefined {
  return bitsByDtype.get(dtype);
}

/** Bytes of `elements` elements, whole bytes and whole blocks; undefined for an unknown type. */
export function bytesOfElements(dtype: string, elements: number): number | undefined {
  const block = blocks.get(dtype);
  if (block !== undefined) return Math.ceil(elements / block[0]) * block[1];
  const elementBits = bitsOfDtype(dtype);
  if (elementBits === undefined) return undefined;
  return elementBits % 8 === 0 ? elements * (elementBits / 8) : Math.ceil((elements * elementBits) / 8);
}

/** Floating-point types and blocks of quantized floats hold parameters; integers and booleans hold indices, masks or packed values. */
export function isFloatDtype(dtype: string): boolean {
  return dtype.startsWith('f') || dtype === 'bf16' || dtype.startsWith('c') || blocks.has(dtype);
}
