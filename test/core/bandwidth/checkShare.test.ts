import { expect, it } from 'vitest';
import { shareOfCheck } from '../../../src/core/bandwidth/checkShare.js';
import type { CheckPhase, CheckProgress } from '../../../src/core/bandwidth/measurement.js';
import { shortRepeat } from '../../../src/core/bandwidth/shortRepeats.js';
import type { CheckRequest } from '../../../src/core/bandwidth/measurement.js';
import { checkProgress } from '../../builders/bandwidthCheck.js';

const at = (phase: CheckPhase, repeat = 1, done = 0, repeats = 3): CheckProgress =>
  checkProgress({ phase, repeat, repeats, done, total: 100, phaseSeconds: 0, bytesPerSecond: null });

it('runs over all phases of a check without ever going back', () => {
  expect(shareOfCheck(undefined)).toBe(0);
  for (const repeats of [1, 3]) {
    const phases = Array.from({ length: repeats }, (_, index) =>
      (['write', 'read'] as const).flatMap((phase) => [0, 50, 100].map((done) => at(phase, index + 1, done, repeats))),
    ).flat();
    const shares = [at('preparing', 1, 0, repeats), ...phases, at('metadata', 1, 50, repeats), at('removing', 1, 0, repeats)].map(
      shareOfCheck,
    );
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares[0]).toBe(0);
    expect(shares.at(-1)).toBeLessThan(1);
  }
  expect(shareOfCheck(at('write', 2, 50))).toBeCloseTo((0.9 * 2.5) / 6);
});

it('runs on over a sweep and the sustained rate, by the times that they may take', () => {
  const parts = { checkSeconds: 30, sweepSeconds: 30, sustainedSeconds: 300 };
  const steps = [
    at('write', 1),
    at('read', 3, 100),
    at('metadata', 3, 100),
    at('sweep', 1, 0, 10),
    at('sweep', 10, 100, 10),
    at('sustained', 1, 0, 1),
    { ...at('sustained', 1, 10, 1), phaseSeconds: 150 },
    { ...at('sustained', 1, 90, 1), phaseSeconds: 200 },
    at('removing', 1),
  ].map((step) => ({ ...step, parts }));
  const shares = steps.map(shareOfCheck);
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect(shares[3]).toBeCloseTo((0.95 * 30) / 360);
  expect(shares[6]).toBeCloseTo((0.95 * (30 + 30 + 150)) / 360);
});

it('knows repeats that will be too short, from an earlier check or from what every storage does', () => {
  const request = (totalBytes: number): CheckRequest => ({ shape: { totalBytes } }) as CheckRequest;
  expect(shortRepeat(request(49e6), null)).toBeCloseTo(0.49);
  expect(shortRepeat(request(51e6), null)).toBeNull();
  expect(shortRepeat(request(1e9), 4e9)).toBeCloseTo(0.25);
  expect(shortRepeat(request(1e9), 1e9)).toBeNull();
});
