/**
 * Element types under the names that reports use, with bits an element. The names follow the design's vocabulary; sub-byte and
 * block types of other formats are added where those formats are read.
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

/** Bits an element takes; undefined for a type that this version does not know. */
export function bitsOfDtype(dtype: string): number | undefined {
  return bitsByDtype.get(dtype);
}

/** Bytes of `elements` elements, whole bytes; undefined for an unknown type. */
export function bytesOfElements(dtype: string, elements: number): number | undefined {
  const elementBits = bitsOfDtype(dtype);
  if (elementBits === undefined) return undefined;
  return elementBits % 8 === 0 ? elements * (elementBits / 8) : Math.ceil((elements * elementBits) / 8);
}

/** Floating-point types hold parameters; integers and booleans hold indices, masks or packed values. */
export function isFloatDtype(dtype: string): boolean {
  return dtype.startsWith('f') || dtype === 'bf16' || dtype.startsWith('c');
}
