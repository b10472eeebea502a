/** The nearest value of a smaller type, ties to even, as torch converts: IEEE 754 for f16, the upper half of f32 for bf16. */
export type Rounding = (value: number) => number;

const number = new Float32Array(1);
const bits = new Uint32Array(number.buffer);

/** The rounding by which a tensor of the larger type becomes one of the smaller; undefined for any other two types. */
export function roundingOf(larger: string, smaller: string): Rounding | undefined {
  if (larger !== 'f32') return undefined;
  if (smaller === 'bf16') return toBf16;
  return smaller === 'f16' ? toF16 : undefined;
}

function toBf16(value: number): number {
  return withoutBits(value, 16);
}

/** Below 2^-14 values are multiples of 2^-24, which an addition in double rounds to. */
function toF16(value: number): number {
  const magnitude = Math.abs(value);
  if (magnitude < 2 ** -14) return value + 1.5 * 2 ** 28 - 1.5 * 2 ** 28;
  if (magnitude >= 65_520) return Math.sign(value) * Infinity;
  return withoutBits(value, 13);
}

/** A finite f32 without its last bits. */
function withoutBits(value: number, count: number): number {
  number[0] = value;
  const own = bits[0] as number;
  const half = (1 << (count - 1)) - 1;
  bits[0] = ((own + half + ((own >>> count) & 1)) >>> count) << count;
  return number[0];
}
