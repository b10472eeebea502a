/** `stowage runs` as its users run it: on real files, whose times are set. */
import { mkdirSync, mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunsReport } from '../../../src/core/runs/runsReport.js';
import { compileSchemaFile, schemaErrors } from '../../builders/schemaErrors.js';
import { stowage } from './stowage.js';

const validate = compileSchemaFile('docs/runs-report.schema.json');
const startMs = Date.UTC(2026, 0, 5);
const hourMs = 3_600_000;
let folder = '';

/** Sparse files of 1 GB, written in 100 s each by two ranks, whose times are set: they were made later than that. */
function save(step: number, endMs: number, { ranks = 4, lateMs = 0 } = {}): void {
  const directory = path.join(folder, 'run', `global_step${step}`);
  mkdirSync(directory, { recursive: true });
  for (let rank = 0; rank < ranks; rank += 1)
    for (const part of [0, 1]) {
      const file = path.join(directory, `__${rank}_${part}.distcp`);
      writeFileSync(file, '');
      truncateSync(file, 1e9);
      const doneMs = endMs - (1 - part) * 100_000 + (rank === 3 ? lateMs : 0);
      utimesSync(file, doneMs / 1000, doneMs / 1000);
    }
  const metadata = path.join(directory, '.metadata');
  writeFileSync(metadata, 'x');
  utimesSync(metadata, (endMs + lateMs) / 1000, (endMs + lateMs) / 1000);
}

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stowage-'));
  for (const index of [1, 2, 3, 4, 5]) save(index * 100, startMs + index * hourMs, { lateMs: index === 4 ? 1_800_000 : 0 });
  save(600, startMs + 6 * hourMs, { ranks: 2 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('reports what saves took, who was late, and which lacks files', () => {
  const { stdout, status } = stowage('runs', path.join(folder, 'run'), '--json');
  expect(status).toBe(0);
  const report = JSON.parse(stdout) as RunsReport;
  expect(schemaErrors(validate, report)).toEqual([]);
  expect(report.runs).toHaveLength(1);
  const [run] = report.runs;
  expect(run).toMatchObject({
    framework: 'torch-distributed',
    intervals: { steps: 100, medianSeconds: 3600 },
    stale: ['global_step600'],
    gaps: [],
    timesLost: null,
    bytes: 44e9 + 6,
  });
  expect(run?.save.medianSeconds).toBeCloseTo(200, 0);
  expect(run?.save.effectiveBytesPerSecond).toBeCloseTo(40e6, -5);
  expect(run?.checkpoints.flatMap(({ step, lateRanks }) => lateRanks.map(({ rank }) => [step, rank]))).toEqual([[400, '3']]);
  // Sparse files take next to nothing.
  expect(run?.allocatedBytes).toBeLessThan(1e6);
});

it('begins with what matters', () => {
  const { stdout } = stowage('runs', path.join(folder, 'run'), '--no-color');
  const [first] = stdout.split('\n');
  expect(first).toBe('global_step600 lacks files that other saves have, or is under way, the newest save.');
  expect(stdout).toContain('Rank 3 finished 30 minutes after the others at step 400');
  expect(stowage('runs', path.join(folder, 'run'), '--markdown').stdout).toContain('| global\\_step100 |');
});

it.each([
  ['2 without a path', [], 2],
  ['2 for two forms', ['samples', '--json', '--markdown'], 2],
  ['3 for a directory that is not there', ['no such folder'], 3],
  ['0 where there is no run', ['docs'], 0],
])('ends with %s', (_name, args, status) => {
  expect(stowage('runs', ...args).status).toBe(status);
});
