/** How one of two tensors may be the other, rounded to a narrower type: to the nearest value, ties to even, as torch converts. */
import type { SideName } from '../comparedCheckpoint.js';

/** A side whose values are those of the other one in this type, which it may store in a wider one. */
export interface RoundedSide {
  of: SideName;
  to: RoundedType;
}

type RoundedType = keyof typeof types;

interface NarrowType {
  /** Of a number that is finite; infinite beyond the range. */
  round: (value: number) => number;
  /** Beyond the range a conversion may stop here; only where conversions do. */
  largest?: number;
  /** Types whose values this one has, but for itself. */
  holds: readonly string[];
}

const number = new Float32Array(1);
const bits = new Uint32Array(number.buffer);

/** From the widest to the narrowest. Torch converts f64 through f32. */
const types = {
  f32: { round: Math.fround, holds: ['bf16', 'f16', 'f8_e4m3', 'f8_e5m2'] },
  bf16: { round: (value) => withoutBits(value, 16), holds: ['f8_e4m3', 'f8_e5m2'] },
  // Its least normal number is 2^-14; below it there are multiples of 2^-24.
  f16: { round: (value) => small(value, -14, -24, 13, 65_504), holds: ['f8_e4m3', 'f8_e5m2'] },
  f8_e4m3: { round: (value) => small(value, -6, -9, 20, 448), largest: 448, holds: [] },
  f8_e5m2: { round: (value) => small(value, -14, -16, 21, 57_344), largest: 57_344, holds: [] },
} as const satisfies Record<string, NarrowType>;

const typeNames = Object.keys(types) as RoundedType[];

/** What is looked for in two tensors of these types. */
export function roundingsOf(a: string, b: string): RoundedSide[] {
  const ofSide = (of: SideName, own: string, other: string): RoundedSide[] =>
    typeNames.filter((to) => holds(own, to) && !holds(to, other)).map((to) => ({ of, to }));
  return isFloat(a) && isFloat(b) ? [...ofSide('b', b, a), ...ofSide('a', a, b)] : [];
}

function isFloat(dtype: string): boolean {
  return dtype === 'f64' || dtype in types;
}

function holds(dtype: string, other: string): boolean {
  if (dtype === other || dtype === 'f64') return true;
  const own: NarrowType | undefined = types[dtype as RoundedType];
  return own?.holds.includes(other) === true;
}

/** Those of the ways whose rounded side has more than one number: a norm of ones is the rounding of all that is near. */
export function shownRoundings({ rounded, isConstant, isConstantB }: RoundedSums): RoundedSide[] {
  return rounded.filter(({ of }) => !(of === 'a' ? isConstant : isConstantB));
}

interface RoundedSums {
  rounded: readonly RoundedSide[];
  /** Whether A, and B, have one number alone. */
  isConstant: boolean;
  isConstantB: boolean;
}

/** Whether each number of the side is that of the other one, rounded. */
export function areRounded(a: ArrayLike<number>, b: ArrayLike<number>, { of, to }: RoundedSide): boolean {
  const [wide, narrow] = of === 'a' ? [b, a] : [a, b];
  const { round, largest }: NarrowType = types[to];
  for (let at = 0; at < wide.length; at++) {
    const [value, own] = [wide[at] as number, narrow[at] as number];
    const rounded = Number.isFinite(value) ? round(value) : value;
    if (rounded === own || Object.is(rounded, own)) continue;
    // Conversions to 8 bits differ there: the largest number, infinity, or NaN in a type without infinities.
    const isBeyond = largest !== undefined && Math.abs(rounded) === Infinity;
    if (!isBeyond || !(Number.isNaN(own) || own === Math.sign(rounded) * largest)) return false;
  }
  return true;
}

/**
 * @param leastExponent of normal numbers
 * @param stepExponent of the numbers below them
 * @param count bits of an f32 that the type does not have
 */
function small(value: number, leastExponent: number, stepExponent: number, count: number, largest: number): number {
  const own = Math.fround(value);
  if (Math.abs(own) < 2 ** leastExponent) {
    // The sum has its last bit there, and an addition in double rounds as is wanted.
    const shift = 1.5 * 2 ** (52 + stepExponent);
    return own + shift - shift;
  }
  const rounded = withoutBits(own, count);
  return Math.abs(rounded) > largest ? Math.sign(rounded) * Infinity : rounded;
}

/** A finite f32 without its last bits. */
function withoutBits(value: number, count: number): number {
  number[0] = value;
  const own = bits[0] as number;
  const half = (1 << (count - 1)) - 1;
  bits[0] = ((own + half + ((own >>> count) & 1)) >>> count) << count;
  return number[0];
}
