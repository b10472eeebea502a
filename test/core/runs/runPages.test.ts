/** What is shown of a run, and what a plan takes of it: the sample run, whose events are known. */
import { describe, expect, it } from 'vitest';
import { sampleRun } from '../../../scripts/samples/sampleRun.mjs';
import type { FileEntry } from '../../../src/core/files/fileTree.js';
import { checkpointTable } from '../../../src/core/pages/runs/checkpointTable.js';
import { runItems } from '../../../src/core/pages/runs/runItems.js';
import { runPage } from '../../../src/core/pages/runs/runPage.js';
import { underWayWords } from '../../../src/core/pages/runs/underWayWords.js';
import { makePlan } from '../../../src/core/planning/storagePlan.js';
import { planOfRun } from '../../../src/core/planning/sources/planOfRun.js';
import type { ReportedRun, RunsReport } from '../../../src/core/runs/runsReport.js';
import { saveUnderWay } from '../../../src/core/runs/saveUnderWay.js';

import { reportOfFiles } from '../../builders/reportOfFiles.js';

const endMs = Date.UTC(2026, 10, 27, 9);
const minuteMs = 60_000;

function reportOf(entries: FileEntry[] = sampleRun(endMs)): Promise<RunsReport> {
  return reportOfFiles('/scratch/llama-8b', entries, { freeBytes: 3e12, nowMs: endMs + minuteMs });
}

async function runOf(entries?: FileEntry[]): Promise<ReportedRun> {
  const [run] = (await reportOf(entries)).runs;
  return run ?? expect.fail('no run');
}

const withoutNewest = () => sampleRun(endMs).filter(({ path }) => !path.startsWith('checkpoint-5200/'));

describe('the page of a run', () => {
  it('says the worst first', async () => {
    const { verdict, reasons, subtitle } = runPage(await runOf());
    expect(subtitle).toBe('Hugging Face Trainer · 13 checkpoints · 1.37 TB');
    expect(verdict).toMatchObject({ severity: 'warning', text: expect.stringContaining('checkpoint-5200') as string });
    expect(reasons.join(' ')).toContain('41 minutes after the others at step 2,500');
    expect(reasons.join(' ')).toContain('Training went back from step 5,000');
  });

  it('draws what its times show, and marks what was planted', async () => {
    const { charts } = runPage(await runOf());
    expect(charts.map(({ id }) => id)).toEqual(['run-size', 'run-duration', 'run-rate', 'run-interval']);
    const marks = Object.fromEntries(charts.map(({ id, marks: ofChart }) => [id, ofChart.map(({ x, label }) => [x, label])]));
    expect(marks['run-duration']).toEqual([[2500, 'rank dp 3 · mp 0 late']]);
    expect(marks['run-interval']).toEqual([
      [3500, 'lost time'],
      [4400, 'went back'],
    ]);
    for (const { table, lines } of charts) expect(table.rows.length).toBe(lines[0]?.points.length);
  });

  it('draws sizes alone where the times are lost', async () => {
    const copied = sampleRun(endMs).map((file) => ({ ...file, createdMs: endMs, modifiedMs: endMs }));
    expect(runPage(await runOf(copied)).charts.map(({ id }) => id)).toEqual(['run-size']);
  });
});

describe('the table of a run', () => {
  it('has no duration and no rate of a save that was cut off', async () => {
    const { rows } = checkpointTable(await runOf());
    expect(rows.at(-1)?.slice(0, 7)).toEqual([
      'checkpoint-5200',
      '5,200',
      '16.1 GB',
      '2026-11-27 09:00 UTC',
      '–',
      '–',
      '25 files missing',
    ]);
    expect(rows[0]?.slice(4, 6)).toEqual(['59 s', '1.91 GB/s']);
  });
});

describe('the lines of a tree', () => {
  it('have the newest checkpoint first, with its age and what it lacks', async () => {
    const [run] = runItems(await reportOf(), endMs + 3 * minuteMs);
    expect(run).toMatchObject({ path: '', label: 'llama-8b', description: '13 checkpoints, 1.37 TB', isWrong: true });
    expect(run?.checkpoints[0]).toMatchObject({
      path: 'checkpoint-5200',
      description: 'step 5,200 · 16.1 GB · 3 minutes ago · 25 files missing',
      isWrong: true,
    });
    expect(run?.checkpoints.filter(({ isWrong }) => isWrong)).toHaveLength(1);
  });

  it('are plain text, whatever the names are', async () => {
    const hostile = sampleRun(endMs).map((file) => ({ ...file, path: `a\u202eb/${file.path}` }));
    const [run] = runItems(await reportOf(hostile), endMs);
    expect(run?.label).toBe('a\\u202eb');
  });
});

describe('a save that is under way', () => {
  const wordsAt = async (afterMs: number) => {
    const save = saveUnderWay(await runOf(), endMs + afterMs);
    return save === null ? null : underWayWords(save);
  };

  it('has its share, is stalled after what a save usually takes, and is cut off at last', async () => {
    expect(await wordsAt(10_000)).toBe('Saving step 5,200: 14.3 %');
    expect(await wordsAt(12 * minuteMs)).toBe('Step 5,200 stalled for 12 minutes, usual 59 s');
    expect(await wordsAt(61 * minuteMs)).toBeNull();
  });

  it('is not there once the newest is whole', async () => {
    expect(saveUnderWay(await runOf(withoutNewest()), endMs)).toBeNull();
  });
});

describe('a plan of a run', () => {
  it('takes the size, the interval and the rate that the files show, and says where they are from', async () => {
    const run = await runOf();
    const document = planOfRun('/scratch/llama-8b', run);
    const newest = run.checkpoints.find(({ path }) => path === 'checkpoint-5000');
    expect(document.inputs).toMatchObject({
      checkpointBytes: newest?.bytes,
      intervalSteps: 500,
      writeBytesPerSecond: run.save.effectiveBytesPerSecond,
    });
    // 28 s a step and a save of a minute.
    expect(document.inputs.stepSeconds).toBeCloseTo(28 + 59 / 500, 1);
    expect(document.origins.writeBytesPerSecond).toEqual({ kind: 'measured', text: 'llama-8b' });
    expect(document.measured.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(newest?.bytes);
    expect(document.saved).toHaveLength(13);
    expect(makePlan(document).save.intervalSeconds).toBeCloseTo(3.9 * 3600, -3);
  });

  it('takes nothing of times that are lost', async () => {
    const copied = sampleRun(endMs).map((file) => ({ ...file, createdMs: endMs, modifiedMs: endMs }));
    const { inputs } = planOfRun('/scratch/llama-8b', await runOf(copied));
    expect(inputs).toMatchObject({ intervalSteps: 500 });
    expect(inputs).not.toHaveProperty('writeBytesPerSecond');
    expect(inputs).not.toHaveProperty('stepSeconds');
  });
});
