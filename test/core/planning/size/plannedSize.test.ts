/** The size of a planned checkpoint: rules, published sizes, measured parts. */
import { describe, expect, it } from 'vitest';
import { mlperfSizes, nearestMlperfSize } from '../../../../src/core/planning/size/mlperfSizes.js';
import { plannedSize } from '../../../../src/core/planning/size/plannedSize.js';
import { compareRecipes } from '../../../../src/core/planning/size/recipeComparison.js';

const inputs = {
  parameters: 8_030_261_248,
  recipe: 'mixed-adam',
  bytesPerParameter: null,
  checkpointBytes: null,
  tuning: 'full',
  adapterParameters: null,
} as const;

describe('a planned size', () => {
  it('is parameters times the sum of what is saved', () => {
    const size = plannedSize(inputs);
    expect(size.checkpointBytes).toBe(112_423_657_472);
    expect(size.parts.map(({ id, bytes }) => [id, bytes / inputs.parameters])).toEqual([
      ['weights', 2],
      ['masterWeights', 4],
      ['firstMoment', 4],
      ['secondMoment', 4],
    ]);
    expect(size.weightBytes).toBe(inputs.parameters * 2);
  });

  it('is of adapters alone where these are trained, unless it is given', () => {
    const size = plannedSize({ ...inputs, tuning: 'qlora', adapterParameters: 41_943_040 });
    expect(size).toMatchObject({ basis: 'adapters', checkpointBytes: 12 * 41_943_040, weightBytes: 4 * 41_943_040 });
    expect(plannedSize({ ...inputs, tuning: 'lora' }).checkpointBytes).toBe(12 * Math.ceil(8_030_261_248 * 0.005));
    expect(plannedSize({ ...inputs, tuning: 'lora', checkpointBytes: 1e12 }).checkpointBytes).toBe(1e12);
  });

  it('is what is given, of which the weights are known', () => {
    const size = plannedSize({ ...inputs, bytesPerParameter: 13.69 });
    expect(size.basis).toBe('given');
    expect(size.checkpointBytes).toBe(Math.round(8_030_261_248 * 13.69));
    expect(size.parts.map(({ id }) => id)).toEqual(['weights', 'rest']);
  });

  it('is what was measured, part by part, as long as the sum is', () => {
    const measured = [
      { label: 'weights', bytes: 20, isWeights: true },
      { label: 'optimizer', bytes: 81, isWeights: false },
    ];
    const size = plannedSize({ ...inputs, checkpointBytes: 101 }, measured);
    expect(size.basis).toBe('measured');
    expect(size.weightBytes).toBe(20);
    expect(plannedSize({ ...inputs, checkpointBytes: 102 }, measured).basis).toBe('given');
  });

  it('has a byte at least', () => {
    expect(plannedSize({ ...inputs, bytesPerParameter: 0 }).checkpointBytes).toBe(1);
  });
});

describe('MLPerf Storage', () => {
  it.each([
    ['8B', 104.7, 112.42e9],
    ['70B', 911.17, 978.36e9],
    ['405B', 5291.7, 5.682e12],
    ['1T', 15_426, 16.56e12],
  ])('%s is %d GiB', (name, gibibytes, bytes) => {
    const row = mlperfSizes.find((size) => size.name === name) ?? expect.fail(name);
    expect(row.bytes / 2 ** 30).toBeCloseTo(gibibytes, 1);
    expect(Math.abs(row.bytes / bytes - 1)).toBeLessThan(5e-4);
    // Its generator writes 14 bytes a parameter, the 1T row as well.
    expect(Math.abs(row.bytes / (row.parameters * 14) - 1)).toBeLessThan(1e-4);
    expect(nearestMlperfSize(row.parameters * 1.05)).toBe(row);
  });

  it('prints 18 TB for 1T, which is its weights twice', () => {
    const row = mlperfSizes[3] ?? expect.fail();
    expect(row.remark).toContain('15,426 GiB and 2,571 GiB');
    expect((15_426 + 2571) / 1000).toBeCloseTo(18, 1);
  });
});

describe('rules', () => {
  const rows = Object.fromEntries(compareRecipes(10e9).map((row) => [row.id, row]));

  it('give 14, 12, 10, 6, 8, 10, 16, 8 and 2 bytes a parameter', () => {
    expect(compareRecipes(1).map((row) => row.checkpointBytesPerParameter)).toEqual([14, 12, 10, 6, 8, 10, 16, 8, 2]);
  });

  it('give 16 to 18 in memory where a checkpoint has 14', () => {
    expect(rows['mixed-adam']?.memoryBytesPerParameter).toEqual({ least: 16, most: 18 });
    expect(rows['f32-adam']?.memoryBytesPerParameter).toEqual({ least: 16, most: 16 });
    expect(rows['bf16-adam']?.memoryBytesPerParameter).toEqual({ least: 12, most: 12 });
    expect(rows['pure-bf16']?.memoryBytesPerParameter).toEqual({ least: 8, most: 8 });
    expect(rows['mixed-adam-8bit']?.memoryBytesPerParameter).toEqual({ least: 10, most: 12 });
    expect(rows['mixed-momentum']?.memoryBytesPerParameter).toEqual({ least: 12, most: 14 });
    expect(rows['rule-8']?.memoryBytesPerParameter).toEqual({ least: 10, most: 10 });
    expect(rows['weights-bf16']?.memoryBytesPerParameter).toBeNull();
  });

  it('give 80 GB for 10B by the rule of 8', () => {
    expect(rows['rule-8']?.checkpointBytes).toBe(80e9);
  });
});
