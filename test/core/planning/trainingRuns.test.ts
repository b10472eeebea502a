/** The published runs of docs/plan.md: what their plans say, and that the remarks about differences hold. */
import { describe, expect, it } from 'vitest';
import { planOfRun, trainingRuns } from '../../../scripts/generate/trainingRuns.js';
import { smallJobFactor } from '../../../src/core/planning/saving/failureRates.js';
import { goodput } from '../../../src/core/planning/saving/interval.js';
import { stepSecondsOf } from '../../../src/core/planning/training/stepTime.js';

const runOf = (name: string) => {
  const run = trainingRuns.find((one) => one.name === name);
  if (run === undefined) throw new Error(`no run ${name}`);
  return { run, plan: planOfRun(run) };
};

describe('published training runs', () => {
  it.each(trainingRuns.map((run) => [run.name, run] as const))('%s has a source with its year, and a sentence', (_, run) => {
    expect(run.source).toMatch(/(?:19|20)\d\d|SC\d\d/);
    expect(run.remark).toMatch(/\.$/);
  });

  it.each(trainingRuns.filter(({ checkpointBytes }) => checkpointBytes !== null).map((run) => [run.name, run] as const))(
    '%s: the plan’s checkpoint is within 4 % of what was published',
    (_, run) => {
      expect(planOfRun(run).size.checkpointBytes / (run.checkpointBytes ?? 0)).toBeGreaterThan(0.96);
      expect(planOfRun(run).size.checkpointBytes / (run.checkpointBytes ?? 0)).toBeLessThan(1.04);
    },
  );

  it.each(trainingRuns.filter(({ mtbfSeconds }) => mtbfSeconds !== null).map((run) => [run.name, run] as const))(
    '%s failed between once and as often as small jobs do, against 1/N',
    (_, run) => {
      const factor = planOfRun(run).save.mtbfSeconds / (run.mtbfSeconds ?? 0);
      expect(factor).toBeGreaterThan(0.99);
      expect(factor).toBeLessThan(smallJobFactor(run.inputs.gpus ?? 1) * 1.05);
    },
  );

  it('are as their remarks say', () => {
    const { run: opt, plan: optPlan } = runOf('OPT-175B');
    expect((opt.checkpointBytes ?? 0) / optPlan.inputs.parameters).toBeCloseTo(9.7, 1);
    expect(optPlan.save.mtbfSeconds / (opt.mtbfSeconds ?? 1)).toBeCloseTo(3.7, 1);
    const { run: bloom, plan: bloomPlan } = runOf('BLOOM 176B');
    expect(bloomPlan.size.checkpointBytes / (bloom.checkpointBytes ?? 1)).toBeCloseTo(0.976, 3);
    const hours = bloomPlan.save.mtbfSeconds / 3600;
    expect(hours).toBeGreaterThan(84);
    expect(hours).toBeLessThan(168);
    const lost = bloomPlan.study.best.goodput - goodput(bloom.intervalSeconds ?? 0, bloomPlan.study.costs);
    expect(lost).toBeCloseTo(0.002, 3);
    const { run: megatron, plan: megatronPlan } = runOf('Megatron-LM 1T');
    expect(megatronPlan.size.checkpointBytes / (megatron.checkpointBytes ?? 1)).toBeCloseTo(1.023, 3);
    const { plan: llama } = runOf('Llama 3 405B');
    expect(llama.save.writers.largestWriterBytes / 1e6).toBeCloseTo(347, 0);
    expect(2e12 / llama.save.writeBytesPerSecond).toBeCloseTo(11, 0);
    expect((100 * runOf('MegaScale 175B').plan.save.mtbfSeconds) / 86_400).toBeCloseTo(17, 0);
    const { plan: palm } = runOf('PaLM 540B');
    const hundredSteps = 100 * (stepSecondsOf(palm.inputs) ?? 0);
    expect(hundredSteps / 60).toBeCloseTo(30, -1);
    expect(hundredSteps / palm.study.best.intervalSeconds).toBeCloseTo(3, 0);
    const { run: mpt, plan: mptPlan } = runOf('MPT-7B');
    expect(mptPlan.save.mtbfSeconds / (mpt.mtbfSeconds ?? 1)).toBeCloseTo(2, 1);
    const { run: deepseek, plan: deepseekPlan } = runOf('DeepSeek-V3');
    expect((deepseek.intervalSeconds ?? 0) ** 2 / (2 * deepseekPlan.save.mtbfSeconds)).toBeCloseTo(0.5, 1);
  });
});
