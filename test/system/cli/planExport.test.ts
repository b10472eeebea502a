/** `stowage plan --export` as its users run it, and its workloads as DLIO itself reads them. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import type { PlanReport } from '../../../src/core/pages/plan/planReport.js';
import { stowage } from './stowage.js';

const plan = (...args: string[]): ReturnType<typeof stowage> => stowage('plan', '--preset', '8b', ...args);
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stowage-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['2 for an export that there is not', ['--export', 'terraform'], 2],
  ['2 for an export and a form', ['--export', 'dlio', '--json'], 2],
  ['2 for a claim without its class', ['--export', 'kubernetes'], 2],
  ['2 for a class without a claim', ['--export', 'dlio', '--storage-class', 'fast'], 2],
  ['2 for a class that Kubernetes refuses', ['--export', 'kubernetes', '--storage-class', 'Fast disk'], 2],
  ['2 for a volume where a class makes volumes', ['--export', 'kubernetes', '--volume', 'fast'], 2],
  ['2 for a class of a store that has none', ['--export', 'kubernetes', '--set', 'store=s3-express', '--storage-class', 'a'], 2],
  ['2 for YAML and JSON in one stream', ['--export', 'dlio,json'], 2],
  ['3 for a place where nothing can be written', ['--export', 'dlio', '--output', 'README.md/dlio.yaml'], 3],
])('ends with %s', (_, args, status) => {
  const { status: found, stdout, stderr } = plan(...args);
  expect(found).toBe(status);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^stowage: /);
});

it('prints several exports as documents of one stream', () => {
  const { stdout, status } = plan('--export', 'dlio,mlperf-storage', '--export', 'kubernetes', '--storage-class', 'fast');
  expect(status).toBe(0);
  const documents = parseAllDocuments(stdout).map((document) => document.toJS() as object);
  expect(documents).toMatchObject([
    { model: { name: 'llama-3-8b' } },
    { model: { name: 'llama_8b' } },
    { kind: 'PersistentVolumeClaim' },
  ]);
});

it('writes each into its file of a folder that is made', () => {
  const into = path.join(folder, 'new', 'exports');
  expect(plan('--export', 'dlio,json,markdown', '--output', `${into}/`)).toMatchObject({ status: 0, stdout: '', stderr: '' });
  expect(readdirSync(into).sort()).toEqual(['llama-3-8b.dlio.yaml', 'llama-3-8b.json', 'llama-3-8b.md']);
  const { kind, inputs } = JSON.parse(readFileSync(path.join(into, 'llama-3-8b.json'), 'utf8')) as PlanReport;
  expect({ kind, gpus: inputs.gpus }).toEqual({ kind: 'plan', gpus: 64 });
});

it('writes one into the file that is named, Markdown with its charts', () => {
  const file = path.join(folder, 'one.yaml');
  plan('--export', 'dlio', '--output', file);
  expect(parse(readFileSync(file, 'utf8'))).toMatchObject({ framework: 'pytorch' });
  plan('--export', 'markdown', '--output', path.join(folder, 'page.md'));
  expect(readdirSync(path.join(folder, 'page-charts')).length).toBeGreaterThan(0);
});

/** What DLIO's own code counted of exported workloads: test/fixtures/dlio, with how to record it again. */
const recordFile = 'test/fixtures/dlio/counted.json';
/** A Python that has DLIO's source on PYTHONPATH, omegaconf and hydra: it is asked again where there is one. */
const python = process.env['STOWAGE_PYTHON'];

interface CountedWorkload {
  preset: string;
  sets: string[];
  /** Data-parallel replicas, which DLIO takes from the number of its processes. */
  replicas: number;
  /** The part of the workload that DLIO counts from. */
  model: object;
  counted: { bytes: number; ranks: number; isCheckpointOnly: boolean; writes: number; reads: number };
}

describe('DLIO', () => {
  const workloads = JSON.parse(readFileSync(recordFile, 'utf8')) as CountedWorkload[];

  it.each(workloads)('saves what the plan $preset $sets saves', ({ preset, sets, replicas, model, counted }) => {
    const args = ['plan', '--preset', preset, ...sets];
    const { answers } = JSON.parse(stowage(...args, '--json').stdout) as PlanReport;
    const file = path.join(folder, 'dlio.yaml');
    stowage(...args, '--export', 'dlio', '--output', file);
    expect((parse(readFileSync(file, 'utf8')) as { model: object }).model).toEqual(model);
    expect(counted).toMatchObject({ ranks: answers.topology.gpus, isCheckpointOnly: true, writes: counted.reads });
    expect(Math.abs(counted.bytes / answers.checkpointBytes - 1)).toBeLessThan(0.001);
    if (python !== undefined) expect(countedByDlio(python, file, replicas)).toMatchObject(counted);
  });
});

function countedByDlio(executable: string, file: string, replicas: number): object {
  const ran = spawnSync(executable, ['test/system/python/dlioWorkload.py', String(replicas), file], { encoding: 'utf8' });
  expect(ran.status, ran.stderr).toBe(0);
  return JSON.parse(ran.stdout) as object;
}
