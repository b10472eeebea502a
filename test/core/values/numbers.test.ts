/** Values of tensors against numpy: see test/fixtures/values/PROVENANCE.md. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { patternValues } from '../../../src/core/values/patternValues.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { scannedValues, valuesOf } from '../../builders/scannedValues.js';

const fixtures = path.join(import.meta.dirname, '../../fixtures/values');
const textOf = (name: string) => readFileSync(path.join(fixtures, name), 'utf8');

interface Truth {
  dtype: string;
  shape: number[];
  count: number;
  nan: number;
  positiveInf: number;
  negativeInf: number;
  zeros: number;
  first: number[] | null;
  min: number | null;
  max: number | null;
  mean: number | null;
  std: number | null;
  counts?: number[];
  edges?: number[];
}

const truths = JSON.parse(textOf('numbers.json')) as Record<string, Truth>;
const report = await scannedValues(
  memoryTree('numbers.safetensors', { 'numbers.safetensors': readFileSync(path.join(fixtures, 'numbers.safetensors')) }),
);

function expectClose(value: number | null, truth: number | null, relative: number): void {
  if (value === null || truth === null) expect(value).toBe(truth);
  else expect(Math.abs(value - truth), `${value} and ${truth}`).toBeLessThanOrEqual(Math.abs(truth) * relative);
}

describe.each(Object.entries(truths))('%s', (name, truth) => {
  const values = valuesOf(report, name);

  it('counts as numpy does, and has its extremes', () => {
    const { count, nan, positiveInf, negativeInf, zeros } = truth;
    expect(values).toMatchObject({
      shape: truth.shape,
      count,
      nan,
      positiveInf,
      negativeInf,
      zeros,
      inf: positiveInf + negativeInf,
    });
    expect(values.min).toBe(truth.min === null ? null : truth.min + 0);
    expect(values.max).toBe(truth.max === null ? null : truth.max + 0);
    expect(values.first?.index ?? null).toEqual(truth.first);
  });

  it('has mean and standard deviation to a relative 1e-12', () => {
    expectClose(values.mean, truth.mean, 1e-12);
    expectClose(values.std, truth.std, 1e-12);
  });

  it('has a histogram of all finite values, in ascending order', () => {
    if (truth.counts === undefined || truth.edges === undefined) {
      expect(values.histogram).toBeNull();
      return;
    }
    const { edges, counts } = values.histogram ?? { edges: [], counts: [] };
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(count(truth));
    expect(edges).toEqual([...edges].sort((a, b) => a - b));
    expect([edges[0], edges.at(-1)]).toEqual([values.min, values.max]);
    expect(edges).toHaveLength(counts.length + 1);
    const isOfPatterns = /f(16|8_\w+)$|bfloat16|int(8|16)$|bool/.test(truth.dtype) || /float8/.test(truth.dtype);
    if (isOfPatterns && truth.min !== truth.max) expect(counts).toEqual(truth.counts);
  });
});

function count({ count: all, nan, positiveInf, negativeInf }: Truth): number {
  return all - nan - positiveInf - negativeInf;
}

describe('bit patterns', () => {
  it.each(Object.entries(JSON.parse(textOf('patterns.json')) as Record<string, string>))(
    'of %s are decoded as ml_dtypes does, every one',
    (dtype, digest) => {
      const values = patternValues(dtype).map((value) => (Number.isNaN(value) ? NaN : value));
      expect(createHash('sha256').update(new Uint8Array(values.buffer)).digest('hex')).toBe(digest);
    },
  );
});
