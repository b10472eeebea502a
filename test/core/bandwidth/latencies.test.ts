import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addLatency, mergeLatencies, noLatencies, summariseLatencies } from '../../../src/core/bandwidth/latencies.js';
import { runs } from '../../builders/seed.js';

function countsOf(durations: readonly number[]): ReturnType<typeof noLatencies> {
  const counts = noLatencies();
  for (const seconds of durations) addLatency(counts, seconds);
  return counts;
}

/** By nearest rank, of all durations. */
function exact(durations: readonly number[], share: number): number {
  return [...durations].sort((a, b) => a - b)[Math.max(0, Math.ceil(durations.length * share) - 1)] ?? 0;
}

describe('latencies', () => {
  const durations = fc.array(fc.double({ min: 1e-6, max: 100, noNaN: true }), { minLength: 1, maxLength: 200 });

  it('are within half a percent of what sorting gives, and the longest exactly', () => {
    fc.assert(
      fc.property(durations, (all) => {
        const found = summariseLatencies(countsOf(all));
        expect(found.operations).toBe(all.length);
        expect(found.maximumSeconds).toBe(Math.max(...all));
        for (const [value, share] of [
          [found.medianSeconds, 0.5],
          [found.p95Seconds, 0.95],
          [found.p99Seconds, 0.99],
        ] as const) {
          expect(Math.abs(value / exact(all, share) - 1)).toBeLessThan(0.005);
        }
      }),
      runs(100),
    );
  });

  it('are the same whether streams gathered them or one did', () => {
    fc.assert(
      fc.property(durations, durations, (one, two) => {
        const merged = summariseLatencies(mergeLatencies([countsOf(one), countsOf(two)]));
        expect(merged).toEqual(summariseLatencies(countsOf([...one, ...two])));
      }),
      runs(100),
    );
  });

  it('are zero where there are none, and stand durations out of any range', () => {
    expect(summariseLatencies(noLatencies())).toEqual({
      operations: 0,
      medianSeconds: 0,
      p95Seconds: 0,
      p99Seconds: 0,
      maximumSeconds: 0,
    });
    const found = summariseLatencies(countsOf([0, 1e-12, 1e9]));
    expect(found).toMatchObject({ operations: 3, maximumSeconds: 1e9 });
    expect(found.medianSeconds).toBeLessThan(1e-6);
  });
});
