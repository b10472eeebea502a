import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derivedInput } from '../../../../src/core/planning/inputs/derivedInputs.js';
import type { PlanDocument } from '../../../../src/core/planning/inputs/planDocument.js';
import { planKeys, type PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { randomDocument } from '../../../builders/randomPlan.js';
import { runs } from '../../../builders/seed.js';

const document = (inputs: Partial<PlanInputs>): PlanDocument => ({ name: '', inputs, origins: {}, measured: [], saved: [] });

describe('derivedInput', () => {
  it('is what the plan computes with', () => {
    const plan = makePlan(document({ parameters: 1e9, gpus: 64, tensorParallel: 8, intervalSeconds: 1800 }));
    expect(derivedInput('checkpointBytes', plan)).toBe(14e9);
    expect(derivedInput('bytesPerParameter', plan)).toBe(14);
    expect(derivedInput('dataParallel', plan)).toBe(8);
    expect(derivedInput('activeParameters', plan)).toBe(1e9);
    // Whoever saves 14 GB every 30 minutes needs 78 MB/s: any shared storage has that.
    expect(derivedInput('writeBytesPerSecond', plan)).toBe(125e6);
    expect(derivedInput('stepSeconds', plan)).toBeNull();
  });

  it('changes nothing when it is given instead', () => {
    const given = document({ parameters: 70e9, gpus: 512, tensorParallel: 8 });
    const plan = makePlan(given);
    for (const key of ['activeParameters', 'dataParallel', 'mtbfSeconds', 'tokensPerSecond', 'adapterParameters'] as const) {
      const value = derivedInput(key, plan);
      const again = makePlan(document({ ...given.inputs, [key]: value }));
      expect(again.save.intervalSeconds, key).toBeCloseTo(plan.save.intervalSeconds, 6);
      expect(again.feed.tokensPerSecond, key).toBeCloseTo(plan.feed.tokensPerSecond, 3);
      expect(again.memory.adapterParameters, key).toBe(plan.memory.adapterParameters);
    }
  });

  it('is a finite number or nothing, of any plan', () => {
    fc.assert(
      fc.property(randomDocument, (any) => {
        const plan = makePlan(any);
        for (const key of planKeys) {
          const value = derivedInput(key, plan);
          if (value !== null) expect(Number.isFinite(value), `${key} is ${value}`).toBe(true);
        }
      }),
      runs(12, 600),
    );
  });
});
