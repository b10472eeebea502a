/** `stowage runs` as its users run it: on real files, whose times are set. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
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

it('says of each run what a policy lets go, and which is held', () => {
  const policy = path.join(folder, 'policy.yaml');
  writeFileSync(policy, 'keepLast: 2\n');
  const holds = path.join(folder, 'run', '.stowage', 'holds.yaml');
  mkdirSync(path.dirname(holds), { recursive: true });
  writeFileSync(holds, 'holds: [{path: global_step200, reason: golden}]\n');
  const report = JSON.parse(stowage('runs', folder, '--policy', policy, '--json').stdout) as RunsReport;
  expect(schemaErrors(validate, report)).toEqual([]);
  expect(report.runs[0]?.retention).toMatchObject({
    drop: ['run/global_step100', 'run/global_step300'],
    keep: 3,
    undecided: 1,
    refused: null,
  });
  writeFileSync(holds, 'holds: 5\n');
  const refused = stowage('runs', folder, '--policy', policy, '--no-color').stdout;
  expect(refused).toMatch(/run: has holds with an error: .stowage\/holds.yaml, line 1: holds must be\s+a\s+list/);
  rmSync(path.dirname(holds), { recursive: true });
});

it('writes a row for each job, in the form that the name of the file chooses', () => {
  const outputs = ['md', 'csv', 'arrow'].map((extension) => path.join(folder, `jobs.${extension}`));
  for (const output of outputs) expect(stowage('runs', folder, '--output', output)).toMatchObject({ status: 0, stdout: '' });
  const [markdown = '', csv = '', arrow = ''] = outputs.map((output) => readFileSync(output, 'latin1'));
  expect(markdown).toContain('](jobs-charts/jobs-bandwidth-of-rank.svg)');
  expect(existsSync(path.join(folder, 'jobs-charts', 'jobs-overlap.svg'))).toBe(true);
  expect(csv.split('\r\n')[1]).toMatch(/^run,torch-distributed,/);
  expect(arrow).toContain('bytesPerSecondPerRank');
});

it('keeps what it sees in a cache, and answers the same the next time', () => {
  const cache = path.join(folder, 'cache.gz');
  const search = (): RunsReport =>
    JSON.parse(stowage('runs', path.join(folder, 'run'), '--cache', cache, '--json').stdout) as RunsReport;
  const [first, second] = [search(), search()];
  expect(second.runs).toEqual(first.runs);
  expect(existsSync(cache)).toBe(true);
  expect(existsSync(`${cache}.new`)).toBe(false);
});

it.each([
  ['2 for an output of another kind', ['docs', '--output', 'jobs.xlsx'], 2],
  ['2 for an output and JSON', ['docs', '--output', 'jobs.csv', '--json'], 2],
  ['2 for a cache of telemetry', ['--telemetry', 'a.csv', '--cache', 'c.gz'], 2],
  ['3 for a policy that is not there', ['docs', '--policy', 'no such file'], 3],
  ['3 for a cache that is none', ['docs', '--cache', 'package.json'], 3],
  ['2 without a path', [], 2],
  ['2 for two forms', ['samples', '--json', '--markdown'], 2],
  ['3 for a directory that is not there', ['no such folder'], 3],
  ['0 where there is no run', ['docs'], 0],
])('ends with %s', (_name, args, status) => {
  expect(stowage('runs', ...args).status).toBe(status);
});
