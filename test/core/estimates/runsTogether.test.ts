/** Runs on one storage, against a simulation that saves and deletes one checkpoint after the other. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runsTogether } from '../../../src/core/estimates/runsTogether.js';
import { keptAfter } from '../../../src/core/estimates/runSize.js';
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

/** The same report for another run: the same checkpoints, saved and kept otherwise. */
function withRun(report: EstimateReport, { steps, interval, keep, milestoneEvery }: Run, path: string): EstimateReport {
  const bytes = report.checkpoint.bytes ?? 0;
  const saves = Math.floor(steps / interval);
  const kept =
    keptAfter(saves, {
      saveIntervalSteps: interval,
      keep,
      ...(milestoneEvery === null ? {} : { keepEverySteps: milestoneEvery }),
    }) ?? 0;
  return {
    ...report,
    path,
    training: { ...report.training, steps, saveIntervalSteps: interval, keep, keepEverySteps: milestoneEvery },
    run: { ...report.run, saves, kept, bytes: kept * bytes, writtenBytes: saves * bytes },
  };
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
    const growing = withRun(rotating, { steps: 100, interval: 25, keep: null, milestoneEvery: null }, 'b');
    const one = rotating.checkpoint.bytes ?? 0;
    const kept = (rotating.run.kept ?? 0) + 4;
    const together = runsTogether([rotating, growing]);
    expect(together).toMatchObject({ bytes: kept * one, peakBytes: (kept + 1) * one, coverage: { runs: 2, of: 2 }, quota: null });
    expect(runsTogether([rotating, growing], { quotaBytes: (kept + 1) * one }).quota?.verdict).toBe('fits');
    expect(runsTogether([rotating, growing], { quotaBytes: (kept + 1) * one - 1 }).quota).toMatchObject({
      verdict: 'full',
      full: { path: 'a', step: 100, seconds: null },
    });
  });

  it('of which one has no known length are bounds, and a quota stays open', async () => {
    const known = await reportOf({ steps: 100, interval: 10, keep: 3, milestoneEvery: null }, 'a');
    const open: EstimateReport = {
      ...known,
      path: 'b',
      training: { ...known.training, saveIntervalSteps: null, steps: null, epochs: 3 },
      run: { ...known.run, saves: null, kept: null, bytes: null, peakBytes: null, writtenBytes: null },
    };
    const together = runsTogether([known, open], { quotaBytes: 1e15 });
    expect(together).toMatchObject({
      bytes: known.run.bytes,
      coverage: { runs: 1, of: 2 },
      quota: { verdict: 'unknown', full: null },
    });
    const page = runsPage([known, open], together);
    expect([page.decision, ...page.reasons].join(' ')).toMatch(
      /^1 of 2 runs together: at least .* Whether the quota of 1 PB is enough is not known/,
    );
    expect(page.table.rows[1]).toEqual(['b', '8.03 B', '96.4 GB', '–', '–', '–', '–']);
  });

  it('place what is written when a run ends, and say where saves of a run are at no known step', async () => {
    const base = await reportOf({ steps: 105, interval: 10, keep: 2, milestoneEvery: null }, 'a');
    const one = base.checkpoint.bytes ?? 0;
    // The eleventh save is that of the last step; an export of half a checkpoint comes beside it.
    const ending: EstimateReport = { ...base, run: { ...base.run, endBytes: one / 2, bytes: 3.5 * one, peakBytes: 3.5 * one } };
    expect(runsTogether([ending], { quotaBytes: 3.2 * one }).quota?.full).toEqual({
      path: 'a',
      step: 105,
      seconds: null,
      isLatest: false,
    });
    const byEpochs: EstimateReport = {
      ...base,
      path: 'b',
      training: { ...base.training, saveIntervalSteps: null, epochs: 3 },
      run: { ...base.run, saves: 3, kept: 2, bytes: 2 * one, peakBytes: 3 * one, writtenBytes: 3 * one },
    };
    const { quota } = runsTogether([base, byEpochs], { quotaBytes: 2.5 * one });
    expect(quota?.full).toMatchObject({ path: 'a', isLatest: true });
    // A second kind of checkpoints has an interval of its own.
    const twoKinds: EstimateReport = { ...base, run: { ...base.run, kept: 9, bytes: 9 * one, peakBytes: 10 * one } };
    expect(runsTogether([twoKinds], { quotaBytes: 2.5 * one }).quota?.full?.isLatest).toBe(true);
    const never: EstimateReport = { ...base, run: { ...base.run, saves: 0, kept: 0, bytes: 0, peakBytes: 0, writtenBytes: 0 } };
    expect(runsTogether([never], { quotaBytes: one }).quota).toMatchObject({ verdict: 'fits', full: null });
  });

  it('of which one never ends fill any quota where all checkpoints stay', async () => {
    const known = await reportOf({ steps: 100, interval: 10, keep: null, milestoneEvery: null }, 'a');
    const endless: EstimateReport = {
      ...known,
      training: { ...known.training, steps: null },
      run: { ...known.run, saves: null, kept: null, bytes: null, peakBytes: null, writtenBytes: null },
    };
    const bytes = known.checkpoint.bytes ?? 0;
    const together = runsTogether([endless], { quotaBytes: 100 * bytes, stepSeconds: 2 });
    expect(together.quota).toEqual({
      quotaBytes: 100 * bytes,
      stepSeconds: 2,
      verdict: 'full',
      full: { path: 'a', step: 1010, seconds: 2020, isLatest: false },
    });
    const { decision, reasons } = runsPage([endless], together);
    expect([decision, ...reasons].join(' ')).toBe(
      `No config sets how much its run keeps. The quota of 9.64 TB is full after 33.7 minutes: the save at step 1,010 of a does not fit.`,
    );
  });
});
