/** `--log` of `stowage verify` and `stowage values`, and what `stowage inspect` has of it, as their users run them. */
import {
  appendFileSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import type { Report } from '../../../src/core/inspection/report.js';
import type { LogEntry } from '../../../src/core/verification/log/verifiedLog.js';
import type { VerificationReport } from '../../../src/core/verification/verification.js';
import type { ValuesReport } from '../../../src/core/values/valuesReport.js';
import { startWorkerInspector } from '../../../src/platform/workerInspector.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { compileSchemaFile, schemaErrors } from '../../builders/schemaErrors.js';
import { flipped } from '../../builders/verification.js';
import { stowage } from './stowage.js';

const schemas = {
  log: compileSchemaFile('docs/stowage-verified.schema.json'),
  verify: compileSchemaFile('docs/verification-report.schema.json'),
  values: compileSchemaFile('docs/values-report.schema.json'),
  inspect: compileSchemaFile('docs/report.schema.json'),
};

let folder = '';
let run = '';
let checkpoint = '';
let log = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stowage-log-'));
  run = path.join(folder, 'run');
  checkpoint = path.join(run, 'checkpoint-10');
  log = path.join(run, '.stowage', 'verified.json');
  for (const step of [10, 20]) {
    const folderOfStep = path.join(run, `checkpoint-${step}`);
    mkdirSync(folderOfStep, { recursive: true });
    cpSync('test/fixtures/frameworks/torch/dtypes/data/dtypes.pt', path.join(folderOfStep, 'optimizer.pt'));
    writeFileSync(path.join(folderOfStep, 'model.safetensors'), weights(step));
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function weights(value: number): Uint8Array {
  const data = new Uint8Array(Float32Array.from([value, 1, 2, 3]).buffer);
  return buildSafetensors({ tensors: { 'layer.weight': { dtype: 'F32', shape: [2, 2], data } } });
}

interface Answer<Answered> {
  status: number | null;
  report: Answered;
}

function answer<Answered>(command: 'verify' | 'values' | 'inspect', ...args: string[]): Answer<Answered> {
  const { status, stdout, stderr } = stowage(command, ...args, '--json');
  if (stdout === '') throw new Error(stderr);
  const report = JSON.parse(stdout) as Answered;
  expect(schemaErrors(schemas[command], report)).toEqual([]);
  return { status, report };
}

const verify = (...args: string[]) => answer<VerificationReport>('verify', ...args);
const logged = (target = checkpoint): NonNullable<Report['loggedChecks']> =>
  answer<Report>('inspect', target).report.loggedChecks ?? [];

function entries(): LogEntry[] {
  const value = JSON.parse(readFileSync(log, 'utf8')) as { entries: LogEntry[] };
  expect(schemaErrors(schemas.log, value)).toEqual([]);
  return value.entries;
}

describe('the log of verifications', () => {
  it('is written where that is asked for, beside the path, and shown in its report', () => {
    verify(checkpoint);
    expect(existsSync(path.dirname(log))).toBe(false);
    const { status, report } = verify(checkpoint, '--log');
    expect(status).toBe(0);
    expect(report.log).toEqual({ path: log, problem: null });
    expect(readdirSync(path.dirname(log))).toEqual(['verified.json']);
    expect(entries()).toMatchObject([{ name: 'checkpoint-10', what: 'verify', matched: 1, unverifiable: 1, by: ['zip-crc32'] }]);
    expect(logged()).toMatchObject([{ path: '', matched: 1, files: 2, changed: null }]);
    expect(logged(`${checkpoint}/`)).toHaveLength(1);
    expect(stowage('inspect', checkpoint).stdout).toMatch(/\nChecksums: 1 of 2 files matched on \d{4}-\d{2}-\d{2} \(/);
  });

  it('knows of each change of a name, a size or a time, also where the time is older', () => {
    verify(checkpoint, '--log');
    const file = path.join(checkpoint, 'model.safetensors');
    utimesSync(file, 1_000_000, 1_000_000);
    expect(logged()).toMatchObject([{ changed: { files: 2, newer: 0 } }]);
    verify(checkpoint, '--log');
    expect(logged()).toMatchObject([{ changed: null }]);
    writeFileSync(path.join(checkpoint, 'notes.txt'), 'x');
    expect(logged()).toMatchObject([{ changed: { files: 3, newer: 1 } }]);
  });

  it('has values as well, and the last of each kind', () => {
    verify(checkpoint, '--log');
    verify(checkpoint, '--log');
    const { status, report } = answer<ValuesReport>('values', checkpoint, '--log');
    expect([status, report.log?.problem]).toEqual([0, null]);
    expect(entries().map(({ what }) => what)).toEqual(['verify', 'values']);
    writeFileSync(path.join(checkpoint, 'model.safetensors'), weights(NaN));
    expect(answer('values', checkpoint, '--log').status).toBe(1);
    expect(entries()).toMatchObject([{ what: 'verify' }, { what: 'values', notFinite: 1 }]);
    const { findings } = answer<Report>('inspect', checkpoint).report;
    expect(findings.map(({ code }) => code)).toContain('logged-values-not-finite');
  });

  it('has what failed, which is a finding of its report', () => {
    const file = path.join(checkpoint, 'optimizer.pt');
    const bytes = readFileSync(file);
    writeFileSync(file, flipped(bytes, 8 * (bytes.indexOf('dtypes/data/0') + 100)));
    expect(verify(checkpoint, '--log').status).toBe(1);
    const { findings } = answer<Report>('inspect', checkpoint).report;
    expect(findings).toContainEqual(expect.objectContaining({ code: 'logged-verification-failed', severity: 'warning' }));
    expect(stowage('inspect', checkpoint, '--fail-on', 'warning').status).toBe(1);
  });

  it('of a run has each checkpoint, whose files are the same by themselves and in the run', () => {
    symlinkSync(path.join('..', 'checkpoint-20', 'model.safetensors'), path.join(checkpoint, 'shared.safetensors'));
    linkSync(path.join(run, 'checkpoint-20', 'optimizer.pt'), path.join(checkpoint, 'scheduler.pt'));
    symlinkSync('checkpoint-20', path.join(run, 'latest'));
    for (const step of [10, 20]) verify(path.join(run, `checkpoint-${step}`), '--log');
    verify(run, '--log');
    expect(logged(run)).toMatchObject([
      { path: '', changed: null },
      { path: 'checkpoint-10', changed: null },
      { path: 'checkpoint-20', changed: null },
    ]);
  });

  it('is no file that a manifest lists: a later entry changes nothing that was hashed', () => {
    verify(checkpoint, '--log');
    verify(run, '--create', '--output', path.join(folder, 'manifest'));
    verify(path.join(run, 'checkpoint-20'), '--log');
    const { status, report } = verify(run, '--manifest', path.join(folder, 'manifest', 'stowage-manifest.json'));
    expect([status, report.failed]).toEqual([0, 0]);
    expect(report.files.map(({ path: file }) => file).filter((file) => file.includes('verified.json'))).toEqual([]);
  });
});

describe('what is there in place of a log', () => {
  const refused = (problem: RegExp): void => {
    const { status, report } = verify(checkpoint, '--log');
    expect(status).toBe(3);
    expect(report.failed).toBe(0);
    expect(report.log?.problem).toMatch(problem);
    expect(stowage('verify', checkpoint, '--log').stdout).toContain('Not logged in');
  };

  it.each([
    ['of another program', '{"mine": true}', /^it is no log of verifications of version 1; move it away/],
    ['cut off', '{"kind":"stowage-verified","schemaV', /^it is no JSON; move it away/],
    ['of a later version', '{"kind":"stowage-verified","schemaVersion":2,"entries":[]}', /of version 1; move it away/],
  ])('stays where it is %s', (_what, text, problem) => {
    mkdirSync(path.dirname(log));
    writeFileSync(log, text);
    refused(problem);
    expect(readFileSync(log, 'utf8')).toBe(text);
    expect(readdirSync(path.dirname(log))).toEqual(['verified.json']);
    const { checks } = answer<Report>('inspect', checkpoint).report;
    expect(checks.notDone.join()).toContain('what the log of verifications has, which cannot be used');
  });

  it('stays where it is larger than what is read', () => {
    mkdirSync(path.dirname(log));
    writeFileSync(log, '');
    truncateSync(log, limits.verifiedLogBytes + 1);
    refused(/more than the 4194304/);
    expect(lstatSync(log).size).toBe(limits.verifiedLogBytes + 1);
  });

  it('is not followed where it is a link, or in a folder that is one', () => {
    const elsewhere = path.join(run, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, path.dirname(log));
    refused(/\.stowage is a link or no directory/);
    expect(readdirSync(elsewhere)).toEqual([]);
    rmSync(path.dirname(log));
    mkdirSync(path.dirname(log));
    writeFileSync(path.join(elsewhere, 'kept'), 'kept');
    symlinkSync(path.join(elsewhere, 'kept'), log);
    refused(/not a regular file/);
    expect(readFileSync(path.join(elsewhere, 'kept'), 'utf8')).toBe('kept');
  });

  it('is reported where it cannot be made', () => {
    writeFileSync(path.dirname(log), 'a file');
    refused(/\.stowage is a link or no directory/);
  });
});

describe('usage', () => {
  it.each([
    [['verify', 'PATH', '--log', '--against', 'x.json'], '--log goes with files that are read'],
    [['values', 'PATH', '--log', '--sample', '1%'], 'log goes with all values of all tensors'],
    [['values', 'PATH', '--log', '--tensors', '*'], 'log goes with all values of all tensors'],
    [['values', 'PATH', '--log', '--tensors', 'layer.weight', '--slice', '0'], 'log goes with all values of all tensors'],
  ])('%j is refused', (args, message) => {
    const { status, stderr } = stowage(...args.map((arg) => (arg === 'PATH' ? checkpoint : arg)));
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(existsSync(log)).toBe(false);
  });
});

it('the inspection worker enters what it found, and its next report has it', async () => {
  const target = { kind: 'local', path: checkpoint, rootPaths: [run] } as const;
  const inspector = startWorkerInspector(path.resolve('dist/inspectionWorker.js'), target);
  try {
    const { endpoint } = inspector;
    expect(await endpoint.request('inspect', {})).not.toHaveProperty('loggedChecks');
    expect(await endpoint.request('verify', { create: false, log: false })).not.toHaveProperty('log');
    expect(existsSync(log)).toBe(false);
    expect(await endpoint.request('verify', { create: false, log: true })).toMatchObject({ log: { problem: null } });
    expect((await endpoint.request('scanValues', { log: true })).logged).toEqual([`Logged in ${log}.`]);
    const both = [{ what: 'verify' }, { what: 'values' }].map((one) => ({ ...one, changed: null }));
    expect(await endpoint.request('inspect', {})).toMatchObject({ loggedChecks: both });
    appendFileSync(path.join(checkpoint, 'model.safetensors'), 'x');
    const changed = { files: 2, newer: 1 };
    expect(await endpoint.request('inspect', {})).toMatchObject({ loggedChecks: [{ changed }, { changed }] });
  } finally {
    inspector.dispose();
  }
});
