/** Parallel sizes of a preset on another number of GPUs. */
import { expect, it } from 'vitest';
import { inputOrigin } from '../../../../src/core/planning/inputs/inputOrigin.js';
import { fitPresetReplica } from '../../../../src/core/planning/inputs/presetReplica.js';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { documentOfPreset, presetOf } from '../../../../src/core/planning/inputs/presets.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';

function sizesOn(id: string, gpus: number, set: Partial<PlanInputs> = {}) {
  const { inputs, origins } = documentOfPreset(presetOf(id) ?? expect.fail());
  const changed = Object.fromEntries(['gpus', ...Object.keys(set)].map((key) => [key, { kind: 'set', text: '' } as const]));
  const fitted = fitPresetReplica({ ...inputs, gpus, ...set }, { ...origins, ...changed });
  return [fitted.tensorParallel, fitted.pipelineParallel, fitted.expertParallel];
}

it('takes the most that divide the GPUs, as stages divide layers', () => {
  expect(sizesOn('70b', 256)).toEqual([8, 4, undefined]);
  expect(sizesOn('70b', 48)).toEqual([8, 2, undefined]);
  expect(sizesOn('70b', 80)).toEqual([8, 2, undefined]);
  expect(sizesOn('70b', 8)).toEqual([8, 1, undefined]);
  expect(sizesOn('70b', 7)).toEqual([1, 1, undefined]);
  expect(sizesOn('1t-moe', 64)).toEqual([1, 16, 4]);
  expect(sizesOn('8b', 12)).toEqual([undefined, undefined, undefined]);
});

it('leaves what is given', () => {
  expect(sizesOn('70b', 48, { pipelineParallel: 4 })).toEqual([4, 4, undefined]);
  expect(sizesOn('70b', 48, { pipelineParallel: 4, tensorParallel: 8 })).toEqual([8, 4, undefined]);
  expect(sizesOn('70b', 48, { dataParallel: 2 })).toEqual([8, 4, undefined]);
});

it('blocks by memory alone where GPUs are too few', () => {
  const { inputs, origins } = documentOfPreset(presetOf('70b') ?? expect.fail());
  const few = makePlan({
    inputs: { ...inputs, gpus: 8, gpu: 'a100' },
    origins: { ...origins, gpus: { kind: 'set', text: '' } },
    measured: [],
    saved: [],
  });
  expect(few.blockers.map(({ id }) => id)).toEqual(['gpu-memory']);
});

it('are said to be the preset’s only where they are', () => {
  const { inputs, ...document } = documentOfPreset(presetOf('70b') ?? expect.fail());
  const on = (gpus: number, key: 'pipelineParallel' | 'tensorParallel') =>
    inputOrigin(
      { ...document, inputs: { ...inputs, gpus }, origins: { ...document.origins, gpus: { kind: 'set', text: '' } } },
      key,
    )?.text;
  expect(on(48, 'pipelineParallel')).toBe('Llama 3 70B has 4, which does not divide the GPUs');
  expect(on(48, 'tensorParallel')).toBe('Llama 3 70B');
  expect(on(256, 'pipelineParallel')).toBe('Llama 3 70B');
});
