/** Values of random tensors against the plain way: all of them as doubles, counted one by one. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/core/datasets/text/random.js';
import { accumulatorOf } from '../../../src/core/values/accumulatorOf.js';
import { patternValues } from '../../../src/core/values/patternValues.js';
import type { ValueSummary } from '../../../src/core/values/valueSummary.js';
import { seed } from '../../builders/seed.js';

const random = createRandom(seed);
const below = (most: number): number => Math.floor(random() * most);

/** Bytes with any pattern, or of values around 0 with few that are not finite. */
function randomBytes(dtype: string, elements: number, width: number): Uint8Array {
  const bytes = Uint8Array.from({ length: elements * width }, () => below(256));
  if (dtype === 'f32' && below(2) === 0) {
    const floats = new Float32Array(bytes.buffer);
    floats.forEach((_, at) => (floats[at] = below(50) === 0 ? -0 : (random() - random()) * 10 ** below(6)));
  }
  if (dtype === 'f64' && below(2) === 0) {
    const floats = new Float64Array(bytes.buffer);
    floats.forEach((_, at) => (floats[at] = below(50) === 0 ? -0 : (random() - random()) * 10 ** below(6)));
  }
  return bytes;
}

function valuesOf(dtype: string, bytes: Uint8Array): number[] {
  const { buffer } = bytes;
  if (dtype === 'f32') return [...new Float32Array(buffer)];
  if (dtype === 'f64') return [...new Float64Array(buffer)];
  if (dtype === 'i32') return [...new Int32Array(buffer)];
  if (dtype === 'u64') return Array.from(new BigUint64Array(buffer), Number);
  if (dtype === 'i64') return Array.from(new BigInt64Array(buffer), Number);
  const table = patternValues(dtype);
  const patterns = table.length === 256 ? new Uint8Array(buffer) : new Uint16Array(buffer);
  return Array.from(patterns, (pattern) => table[pattern] ?? NaN);
}

function expectSummary(summary: ValueSummary, values: readonly number[]): void {
  const finite = values.filter(Number.isFinite).map((value) => value + 0);
  expect(summary).toMatchObject({
    count: values.length,
    nan: values.filter(Number.isNaN).length,
    positiveInf: values.filter((value) => value === Infinity).length,
    negativeInf: values.filter((value) => value === -Infinity).length,
    zeros: finite.filter((value) => value === 0).length,
  });
  expect(summary.min === null ? null : Number(summary.min)).toBe(finite.length === 0 ? null : Math.min(...finite));
  expect(summary.max === null ? null : Number(summary.max)).toBe(finite.length === 0 ? null : Math.max(...finite));
  if (finite.length === 0) return;
  const { edges, counts } = summary.histogram ?? { edges: [], counts: [] };
  const naive = counts.map(
    (_, bin) =>
      finite.filter((value) => {
        const isLast = bin === counts.length - 1;
        return (
          value >= (edges[bin] as number) && (isLast ? value <= (edges[bin + 1] as number) : value < (edges[bin + 1] as number))
        );
      }).length,
  );
  expect(counts).toEqual(naive);
  const scale = finite.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (!(scale < 1e150)) return;
  const mean = finite.reduce((sum, value) => sum + value / finite.length, 0);
  expect(Math.abs((summary.mean ?? NaN) - mean)).toBeLessThanOrEqual(scale * 1e-12);
  const std = Math.hypot(...finite.map((value) => (value - mean) / Math.sqrt(finite.length)));
  expect(Math.abs((summary.std ?? NaN) - std)).toBeLessThanOrEqual(scale * 1e-12);
}

const widths = {
  f32: 4,
  f64: 8,
  i32: 4,
  i64: 8,
  u64: 8,
  f16: 2,
  bf16: 2,
  i16: 2,
  u16: 2,
  f8_e4m3: 1,
  f8_e5m2: 1,
  i8: 1,
  bool: 1,
};

describe.each(Object.entries(widths))('%s', (dtype, width) => {
  it('is counted as the plain way counts, in pieces of any size', () => {
    for (let round = 0; round < 6; round++) {
      const bytes = randomBytes(dtype, 1 + below(1_500), width);
      const accumulator = accumulatorOf(dtype, false);
      let place = -1;
      for (let at = 0; at < bytes.byteLength;) {
        const end = Math.min(bytes.byteLength, at + width * (1 + below(900)));
        const found = accumulator.add(bytes.subarray(at, end), place === -1);
        if (found !== -1) place = at / width + found;
        at = end;
      }
      const values = valuesOf(dtype, bytes);
      expect(place).toBe(values.findIndex((value) => !Number.isFinite(value)));
      expectSummary(accumulator.summary(), values);
    }
  });

  it('is the same with the most significant byte first', () => {
    const bytes = randomBytes(dtype, 500, width);
    const swapped = Uint8Array.from(bytes, (_, at) => bytes[at - (at % width) + width - 1 - (at % width)] ?? 0);
    const [little, big] = [accumulatorOf(dtype, false), accumulatorOf(dtype, true)];
    expect(big.add(swapped, true)).toBe(little.add(bytes, true));
    expect(big.summary()).toEqual(little.summary());
  });
});
