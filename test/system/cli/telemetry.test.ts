/** `stowage runs --telemetry` as its users run it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TelemetryReport } from '../../../src/core/runs/telemetry/telemetryReport.js';
import { compileSchemaFile, schemaErrors } from '../../builders/schemaErrors.js';
import { stowage } from './stowage.js';

let folder = '';
const file = (name: string) => path.join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stowage-'));
  const rows = Array.from({ length: 2000 }, (_row, cell) => `${1.7e9 + cell * 10},${1e6 + (cell % 180 < 36 ? 1e9 : 0)},0`);
  writeFileSync(file('a.csv'), ['when,written,readBytesPerSecond', ...rows].join('\n'));
  writeFileSync(file('empty.csv'), '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const columns = ['--columns', 'time=when,writeBytesPerSecond=written'];

it('reports the job in a table of other column names', () => {
  const { stdout, status } = stowage('runs', '--telemetry', file('a.csv'), ...columns, '--json');
  expect(status).toBe(0);
  const report = JSON.parse(stdout) as TelemetryReport;
  expect(schemaErrors(compileSchemaFile('docs/telemetry-report.schema.json'), report)).toEqual([]);
  expect(report.jobs).toHaveLength(1);
  expect(report.jobs[0]).toMatchObject({ medianIntervalSeconds: 1800, medianBytes: 360e9, overlap: 0.2 });
});

it('begins with what matters', () => {
  const { stdout } = stowage('runs', '--telemetry', file('a.csv'), ...columns, '--no-color');
  expect(stdout.split('\n')[0]).toMatch(/^A save of the job is under way for 20 % of the time; 1 job with 1\d saves in all\.$/);
  expect(stowage('runs', '--telemetry', file('a.csv'), ...columns, '--markdown').stdout).toContain('| 360 GB |');
});

it.each([
  ['2 for a directory besides', ['docs', '--telemetry', 'a.csv'], 2],
  ['2 for columns without telemetry', ['docs', '--columns', 'time=a'], 2],
  ['2 for columns that are none', ['--telemetry', 'README.md', '--columns', 'load=a'], 2],
  ['2 for columns without names', ['--telemetry', 'README.md', '--columns', 'time'], 2],
  ['3 for a file that is not there', ['--telemetry', 'no such file'], 3],
  ['3 for a file of another kind', ['--telemetry', 'README.md'], 3],
])('ends with %s', (_name, args, status) => {
  expect(stowage('runs', ...args).status).toBe(status);
});

it('says what is wrong with a file', () => {
  expect(stowage('runs', '--telemetry', file('empty.csv')).stderr).toContain('it is empty');
  expect(stowage('runs', '--telemetry', file('a.csv')).stderr).toContain(
    'no column time among when, written and readBytesPerSecond',
  );
});
