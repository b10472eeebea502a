/** Mean and standard deviation against fractions of integers of any size. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accumulatorOf } from '../../../src/core/values/accumulatorOf.js';
import { createRandom } from '../../../src/core/datasets/text/random.js';
import type { ValueSummary } from '../../../src/core/values/valueSummary.js';
import { seed } from '../../builders/seed.js';

const unitBits = 1074n;

/** A double in units of 2^-1074, which all doubles are multiples of. */
function unitsOf(value: number): bigint {
  const bits = new BigUint64Array(Float64Array.of(value).buffer)[0] ?? 0n;
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & ((1n << 52n) - 1n);
  const magnitude = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return bits >> 63n === 0n ? magnitude : -magnitude;
}

function rootOf(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (let next = (root + value / root) >> 1n; next < root; next = (root + value / root) >> 1n) root = next;
  return root;
}

/** The nearest double to within an ulp of a count of 2^-1074 / 2^more. */
function doubleOf(units: bigint, more: bigint): number {
  const magnitude = units < 0n ? -units : units;
  const spare = BigInt(Math.max(0, magnitude.toString(2).length - 64));
  const shift = Number(spare - more - unitBits);
  let value = Number(magnitude >> spare);
  for (let left = shift; left !== 0;) {
    const step = Math.max(-500, Math.min(500, left));
    value *= 2 ** step;
    left -= step;
  }
  return units < 0n ? -value : value;
}

function truthOf(all: readonly bigint[], isInteger: boolean): { mean: number; std: number } {
  const units = isInteger ? all.map((value) => value << unitBits) : all;
  const count = BigInt(units.length);
  const sum = units.reduce((a, b) => a + b, 0n);
  const squares = units.reduce((total, value) => total + (value * count - sum) ** 2n, 0n);
  const more = 128n;
  return {
    mean: doubleOf((sum << more) / count, more),
    std: doubleOf(rootOf((squares << (2n * more)) / count) / count, more),
  };
}

function summaryOf(dtype: string, bytes: Uint8Array): ValueSummary {
  const accumulator = accumulatorOf(dtype, false);
  accumulator.add(bytes, false);
  return accumulator.summary();
}

function expectExact({ mean, std }: ValueSummary, truth: { mean: number; std: number }, scale: number): void {
  // Of a mean around which values cancel, 1e-12 of what 9 digits of cancelling leave.
  expect(Math.abs((mean ?? NaN) / 2 - truth.mean / 2)).toBeLessThanOrEqual(
    Math.max(Math.abs(truth.mean / 2) * 1e-12, scale * 1e-24, 5e-324),
  );
  expect(Math.abs((std ?? NaN) / 2 - truth.std / 2)).toBeLessThanOrEqual(Math.max((truth.std / 2) * 1e-12, 5e-324));
}

function expectFloats(values: readonly number[]): void {
  const floats = Float64Array.from(values);
  const scale = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  expectExact(summaryOf('f64', new Uint8Array(floats.buffer)), truthOf(values.map(unitsOf), false), scale);
}

function expectIntegers(dtype: 'i64' | 'u64', values: readonly bigint[]): void {
  const bytes = new Uint8Array((dtype === 'i64' ? BigInt64Array : BigUint64Array).from(values).buffer);
  const scale = values.reduce((most, value) => Math.max(most, Math.abs(Number(value))), 0);
  expectExact(summaryOf(dtype, bytes), truthOf(values, true), scale);
}

const random = createRandom(seed);
const many = (value: () => number): number[] => Array.from({ length: 40_000 }, value);

describe('far from 0', () => {
  it.each([1e8, 1e10, -1e13])('has the deviation of small differences, around %s', (mean) => {
    expectFloats(many(() => mean + (random() + random() - 1) * 1e-3));
  });
  it('has that of integers', () => {
    expectIntegers(
      'i64',
      many(() => Math.floor(random() * 3) - 1).map((value) => 10n ** 13n + BigInt(value)),
    );
    expectIntegers('i64', [2n ** 53n + 1n, 2n ** 53n + 3n, 2n ** 53n + 5n]);
    expectIntegers(
      'u64',
      many(() => Math.floor(random() * 3)).map((value) => 2n ** 63n + 511n + BigInt(value)),
    );
    expectIntegers('u64', [2n ** 64n - 1n, 2n ** 64n - 1n]);
    expectIntegers('i64', [-(2n ** 63n), 2n ** 63n - 1n, 0n]);
  });
});

describe('at the ends of the doubles', () => {
  it.each([
    ['subnormal', many(() => 0).flatMap((_, at) => [5e-324, 1e-310, -5e-324, 0][at % 4] ?? 0)],
    ['zeros, then subnormal', [...many(() => 0), 5e-324, 1e-310]],
    ['small, then usual', [...many(() => 1e-200 * random()), 1, 2]],
    ['small', many(() => 1e-170 * (1 + random()))],
    ['large', [1e308, 1e308, -1e308, 1.7e308]],
    ['largest', [1.7e308, -1.7e308]],
    ['usual, then large', [...many(random), 1e300, 1.1e300]],
    ['subnormal, then large', [...many(() => 5e-324), 1e308]],
    ['squares beyond', many(() => 1e160 * (random() - 0.5))],
  ])('%s values are scaled', (_, values) => expectFloats(values));
});

describe('any values', () => {
  it('of f64 have exact moments', () => {
    const one = fc.double({ noNaN: true, noDefaultInfinity: true });
    const close = fc
      .tuple(one, fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 40 }))
      .map(([base, steps]) => steps.map((step) => base * (1 + step * 2 ** -50)).filter((value) => Number.isFinite(value)));
    fc.assert(
      fc.property(fc.oneof(fc.array(one, { minLength: 1, maxLength: 40 }), close), (values) => {
        if (values.length > 0) expectFloats(values);
      }),
      { seed, numRuns: 500 },
    );
  });
  it('of 64-bit integers have exact moments', () => {
    const signed = fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { minLength: 1, maxLength: 40 });
    const close = fc
      .tuple(
        fc.bigInt({ min: 2n ** 40n, max: 2n ** 64n - 101n }),
        fc.array(fc.bigInt({ min: 0n, max: 100n }), { minLength: 1, maxLength: 40 }),
      )
      .map(([base, steps]) => steps.map((step) => base + step));
    fc.assert(
      fc.property(signed, (values) => expectIntegers('i64', values)),
      { seed, numRuns: 300 },
    );
    fc.assert(
      fc.property(close, (values) => expectIntegers('u64', values)),
      { seed, numRuns: 300 },
    );
  });
});
