import { describe, expect, it } from 'vitest';
import { inputOrigin } from '../../../../src/core/planning/inputs/inputOrigin.js';
import { planFields } from '../../../../src/core/planning/inputs/planFields.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { gpuChoices, gpuInputs, gpuModelOf, gpuModels, gpuSources } from '../../../../src/core/planning/training/gpuModels.js';
import { problemOf } from '../../../../src/core/planning/inputs/planInputs.js';

const planOf = (inputs: Parameters<typeof makePlan>[0]['inputs']) => makePlan({ inputs, measured: [], saved: [] });

describe('GPUs by name', () => {
  it.each(gpuChoices.filter(({ value }) => value !== 'unlisted'))(
    '$value is complete, and within the limits of its inputs',
    ({ value }) => {
      const model = gpuModelOf(value);
      const { text, date } = gpuSources[value as keyof typeof gpuSources];
      expect(text).not.toBe('');
      expect(date).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
      expect(model?.utilization).toBeGreaterThan(0.2);
      expect(model?.utilization).toBeLessThan(0.6);
      expect(model?.pricesPerHour[0]).toBeLessThan(model?.pricesPerHour[1] ?? 0);
      for (const [key, input] of Object.entries(gpuInputs(value)))
        expect(problemOf(planFields[key as keyof typeof planFields], input), key).toBeNull();
    },
  );

  it('has peaks without sparsity, which data sheets print doubled', () => {
    expect(gpuModels.h100.peakFlopsPerSecond * 2).toBeCloseTo(1978.8e12, -11);
    expect(gpuModels.a100.peakFlopsPerSecond).toBe(312e12);
    expect(gpuModels.b200.peakFlopsPerSecond * 2).toBe(4.5e15);
  });

  it('fills in what is not given', () => {
    const { inputs, memory, feed } = planOf({ gpu: 'h200', gpus: 8, parameters: 1e9 });
    expect(inputs).toMatchObject({ deviceMemoryBytes: 141e9, gpuFlopsPerSecond: 0.4 * 989.4e12, gpuPricePerHour: 4.2 });
    expect(feed.tokensPerSecond).toBeCloseTo((8 * 0.4 * 989.4e12) / 6e9, 3);
    expect(memory.planned.fits).toBe(true);
    // A given value wins.
    expect(planOf({ gpu: 'h200', gpuPricePerHour: 1 }).inputs).toMatchObject({ deviceMemoryBytes: 141e9, gpuPricePerHour: 1 });
    expect(planOf({}).inputs).toMatchObject({ gpu: 'unlisted', deviceMemoryBytes: 80e9, gpuFlopsPerSecond: 400e12 });
  });

  it('tells what came from the GPU', () => {
    const document = {
      inputs: { gpu: 'a100' as const, gpuPricePerHour: 1 },
      origins: { gpuPricePerHour: { kind: 'set' as const, text: '' } },
    };
    expect(inputOrigin(document, 'deviceMemoryBytes')).toEqual({ kind: 'read', text: 'NVIDIA A100 SXM 80 GB' });
    expect(inputOrigin(document, 'gpuPricePerHour')).toEqual({ kind: 'set', text: '' });
    expect(inputOrigin(document, 'gpus')).toBeUndefined();
    expect(inputOrigin({ inputs: {}, origins: {} }, 'deviceMemoryBytes')).toBeUndefined();
  });
});
