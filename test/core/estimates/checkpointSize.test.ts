/** Sizes of checkpoints against published ones (shared reference, sizing.md 2.3) and against what writers are known to save. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completePlan } from '../../../src/core/configs/plans/completePlan.js';
import type { OptimizerId, TrainingPlan } from '../../../src/core/configs/trainingPlan.js';
import { checkpointSize, type SizeTermName } from '../../../src/core/estimates/checkpointSize.js';
import { runSize } from '../../../src/core/estimates/runSize.js';
import { runs } from '../../builders/seed.js';

const sizeOf = (parameters: number, plan: TrainingPlan) =>
  checkpointSize({ unique: parameters, groups: null, adapter: null }, plan);
const termsOf = (plan: TrainingPlan) =>
  sizeOf(1000, plan).terms.map(({ name, dtype, bytesPerParameter }) => [name, dtype, bytesPerParameter]);
const moments: [SizeTermName, string, number][] = [
  ['firstMoment', 'f32', 4],
  ['secondMoment', 'f32', 4],
];

describe('published checkpoints', () => {
  it.each<[string, number, TrainingPlan, number]>([
    ['MLPerf Storage 8B', 8_030_261_248, { writer: 'mlperf-storage', precision: 'f16' }, 112_423_657_472],
    ['MLPerf Storage 70B', 69_882_617_856, { writer: 'mlperf-storage', precision: 'f16', zeroStage: 3 }, 978_356_649_984],
    ['MLPerf Storage 405B', 405_853_388_800, { writer: 'mlperf-storage', precision: 'f16' }, 5_681_947_443_200],
    ['BLOOM 176B', 176_247_271_424, { writer: 'megatron', precision: 'bf16' }, 2_467_461_799_936],
    ['BLOOM 176B, weights', 176_247_271_424, { writer: 'megatron', precision: 'bf16', savesOptimizer: false }, 352_494_542_848],
    ['Megatron 1T', 1_008_038_707_200, { writer: 'megatron', precision: 'f16' }, 14_112_541_900_800],
    ['Llama 8B under ZeRO-3', 8_030_261_248, { writer: 'deepspeed', precision: 'bf16', zeroStage: 3 }, 96_363_134_976],
    ['a Trainer in 32 bits', 222_882_048, { writer: 'huggingface-trainer', precision: 'f32' }, 2_674_584_576],
    ['MaxText 70B', 70_000_000_000, { writer: 'maxtext', precision: 'bf16', parameterDtype: 'f32' }, 840_000_000_000],
    [
      'OPT 175B, memory-efficient',
      174_604_468_224,
      { writer: 'fsdp', precision: 'f16', parameterDtype: 'f16', momentDtypes: { first: 'f32', second: 'f32' } },
      1_746_044_682_240,
    ],
  ])('%s', (_, parameters, plan, bytes) => {
    expect(sizeOf(parameters, plan).bytes).toBe(bytes);
  });
});

describe('terms', () => {
  it('of a config that says nothing of training are mixed precision with Adam, and say so', () => {
    expect(termsOf({})).toEqual([['weights', 'bf16', 2], ['masterWeights', 'f32', 4], ...moments]);
    expect(sizeOf(1, {}).terms.map(({ source }) => source)).toEqual([
      'assumed-mixed-precision',
      'assumed-mixed-precision',
      'optimizer-assumed',
      'optimizer-assumed',
    ]);
  });

  it('have no copy in 32 bits where the weights are in 32 bits themselves', () => {
    for (const writer of ['torchtitan', 'maxtext', 'lightning', 'olmo', 'composer', 'nanogpt', 'huggingface-trainer'] as const)
      expect(termsOf({ writer, precision: 'bf16' }), writer).toEqual([['weights', 'f32', 4], ...moments]);
  });

  it('are all in 16 bits where training is', () => {
    expect(termsOf({ writer: 'torchtune', precision: 'bf16' }).map(([, , bytes]) => bytes)).toEqual([2, 2, 2]);
    expect(termsOf({ writer: 'lightning', precision: 'bf16', parameterDtype: 'bf16' }).map(([, , bytes]) => bytes)).toEqual([
      2, 2, 2,
    ]);
  });

  it('of ZeRO-3 have weights only where they are gathered', () => {
    const plan: TrainingPlan = { writer: 'deepspeed', precision: 'bf16', zeroStage: 3 };
    expect(termsOf(plan)).toEqual([['masterWeights', 'f32', 4], ...moments]);
    expect(termsOf({ ...plan, gathersWeights: true })).toEqual([['weights', 'bf16', 2], ['masterWeights', 'f32', 4], ...moments]);
  });

  it('of a model alone that is not gathered are the whole sharded state', () => {
    const plan: TrainingPlan = { writer: 'huggingface-trainer', precision: 'bf16', zeroStage: 3, savesOptimizer: false };
    expect(termsOf(plan)).toEqual([['masterWeights', 'f32', 4], ...moments]);
    expect(termsOf({ ...plan, gathersWeights: true })).toEqual([['weights', 'bf16', 2]]);
  });

  it('under DeepSpeed have 16-bit weights whatever the program around it keeps', () => {
    const plan: TrainingPlan = { writer: 'lightning', precision: 'bf16', parameterDtype: 'f32', zeroStage: 2 };
    expect(termsOf(plan)).toEqual([['weights', 'bf16', 2], ['masterWeights', 'f32', 4], ...moments]);
  });

  it('of a Trainer over DeepSpeed have the weights twice', () => {
    expect(termsOf({ writer: 'huggingface-trainer', precision: 'bf16', zeroStage: 2 })).toEqual([
      ['weights', 'bf16', 2],
      ['masterWeights', 'f32', 4],
      ...moments,
      ['exportedWeights', 'bf16', 2],
    ]);
    const alone: TrainingPlan = { writer: 'huggingface-trainer', precision: 'bf16', zeroStage: 2, savesOptimizer: false };
    expect(termsOf(alone)).toEqual([['weights', 'bf16', 2]]);
  });

  it('are weights alone where only the model is saved', () => {
    expect(termsOf({ writer: 'huggingface-trainer', precision: 'bf16', savesOptimizer: false })).toEqual([['weights', 'f32', 4]]);
  });

  it('of an adapter are its own parameters in 32 bits', () => {
    const adapter = { parameters: 1_000_000 };
    const size = checkpointSize(
      { unique: 8_030_261_248, groups: null, adapter },
      { writer: 'huggingface-trainer', precision: 'bf16' },
    );
    expect([size.bytes, size.bytesPerParameter, size.parameters]).toEqual([12_000_000, 12, 1_000_000]);
  });

  it('of an optimizer that goes by shapes are those of a usual matrix where shapes are not known, and say so', () => {
    const [, state] = sizeOf(1_000_000_000, { writer: 'deepspeed', precision: 'f32', optimizer: 'adafactor' }).terms.filter(
      ({ name }) => name !== 'masterWeights',
    );
    // Row and column means of a square of 4,096: 2 x 4 / 4,096 bytes a parameter.
    expect(state).toMatchObject({
      name: 'secondMoment',
      bytes: 1_953_125,
      bytesPerParameter: 8 / 4096,
      source: 'optimizer-square',
    });
  });

  it('have bytes a parameter without a model', () => {
    const size = checkpointSize(
      { unique: null, groups: null, adapter: null },
      { writer: 'deepspeed', precision: 'bf16', zeroStage: 1 },
    );
    expect([size.bytes, size.bytesPerParameter]).toEqual([null, 14]);
    expect(size.terms.map(({ bytes }) => bytes)).toEqual([null, null, null, null]);
  });

  it('sum to the checkpoint, whatever the plan', () => {
    const plans = fc.record<TrainingPlan>(
      {
        writer: fc.constantFrom('deepspeed', 'megatron', 'fsdp', 'huggingface-trainer', 'torchtune'),
        precision: fc.constantFrom('bf16', 'f16', 'f32', 'f8'),
        parameterDtype: fc.constantFrom('bf16', 'f32'),
        optimizer: fc.constantFrom<OptimizerId[]>('adam', 'adam-8bit', 'lion', 'adafactor', 'muon', 'sgd', 'soap', 'galore'),
        zeroStage: fc.integer({ min: 0, max: 3 }),
        gathersWeights: fc.boolean(),
        hasAverage: fc.boolean(),
        savesOptimizer: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(plans, fc.integer({ min: 1, max: 2 ** 40 }), (plan, parameters) => {
        const size = sizeOf(parameters, plan);
        expect(size.terms.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)).toBe(size.bytes);
        expect(size.bytesPerParameter * parameters).toBeCloseTo(size.bytes ?? -1, -2);
      }),
      runs(100),
    );
  });
});

describe('a run', () => {
  it('keeps as many checkpoints as are given, and no more than it writes', () => {
    const plan: TrainingPlan = { steps: 1000, saveIntervalSteps: 100, keep: 3 };
    expect(runSize({ checkpoint: 10, weights: null }, plan)).toEqual({
      steps: 1000,
      saves: 10,
      kept: 3,
      bytes: 30,
      peakBytes: 40,
      writtenBytes: 100,
      lastBytes: null,
      endBytes: null,
      temporaryBytes: null,
    });
    expect(runSize({ checkpoint: 10, weights: null }, { ...plan, keep: 30 }).kept).toBe(10);
    expect(runSize({ checkpoint: 10, weights: null }, { ...plan, keep: null }).kept).toBe(10);
    expect(runSize({ checkpoint: 10, weights: null }, { ...plan, keepEverySteps: 500 }).kept).toBe(4);
  });

  it('is as long as its tokens', () => {
    const plan = completePlan({ maxTokens: 1_000_000, globalBatch: 10, sequenceLength: 100, saveIntervalSteps: 300 });
    expect(runSize({ checkpoint: 1, weights: null }, plan)).toMatchObject({ steps: 1000, saves: 3, kept: 3 });
  });

  it('has no number where the config says none, and none for absurd ones', () => {
    expect(runSize({ checkpoint: 10, weights: null }, {})).toEqual({
      steps: null,
      saves: null,
      kept: null,
      bytes: null,
      peakBytes: null,
      writtenBytes: null,
      lastBytes: null,
      endBytes: null,
      temporaryBytes: null,
    });
    expect(runSize({ checkpoint: 10, weights: null }, { steps: 1000, saveIntervalSteps: 0 })).toMatchObject({
      saves: null,
      kept: null,
    });
    expect(runSize({ checkpoint: 2 ** 50, weights: null }, { steps: 2 ** 40, saveIntervalSteps: 1 })).toMatchObject({
      bytes: null,
    });
    expect(runSize({ checkpoint: 10, weights: null }, { keep: 4 })).toMatchObject({ saves: null, kept: 4, bytes: 40 });
  });
});
