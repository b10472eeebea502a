/** Jobs in the tables of other programs, and in the pictures of a study. */
import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { sampleRun } from '../../../scripts/samples/sampleRun.mjs';
import { jobCharts } from '../../../src/core/pages/runs/jobCharts.js';
import { jobColumns, jobOfRun, type Job } from '../../../src/core/runs/jobs/job.js';
import { jobsArrow } from '../../../src/core/runs/jobs/jobsArrow.js';
import { jobsCsv } from '../../../src/core/runs/jobs/jobsCsv.js';
import { reportOfFiles } from '../../builders/reportOfFiles.js';

const job = (more: Partial<Job>): Job => ({
  name: 'a',
  framework: 'deepspeed',
  owner: null,
  saves: 3,
  newestStep: 30,
  newestAt: '2026-11-27T09:00:00.000Z',
  bytes: 3e12,
  allocatedBytes: 3e12,
  saveBytes: 1e12,
  intervalSeconds: 3600,
  saveSeconds: 60,
  bytesPerSecond: 16e9,
  bytesPerSecondPerRank: 2e9,
  overlap: 0.02,
  parametersLow: 62e9,
  parametersHigh: 500e9,
  couldFreeBytes: null,
  ...more,
});
const jobs = [
  job({}),
  job({ name: 'b,"c"\n=1+1', owner: 'ann', bytes: null, saveBytes: 2e10, intervalSeconds: null, overlap: 0.2 }),
];

describe('a table of jobs', () => {
  it('has the same numbers in CSV and in Arrow, and nothing where nothing is known', () => {
    const [header, ...rows] = jobsCsv(jobs).trimEnd().split('\r\n');
    expect(header?.split(',')).toEqual(jobColumns);
    expect(rows[0]).toBe(
      'a,deepspeed,,3,30,2026-11-27T09:00:00.000Z,3000000000000,3000000000000,1000000000000,3600,60,16000000000,2000000000,0.02,62000000000,500000000000,',
    );
    const table = tableFromIPC(jobsArrow(jobs));
    expect(table.numRows).toBe(2);
    expect(table.schema.fields.map(({ name }) => name)).toEqual(jobColumns);
    // Whole numbers are 64-bit integers there: steps and bytes have no fraction.
    const whole = (one: Job) => {
      const big = (value: number | null) => (value === null ? null : BigInt(value));
      const { saves, newestStep, bytes, allocatedBytes, couldFreeBytes } = one;
      return {
        ...one,
        saves: big(saves),
        newestStep: big(newestStep),
        bytes: big(bytes),
        allocatedBytes: big(allocatedBytes),
        couldFreeBytes: big(couldFreeBytes),
      };
    };
    for (const [index, one] of jobs.entries()) expect(table.get(index)?.toJSON()).toEqual(whole(one));
  });

  it('says of a run what its files show', async () => {
    const endMs = Date.UTC(2026, 10, 27, 9);
    const report = await reportOfFiles('/scratch/llama-8b', sampleRun(endMs), { freeBytes: null, nowMs: endMs });
    const [run] = report.runs;
    // Training went back from step 5,000, and the newest save was cut off.
    if (run === undefined) throw new Error('no run');
    expect(jobOfRun(run)).toMatchObject({ name: '.', saves: 13, newestStep: 4800, intervalSeconds: run.intervals.medianSeconds });
    expect(run.ranks).toBe(8);
    expect(run.save.bytesPerSecondPerRank).toBeCloseTo((run.save.effectiveBytesPerSecond ?? 0) / 8, 3);
    // 8.03 B parameters.
    expect(run.estimatedParameters?.low).toBeLessThanOrEqual(8.03e9);
    expect(run.estimatedParameters?.high).toBeGreaterThanOrEqual(8.03e9);
  });
});

describe('the pictures of jobs', () => {
  it('are four, each with the jobs of which the number is known, by the size of a save', () => {
    const charts = jobCharts(jobs);
    expect(charts.map(({ id, rows }) => [id, rows.map(({ dots }) => dots.length)])).toEqual([
      ['jobs-interval', [1]],
      ['jobs-bandwidth', [1, 1]],
      ['jobs-bandwidth-of-rank', [1, 1]],
      ['jobs-overlap', [1, 1]],
    ]);
    expect(charts[3]?.table.rows).toEqual([
      ['below 100 GB (7 B)', '1', '20 %', '20 %', '20 %'],
      ['1 to 10 TB (70 to 700 B)', '1', '2 %', '2 %', '2 %'],
    ]);
  });

  it('are none where nothing is known', () => {
    expect(jobCharts([job({ intervalSeconds: null, bytesPerSecond: null, bytesPerSecondPerRank: null, overlap: null })])).toEqual(
      [],
    );
  });
});
