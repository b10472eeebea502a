/** GPUs, sharding and activations that nobody gave are chosen so that training fits; what is given stays, and blocks at the top. */
import { describe, expect, it } from 'vitest';
import { planPage } from '../../../../src/core/pages/plan/planPage.js';
import { gpuModels } from '../../../../src/core/planning/training/gpuModels.js';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { planPresets } from '../../../../src/core/planning/inputs/presets.js';
import { completeInputs, makePlan } from '../../../../src/core/planning/storagePlan.js';
import { planDocument } from '../../../builders/randomPlan.js';

const trillion = { parameters: 1e12 };
const plan = (inputs: Partial<PlanInputs>) => makePlan(planDocument(inputs));
const memoryBlocker = (inputs: Partial<PlanInputs>) => plan(inputs).blockers.find(({ id }) => id === 'gpu-memory');

describe('what is not given', () => {
  it.each([
    // 16 bytes × 1.24e9 = 19.8 GB, and 36.5 GB of activations.
    [{ parameters: 1_235_814_400 }, '0'],
    // 2 + 2 bytes × 8.03e9 = 32 GB, 12 × 8.03e9 ÷ 64 = 1.5 GB, and 36.5 GB of activations: 70 of 80 GB.
    [{}, '1'],
    // 2 × 17e9 = 34 GB, 14 × 17e9 ÷ 64 = 3.7 GB, and 36.5 GB.
    [{ parameters: 17e9 }, '2'],
    [{ parameters: 70e9 }, '3'],
    [{ parameters: 70e9, zeroStage: '1' }, '1'],
  ] as const)('is the least ZeRO stage that fits: %j', (inputs, stage) => {
    expect(completeInputs(inputs).zeroStage).toBe(stage);
  });

  it('is full activation checkpointing, and then more GPUs, where no stage fits', () => {
    const long = completeInputs({ sequenceLength: 32_768 });
    expect(long).toMatchObject({ zeroStage: '3', activations: 'full', gpus: 64 });
    // 16 TB on 64 GPUs are 250 GB each, on 256 they are 62.5.
    expect(completeInputs(trillion)).toMatchObject({ zeroStage: '3', activations: 'full', gpus: 256 });
  });

  it('is as many GPUs as the parallel sizes take', () => {
    expect(completeInputs({ tensorParallel: 8, pipelineParallel: 16 }).gpus).toBe(128);
    expect(completeInputs({ tensorParallel: 8, dataParallel: 3 }).gpus).toBe(24);
    expect(completeInputs({ pipelineParallel: 16, expertParallel: 32 }).gpus).toBe(512);
    expect(plan({ tensorParallel: 8, pipelineParallel: 16 }).blockers).toEqual([]);
  });

  it('blocks no model on any GPU', () => {
    for (const gpu of Object.keys(gpuModels) as (keyof typeof gpuModels)[])
      for (const parameters of [1e8, 7e9, 7e10, 4e11, 2e12])
        expect(memoryBlocker({ parameters, gpu }), `${parameters} on ${gpu}`).toBeUndefined();
    for (const { inputs } of planPresets) expect(memoryBlocker(inputs)).toBeUndefined();
  });
});

describe('what is given and does not fit', () => {
  it('blocks before all else, and each change that is named is enough', () => {
    const given = { parameters: 70e9, gpu: 'h100', gpus: 32, zeroStage: '1', tensorParallel: 4 } as const;
    const made = plan(given);
    const [first] = made.blockers;
    if (first?.id !== 'gpu-memory') throw new Error('No blocker of memory');
    // (2 + 2) bytes × 17.5e9, 12 × 17.5e9 ÷ 8, and 9.13 GB of activations; at stage 2 2 bytes × 17.5e9 and 14 × 17.5e9 ÷ 8.
    expect(first).toMatchObject({ gpuBytes: 80e9, fittingStage: '2', fittingGpus: 16, fitsWithFullActivations: false });
    expect(memoryBlocker({ ...given, zeroStage: '2' })).toBeUndefined();
    expect(memoryBlocker({ ...given, zeroStage: '3', gpus: 16 })).toBeUndefined();
    expect(memoryBlocker({ ...given, zeroStage: '3', gpus: 12 })).toBeDefined();
    expect(planPage(made, planDocument(given)).impossible[0]?.title).toBe('Training does not fit GPU memory');
  });

  it('on a GPU that nobody named blocks only what no GPU holds', () => {
    const blocker = memoryBlocker({ ...trillion, gpus: 8 });
    expect(blocker).toMatchObject({ gpuBytes: gpuModels.mi355x.memoryBytes });
    expect(memoryBlocker({ ...trillion, gpus: 64 })).toBeUndefined();
  });

  it('says that activations alone are too much', () => {
    const given = { gpu: 'h100', sequenceLength: 8_000_000 } as const;
    expect(memoryBlocker(given)).toMatchObject({ fittingStage: null, fittingGpus: null, fitsWithFullActivations: false });
    expect(planPage(plan(given), planDocument(given)).impossible[0]?.advice).toContain('Activations alone do not fit');
  });

  it('counts nothing that is offloaded', () => {
    const given = { parameters: 13e9, gpus: 8, gpu: 'a100', zeroStage: '2', activations: 'selective' } as const;
    const onGpu = plan(given).memory.planned;
    const offloaded = plan({ ...given, offload: 'optimizer-memory' }).memory.planned;
    expect(onGpu.totalBytes - offloaded.totalBytes).toBe((12 * 13e9) / 8);
  });
});
