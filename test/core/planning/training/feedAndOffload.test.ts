/** What training reads, and what offloading moves at each step. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presetOf } from '../../../../src/core/planning/inputs/presets.js';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { randomDocument } from '../../../builders/randomPlan.js';
import { runs } from '../../../builders/seed.js';

const planOf = (inputs: Partial<PlanInputs>) => makePlan({ inputs, measured: [], saved: [] });

describe('dataset', () => {
  it('Llama 3 405B reads 10.8 MB/s in 329 reads a second, with all of its 16,384 GPUs', () => {
    const { feed } = planOf({ ...presetOf('405b')?.inputs });
    expect(feed.tokensPerSecond / 1e6).toBeCloseTo(2.69, 2);
    expect(feed.readBytesPerSecond / 1e6).toBeCloseTo(10.8, 1);
    expect(feed.readsPerSecond).toBeCloseTo(328.5, 1);
    expect(feed.bytesPerRead).toBe(32 * 1024);
  });

  it.each([
    ['OpenWebText', 9_035_582_198, 2, 18_071_164_396],
    ['Pythia', 299_892_736_000, 2, 599_785_472_000],
    ['OLMo 2', 4e12, 4, 16e12],
    ['Llama 3', 15e12, 4, 60e12],
  ])('%s', (_, tokens, bytesPerToken, bytes) => {
    expect(planOf({ tokens, bytesPerToken }).feed.datasetBytes).toBe(bytes);
  });

  it('goes by the parameters that a token passes', () => {
    const { feed } = planOf({ parameters: 1e12, activeParameters: 32e9, gpus: 100, gpuFlopsPerSecond: 400e12 });
    expect(feed.tokensPerSecond).toBeCloseTo((100 * 400e12) / (6 * 32e9), 3);
    expect(planOf({ tokensPerSecond: 1e6 }).feed).toMatchObject({ tokensPerSecond: 1e6, tokensBasis: 'given' });
  });
});

describe('offload', () => {
  const one: Partial<PlanInputs> = {
    parameters: 10e9,
    gpus: 8,
    gpusPerNode: 8,
    stepSeconds: 10,
    nvmeReadBytesPerSecond: 20e9,
    nvmeWriteBytesPerSecond: 10e9,
    nvmeCapacityBytes: 15e12,
  };
  const kind = (name: string, inputs: Partial<PlanInputs> = {}) =>
    planOf({ ...one, ...inputs }).offload.kinds.find((cost) => cost.kind === name);

  it('reads and writes 12 bytes a parameter of optimizer state at each step', () => {
    const cost = kind('optimizer-nvme');
    expect(cost).toMatchObject({ readBytes: 120e9, writtenBytes: 120e9, hostBytes: 40e9, roomBytes: 120e9, fits: true });
    expect(cost?.neededBytesPerSecond).toBe(24e9);
    // 6 s reading and 12 s writing, for a step of 10 s.
    expect(cost?.movedSeconds).toBe(18);
    expect(cost?.isStorageBound).toBe(true);
    expect(cost?.wear?.driveWritesPerDay).toBeCloseTo((12e9 * 86_400) / 15e12, 6);
    expect(kind('optimizer-nvme', { stepSeconds: 20 })?.isStorageBound).toBe(false);
  });

  it('streams weights to the GPUs as well where they are offloaded: that part can go directly', () => {
    const cost = kind('all-nvme');
    expect(cost).toMatchObject({ readBytes: 180e9, writtenBytes: 160e9, gpuDirect: 'weights-only' });
    expect(cost?.directShare).toBeCloseTo(40 / 340, 9);
    expect(kind('optimizer-nvme')).toMatchObject({ gpuDirect: 'no-cpu-updates', directShare: 0 });
  });

  it('to host memory moves gradients down and weights up, and wears nothing', () => {
    expect(kind('optimizer-memory')).toMatchObject({
      readBytes: 0,
      writtenBytes: 0,
      hostBytes: 40e9,
      wear: null,
      gpuDirect: 'no-drives',
    });
    expect(kind('optimizer-memory', { hostMemoryBytes: 100e9 })?.fits).toBe(false);
  });

  it('never ends without drives', () => {
    expect(kind('optimizer-nvme', { nvmeReadBytesPerSecond: 0 })).toMatchObject({ movedSeconds: Infinity, isStorageBound: true });
  });

  it('is less for each node of a larger job', () => {
    expect(kind('optimizer-nvme', { gpus: 64 })?.readBytes).toBe(15e9);
  });

  it('assumes a batch of 4 million tokens where no step time is given', () => {
    const { offload, feed } = planOf({ parameters: 10e9, gpus: 8 });
    expect(offload.stepBasis).toBe('batch');
    expect(offload.stepSeconds).toBeCloseTo(offload.batchTokens / feed.tokensPerSecond, 9);
  });

  it('faster drives never take longer', () => {
    fc.assert(
      fc.property(randomDocument, ({ inputs }) => {
        const plan = planOf(inputs);
        const faster = planOf({ ...inputs, nvmeWriteBytesPerSecond: Math.min(1e15, plan.inputs.nvmeWriteBytesPerSecond * 2) });
        for (const [index, cost] of plan.offload.kinds.entries())
          expect(faster.offload.kinds[index]?.movedSeconds ?? 0).toBeLessThanOrEqual(cost.movedSeconds);
      }),
      runs(20, 1000),
    );
  });
});
