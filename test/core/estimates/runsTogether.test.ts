/** Runs on one storage, against a simulation that saves and deletes one checkpoint after the other. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runsTogether, type TimedEstimate } from '../../../src/core/estimates/runsTogether.js';
import { runSize } from '../../../src/core/estimates/runSize.js';
import { runTimeline } from '../../../src/core/estimates/runTimeline.js';
import type { TrainingPlan } from '../../../src/core/configs/trainingPlan.js';
import { buildEstimate } from '../../../src/core/estimates/buildEstimate.js';
import type { EstimateReport } from '../../../src/core/estimates/estimateReport.js';
import { runsPage } from '../../../src/core/pages/estimate/runsPage.js';
import { estimateText, llamaConfig } from '../../builders/estimateText.js';
import { runs } from '../../builders/seed.js';

interface Run {
  steps: number;
  interval: number;
  keep: number | null;
  milestoneEvery: number | null;
}

const beside = { 'llama/config.json': llamaConfig() };
const trainer = ({ steps, interval, keep }: Run): string =>
  [
    'model_name_or_path: ./llama',
    'per_device_train_batch_size: 1',
    'learning_rate: 1.0e-4',
    'output_dir: out',
    `max_steps: ${steps}`,
    `save_steps: ${interval}`,
    ...(keep === null ? [] : [`save_total_limit: ${keep}`]),
    'bf16: true',
    'torch_dtype: float32',
    'optim: adamw_torch',
    '',
  ].join('\n');

async function reportOf(run: Run, path: string): Promise<EstimateReport> {
  const { estimate } = await estimateText('train.yaml', trainer(run), { beside });
  return buildEstimate(estimate, path);
}

async function estimated(name: string, text: string): Promise<TimedEstimate> {
  const { estimate, report } = await estimateText(name, text, { beside });
  return { report, timeline: estimate.timeline };
}

/** The same checkpoints, saved and kept by another plan. */
function planned(report: EstimateReport, path: string, plan: TrainingPlan): TimedEstimate {
  const bytes = { checkpoint: report.checkpoint.bytes, weights: (report.checkpoint.bytes ?? 0) / 2 };
  const { steps, ...run } = runSize(bytes, plan);
  return {
    report: { ...report, path, training: { ...report.training, steps }, run: { ...report.run, ...run } },
    timeline: runTimeline(bytes, plan, { steps, ...run }),
  };
}

function planOfRun({ steps, interval, keep, milestoneEvery }: Run): TrainingPlan {
  return {
    steps,
    saveIntervalSteps: interval,
    keep,
    ...(milestoneEvery === null ? {} : { keepEverySteps: milestoneEvery }),
  };
}

/** The same report for another run. */
function withRun(report: EstimateReport, run: Run, path: string): TimedEstimate {
  return planned(report, path, planOfRun(run));
}

/**
 * The step of the first save at which more may be there than the quota: each run saves and then deletes its oldest, one step after the other, and the most that
 * each has had at once may coincide.
 */
function simulate(runs: readonly Run[], checkpointBytes: number, quotaBytes: number): number | null {
  const there: number[][] = runs.map(() => []);
  const most = runs.map(() => 0);
  const last = Math.max(...runs.map(({ steps }) => steps));
  for (let step = 1; step <= last; step++) {
    const saving = runs.map(({ steps, interval }) => step <= steps && step % interval === 0);
    for (const [index, saves] of saving.entries()) if (saves) there[index]?.push(step);
    for (const [index, saved] of there.entries()) most[index] = Math.max(most[index] ?? 0, saved.length);
    if (most.reduce((sum, count) => sum + count, 0) * checkpointBytes > quotaBytes) return step;
    for (const [index, { keep, milestoneEvery }] of runs.entries()) {
      const saved = there[index] ?? [];
      if (keep === null || saving[index] !== true) continue;
      const oldest = saved.length - keep;
      there[index] = saved.filter((one, at) => at >= oldest || (milestoneEvery !== null && one % milestoneEvery === 0));
    }
  }
  return null;
}

const anyRun = fc.record<Run>({
  steps: fc.integer({ min: 1, max: 400 }),
  interval: fc.integer({ min: 1, max: 50 }),
  keep: fc.option(fc.integer({ min: 0, max: 6 })),
  milestoneEvery: fc.option(fc.integer({ min: 1, max: 200 })),
});

describe('runs on one storage', () => {
  it('are full at the save at which a simulation is', async () => {
    const base = await reportOf({ steps: 100, interval: 10, keep: null, milestoneEvery: null }, 'a');
    const bytes = base.checkpoint.bytes ?? 0;
    expect(bytes).toBeGreaterThan(0);
    fc.assert(
      fc.property(
        fc.array(anyRun, { minLength: 1, maxLength: 4 }),
        fc.double({ min: 0.1, max: 60, noNaN: true }),
        (runs, times) => {
          const quotaBytes = Math.ceil(times * bytes);
          const reports = runs.map((run, index) => withRun(base, run, `run-${index}`));
          const { quota } = runsTogether(reports, { quotaBytes, stepSeconds: 0.5 });
          const step = simulate(runs, bytes, quotaBytes);
          expect(quota?.full?.step ?? null).toBe(step);
          expect(quota?.full?.seconds ?? null).toBe(step === null ? null : step * 0.5);
          if (step !== null) expect(quota?.verdict).toBe('full');
        },
      ),
      runs(100),
    );
  });

  it('add up, with the one that is written before the oldest goes', async () => {
    const rotating = await reportOf({ steps: 100, interval: 10, keep: 3, milestoneEvery: null }, 'a');
    const first = withRun(rotating, { steps: 100, interval: 10, keep: 3, milestoneEvery: null }, 'a');
    const growing = withRun(rotating, { steps: 100, interval: 25, keep: null, milestoneEvery: null }, 'b');
    const one = rotating.checkpoint.bytes ?? 0;
    const kept = (rotating.run.kept ?? 0) + 4;
    const together = runsTogether([first, growing]);
    expect(together).toMatchObject({ bytes: kept * one, peakBytes: (kept + 1) * one, coverage: { runs: 2, of: 2 }, quota: null });
    expect(runsTogether([first, growing], { quotaBytes: (kept + 1) * one }).quota?.verdict).toBe('fits');
    expect(runsTogether([first, growing], { quotaBytes: (kept + 1) * one - 1 }).quota).toMatchObject({
      verdict: 'full',
      full: { path: 'a', step: 100, seconds: null },
    });
  });

  it('of which one has no known length are bounds, and a quota stays open', async () => {
    const base = await reportOf({ steps: 100, interval: 10, keep: 3, milestoneEvery: null }, 'a');
    const known = withRun(base, { steps: 100, interval: 10, keep: 3, milestoneEvery: null }, 'a');
    const open = planned(base, 'b', { epochs: 3, saveIntervalSteps: 10 });
    const together = runsTogether([known, planned(base, 'b', { epochs: 3 })], { quotaBytes: 1e15 });
    expect(together).toMatchObject({
      bytes: known.report.run.bytes,
      coverage: { runs: 1, of: 2 },
      quota: { verdict: 'unknown', full: null },
    });
    const page = runsPage([known.report, open.report], together);
    expect([page.decision, ...page.reasons].join(' ')).toMatch(
      /^1 of 2 runs together: at least .* Whether the quota of 1 PB is enough is not known/,
    );
    expect(page.table.rows[1]).toEqual(['b', '8.03 B', '96.4 GB', '–', '–', '–', '–']);
  });

  it('place what is written when a run ends, and say where saves of a run are at no known step', async () => {
    const base = await reportOf({ steps: 105, interval: 10, keep: 2, milestoneEvery: null }, 'a');
    const one = base.checkpoint.bytes ?? 0;
    const plan: TrainingPlan = { steps: 105, saveIntervalSteps: 10, keep: 2 };
    // The eleventh save is that of the last step; an export of half a checkpoint comes beside it.
    const ending = planned(base, 'a', { ...plan, keep: null, lastSave: 'all', endFolder: 'weights' });
    expect(runsTogether([ending], { quotaBytes: 11.2 * one }).quota?.full).toEqual({
      path: 'a',
      step: 105,
      seconds: null,
      isLatest: false,
      isIfReached: false,
    });
    const regular = planned(base, 'a', plan);
    const byEpochs = planned(base, 'b', { epochs: 3, saveIntervalEpochs: 1, keep: 2 });
    const { quota } = runsTogether([regular, byEpochs], { quotaBytes: 2.5 * one });
    expect(quota?.full).toMatchObject({ path: 'a', isLatest: true });
    const alone = runsTogether([byEpochs], { quotaBytes: 2.5 * one });
    expect(alone.quota).toMatchObject({ verdict: 'full', full: null });
    expect(runsPage([byEpochs.report], alone).reasons.join(' ')).toContain('a run saves at steps that are not known');
    const never = planned(base, 'c', { ...plan, notes: ['saves-never'] });
    expect(runsTogether([never], { quotaBytes: one }).quota).toMatchObject({ verdict: 'fits', full: null });
  });

  it('of which one never ends fill any quota where all checkpoints stay', async () => {
    const base = await reportOf({ steps: 100, interval: 10, keep: null, milestoneEvery: null }, 'a');
    const endless = planned(base, 'a', { saveIntervalSteps: 10, keep: null });
    const bytes = base.checkpoint.bytes ?? 0;
    const together = runsTogether([endless], { quotaBytes: 100 * bytes, stepSeconds: 2 });
    expect(together.quota).toEqual({
      quotaBytes: 100 * bytes,
      stepSeconds: 2,
      verdict: 'full',
      full: { path: 'a', step: 1010, seconds: 2020, isLatest: false, isIfReached: true },
    });
    const { decision, reasons } = runsPage([endless.report], together);
    expect([decision, ...reasons].join(' ')).toBe(
      `No config sets how much its run keeps. The quota of 9.64 TB is full after 33.7 minutes if the runs go on that far: the save at step 1,010 of a does not fit.`,
    );
  });

  it('are full only if one of unknown length goes on that far', async () => {
    const base = await reportOf({ steps: 1000, interval: 10, keep: null, milestoneEvery: null }, 'a');
    const one = base.checkpoint.bytes ?? 0;
    const whole = planned(base, 'a', { steps: 1000, saveIntervalSteps: 10, keep: null });
    const endless = planned(base, 'b', { epochs: 3, saveIntervalSteps: 10, keep: null });
    const both = runsTogether([whole, endless], { quotaBytes: 50 * one });
    expect(both.quota?.full).toMatchObject({ isIfReached: true });
    expect(runsPage([whole.report, endless.report], both).reasons.join(' ')).toContain(
      'is full if the runs go on that far: the save',
    );
    const alone = runsTogether([whole], { quotaBytes: 50 * one });
    expect(alone.quota?.full).toMatchObject({ isIfReached: false });
    expect(runsPage([whole.report], alone).decision).toMatch(/^1 run: /);
  });

  it('count the checkpoints between those of the interval', async () => {
    const base = await reportOf({ steps: 100, interval: 10, keep: null, milestoneEvery: null }, 'a');
    const one = base.checkpoint.bytes ?? 0;
    const fullAt = (plan: TrainingPlan, times: number) =>
      runsTogether([planned(base, 'a', plan)], { quotaBytes: times * one }).quota?.full?.step;
    // Megatron-LM: the newest two, of which the oldest goes first.
    const retained: TrainingPlan = {
      ...{ steps: 10_000, saveIntervalSteps: 3000, keep: 1, keepEverySteps: 6000, lastSave: 'all' },
      temporarySave: { saveIntervalSteps: 100, keep: 2 },
    };
    expect([0.5, 1.5, 2.5, 3.5, 4.5].map((times) => fullAt(retained, times))).toEqual([100, 200, 3000, 6000, 10_000]);
    // OLMo: one, which goes once the next is there.
    const ephemeral: TrainingPlan = {
      ...{ steps: 11_000, saveIntervalSteps: 1000, keep: null },
      temporarySave: { saveIntervalSteps: 250, keep: 1, untilNext: true, overlaps: true },
    };
    expect([0.5, 1.5, 2.5, 3.5].map((times) => fullAt(ephemeral, times))).toEqual([250, 500, 1500, 2500]);
    // Lightning: each is written once more before the newest of before goes.
    const twice: TrainingPlan = { steps: 50_000, saveIntervalSteps: 2500, keep: 4, newestAgain: true };
    expect([1.5, 2.5, 3.5, 4.5].map((times) => fullAt(twice, times))).toEqual([2500, 5000, 5000, 7500]);
  });

  it('never take less as they go on, and at the end as much as their peak', async () => {
    const base = await reportOf({ steps: 100, interval: 10, keep: null, milestoneEvery: null }, 'a');
    const anyPlan = fc.record({
      run: anyRun,
      between: fc.option(fc.integer({ min: 1, max: 40 })),
      keptBetween: fc.integer({ min: 1, max: 3 }),
      flags: fc.array(fc.constantFrom('untilNext', 'overlaps', 'stepsFromZero', 'newestAgain', 'savesByClock', 'atEachSave')),
      lastSave: fc.option(fc.constantFrom<'all' | 'weights'>('all', 'weights')),
      end: fc.option(fc.constantFrom<'all' | 'weights'>('all', 'weights')),
      deletes: fc.option(fc.constantFrom<'first' | 'at-end'>('first', 'at-end')),
      second: fc.option(fc.integer({ min: 1, max: 90 })),
    });
    fc.assert(
      fc.property(anyPlan, ({ run, between, keptBetween, flags, lastSave, end, deletes, second }) => {
        const has = (flag: (typeof flags)[number]) => flags.includes(flag);
        const plan: TrainingPlan = {
          ...planOfRun({ ...run, keep: run.keep === 0 ? 1 : run.keep }),
          ...(between === null
            ? {}
            : {
                temporarySave: {
                  saveIntervalSteps: between,
                  keep: keptBetween,
                  ...(has('untilNext') ? { untilNext: true } : {}),
                  ...(has('overlaps') ? { overlaps: true } : {}),
                },
              }),
          ...(lastSave === null
            ? {}
            : { lastSave: has('newestAgain') || has('overlaps') || run.keep !== null ? 'all' : lastSave }),
          ...(end === null ? {} : { endFolder: end }),
          // No framework overlaps those between and makes room before it saves one of the interval.
          ...(deletes === null || lastSave === 'weights' || has('overlaps') ? {} : { deletes }),
          ...(second === null || lastSave === 'weights' ? {} : { secondSave: { saveIntervalSteps: second, keep: 2 } }),
          ...(has('stepsFromZero') ? { stepsFromZero: true } : {}),
          ...(has('newestAgain') && run.keep !== null && run.keep > 1 ? { newestAgain: true } : {}),
          ...(has('savesByClock') ? { savesByClock: true } : {}),
          ...(has('atEachSave') ? { endFolderAtEachSave: true } : {}),
        };
        const { report, timeline } = planned(base, 'a', plan);
        let least = 0;
        for (let step = 0; step <= run.steps; step++) {
          const peak = timeline.peakBytesUntil(step);
          expect(peak, `step ${step}`).toBeGreaterThanOrEqual(least);
          least = peak;
        }
        expect(least).toBe(report.run.peakBytes);
      }),
      runs(200),
    );
  });

  it('of a config are full at the step of the run’s own copies', async () => {
    const flags =
      '--num-layers 2 --hidden-size 256 --num-attention-heads 4 --seq-length 128 --max-position-embeddings 128 --vocab-size 512 --tokenizer-type NullTokenizer --micro-batch-size 1 --global-batch-size 8 --bf16 --train-iters 10000 --save-interval 3000 --save-retain-interval 6000 --save ck --non-persistent-save-interval 100 --non-persistent-ckpt-type global';
    const run = await estimated('run.sh', `torchrun --nproc_per_node 8 pretrain_gpt.py ${flags}\n`);
    const one = run.report.checkpoint.bytes ?? 0;
    expect(runsTogether([run], { quotaBytes: 1.5 * one }).quota?.full?.step).toBe(200);
    expect(runsTogether([run], { quotaBytes: 4.1 * one }).quota?.full?.step).toBe(10_000);
  });
});
