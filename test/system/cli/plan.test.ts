/** `stowage plan` as its users run it, on the worked values of docs/numbers.md. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlanReport } from '../../../src/core/pages/plan/planReport.js';
import { stowage } from './stowage.js';

const axolotl = 'samples/training-configs/axolotl.yaml';
const checkpoint = 'samples/deepspeed-zero3';
const plan = (...args: string[]): ReturnType<typeof stowage> => stowage('plan', ...args);
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stowage-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The plan with inputs set. */
function planned(inputs: Readonly<Record<string, string | number>>, ...args: string[]): PlanReport {
  const sets = Object.entries(inputs).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
  const { stdout, stderr } = plan(...args, ...sets, '--json');
  expect(stderr).toBe('');
  return JSON.parse(stdout) as PlanReport;
}

function written(name: string, text: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

it.each([
  ['0 without a file', [], 0],
  ['0 for a preset', ['--preset', '405b'], 0],
  ['0 for a config', [axolotl], 0],
  ['0 for a checkpoint', [checkpoint], 0],
  ['0 for the list of inputs', ['--inputs'], 0],
  ['0 for two paths', [axolotl, axolotl], 0],
  ['0 for a plan against another', ['--preset', '8b', '--against', 'gpus=128 store=nfs'], 0],
  ['2 for an input of the other plan that there is not', ['--against', 'speed=3'], 2],
  ['2 for the other plan without a value', ['--against', 'gpus'], 2],
  ['2 for a page of two plans', [axolotl, axolotl, '--all'], 2],
  ['2 for Markdown of two plans', [axolotl, axolotl, '--markdown'], 2],
  ['3 for a second path that is not there', [axolotl, 'no such file.yaml'], 3],
  ['2 for two forms', ['--json', '--markdown'], 2],
  ['2 for a preset that there is not', ['--preset', '13t'], 2],
  ['0 for a GPU by its name, whatever its case', ['--preset', '8b', '--gpu', 'H200'], 0],
  ['2 for a GPU that is not listed', ['--gpu', 'h300'], 2],
  ['2 for an input that there is not', ['--set', 'gpuz=8'], 2],
  ['2 for a section that there is not', ['--section', 'bandwidth,cost'], 2],
  ['2 for all and a section', ['--all', '--section', 'size'], 2],
  ['2 for a set without a value', ['--set', 'gpus'], 2],
  ['2 for no GPUs', ['--set', 'gpus=0'], 2],
  ['2 for half a GPU', ['--set', 'gpus=2.5'], 2],
  ['2 for what is used of no quota', ['--used', '12TB'], 2],
  ['2 for fewer than none', ['--set', 'gpus=-8'], 2],
  ['2 for a word in place of a number', ['--set', 'gpus=many'], 2],
  ['2 for the wrong unit', ['--set', 'gpus=5GB/s'], 2],
  ['2 for nothing in place of a number', ['--set', 'gpus=null'], 2],
  ['3 for a file that is not there', ['no such file.stowage-plan.json'], 3],
  ['3 for a file that is none of what a plan begins with', ['samples/PROVENANCE.md'], 3],
  ['3 for a place where nothing can be written', ['--output', 'README.md/plan.md'], 3],
])('ends with %s', (_, args, status) => {
  const { status: found, stderr } = plan(...args);
  expect(found).toBe(status);
  expect(stderr === '').toBe(status === 0);
});

describe('what is printed', () => {
  it.each(['7b', '8b', '70b', '405b', '1t-moe', 'megatron-1t'])('is one page of %s', (preset) => {
    const { stdout } = plan('--preset', preset);
    expect(stdout.split('\n').length).toBeLessThan(60);
    expect(stdout).toMatch(/^Save every [\d.]+ \w+.*\bto Lustre.*\bgoodput\./ms);
    expect(stdout).toMatch(/^ {2}bandwidth +saves every +goodput /m);
    expect(stdout).toContain('this plan');
  });

  it('is one answer with its reasons, or all of them', () => {
    const one = plan('--preset', '405b', '--section', 'restore').stdout;
    expect(one).toContain('Restoring');
    expect(one).not.toContain('Write bandwidth');
    const all = plan('--preset', '405b', '--all').stdout;
    for (const title of ['Restoring', 'Write bandwidth', 'How often to save']) expect(all).toContain(title);
    expect(all.split('\n').length).toBeGreaterThan(200);
  });
});

describe('plans side by side', () => {
  it('are a column each, and one is the better buy', () => {
    const { stdout } = plan('--preset', '70b', '--against', 'gpus=544', '--against', 'writeBytesPerSecond=10 GB/s store=vast');
    expect(stdout.replaceAll('\n', ' ')).toMatch(
      /^32 more GPUs beat VAST at 10 GB\/s: 6\.\d % against 0\.\d+ % more training, for \$58\.\d k against \$3\.\d+ k more a month\./,
    );
    expect(stdout).toContain('gpus=544');
    expect(stdout).toContain('writeBytesPerSecond=10 GB/s store=vast');
    expect(stdout).toMatch(/ {2}GPUs +512 +544 +512\n/);
  });

  it('are numbers as JSON', () => {
    const { stdout } = plan('--preset', '8b', '--against', 'gpus=128', '--json');
    const compared = JSON.parse(stdout) as { kind: string; plans: { name: string; gpus: number }[]; best: number | null };
    expect(compared.kind).toBe('plan-comparison');
    expect(compared.plans.map(({ gpus }) => gpus)).toEqual([64, 128]);
  });
});

describe('the worked values', () => {
  it('Megatron-LM 1T: 512 writers, 50.5 s, 0.35 % of 4 hours', () => {
    const { answers } = planned({}, '--preset', 'megatron-1t');
    expect(answers.checkpointBytes).toBe(13_800_000_000_000);
    expect(answers.writers.writers).toBe(512);
    expect(answers.saveSeconds).toBeCloseTo(50.5495, 3);
    expect(answers.overlap).toBeCloseTo(0.0035, 4);
  });

  it.each([
    [14e12, 1800, 77.8e9],
    [16e12, 900, 177.8e9],
    [14e12, 3600, 38.9e9],
  ])('%d bytes every %d s need %d bytes a second', (checkpointBytes, intervalSeconds, expected) => {
    const { answers } = planned({ checkpointBytes, intervalSeconds, overlapTarget: 0.1 });
    expect(answers.requiredBytesPerSecond / expected).toBeCloseTo(1, 3);
  });

  it.each([
    [60, 11_135.083532, 1155.95, 1116.29, 1116.3],
    [5, 6490.8, 254.77, 251.45, 251.45],
    [600, 1800, 1469.69, 1096.91, 1099.98],
  ])('a stall of %d s and a failure every %d s', (stallSeconds, mtbfSeconds, young, daly, exact) => {
    const { intervalSeconds } = planned({ stallSeconds, mtbfSeconds, writeBytesPerSecond: '1TB/s' }).answers;
    expect(intervalSeconds.young).toBeCloseTo(young, 2);
    expect(intervalSeconds.daly).toBeCloseTo(daly, 2);
    expect(intervalSeconds.exact).toBeCloseTo(exact, 2);
    expect(intervalSeconds.used).toBe(intervalSeconds.exact);
  });

  it('BLOOM: 2.3 TiB in 40 s, 720 saves in 90 days', () => {
    const { answers } = planned({
      checkpointBytes: '2.3TiB',
      gpus: 384,
      zeroStage: 1,
      tensorParallel: 4,
      pipelineParallel: 12,
      writeBytesPerSecond: (2.3 * 2 ** 40) / 40,
      intervalSeconds: '3h',
      runSeconds: '90d',
    });
    expect(answers.saveSeconds).toBeCloseTo(40, 6);
    expect(answers.overlap).toBeCloseTo(0.0037, 4);
    expect(answers.retention.saves).toBe(720);
  });

  it('560 GB every 15 minutes for 90 days: 4.8384 PB written', () => {
    const { retention } = planned({ checkpointBytes: 560e9, intervalSeconds: 900, runSeconds: 7_776_000 }).answers;
    expect(retention.writtenBytes).toBe(4_838_400_000_000_000);
    expect(retention.allWrittenBytes).toBe(retention.writtenBytes + retention.exportedBytes + retention.copiedBytes);
  });

  it('Megatron-LM 1T: six replicas read as fast as one saves at 1.638 TB/s', () => {
    const { restore } = planned({}, '--preset', 'megatron-1t').answers;
    expect(restore.asFastAsSavingBytesPerSecond).toBe(6 * 273e9);
  });

  it('Llama 3 405B: a failure every 11,135 s, 171 GB/s', () => {
    const { answers } = planned({}, '--preset', '405b');
    expect(answers.mtbfSeconds).toBeCloseTo(11_135.08, 2);
    expect(answers.requiredBytesPerSecond / 1e9).toBeCloseTo(171.3, 1);
  });
});

describe('what it begins with', () => {
  it('a checkpoint: its bytes to the byte', () => {
    const { inputs, origins, answers } = planned({}, checkpoint);
    const listed = (at: string): number =>
      readdirSync(at, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .reduce((sum, entry) => sum + readFileSync(path.join(entry.parentPath, entry.name)).length, 0);
    expect(answers.checkpointBytes).toBe(listed(checkpoint));
    expect(inputs.gpus).toBe(2);
    expect(origins.checkpointBytes).toEqual({ kind: 'measured', text: 'deepspeed-zero3' });
    expect(answers.parts.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(answers.checkpointBytes);
  });

  it('a config: its parameters', () => {
    const { inputs, origins } = planned({}, axolotl);
    expect(origins.parameters).toEqual({ kind: 'read', text: 'axolotl.yaml' });
    expect(inputs.parameters).toBeGreaterThan(1e6);
  });

  it('a folder with a config and no checkpoint yet: its config', () => {
    const { inputs, origins } = planned({}, 'samples/training-configs/llama-3-8b');
    expect(inputs).toMatchObject({ parameters: 8_030_261_248, checkpointBytes: null });
    expect(origins.parameters).toEqual({ kind: 'read', text: 'config.json' });
  });

  it('a plan file, under what is set', () => {
    const file = written(
      'kept.stowage-plan.json',
      JSON.stringify({ kind: 'stowage-plan', schemaVersion: 1, name: 'kept', preset: '70b', inputs: { gpus: 1024 } }),
    );
    const { name, inputs } = planned({ keepLast: 5 }, file);
    expect(name).toBe('kept');
    expect(inputs).toMatchObject({ parameters: 70_553_706_496, gpus: 1024, keepLast: 5 });
  });

  it('what it printed itself', () => {
    const first = planned({ gpus: 2048 }, '--preset', '405b');
    const again = planned({}, written('printed.json', JSON.stringify(first)));
    expect(again.inputs).toEqual(first.inputs);
    expect(again.answers).toEqual(first.answers);
  });

  it('a plan with invalid values: they are reported and ignored', () => {
    const file = written(
      'wrong.stowage-plan.json',
      JSON.stringify({ kind: 'stowage-plan', schemaVersion: 1, name: 'wrong', inputs: { gpus: 0, keepLast: 9, '<b>': 1 } }),
    );
    const { status, stdout, stderr } = plan(file, '--json');
    expect(status).toBe(0);
    expect(stderr).toBe('stowage: gpus must be at least 1\nstowage: <b> is no input of a plan\n');
    const { inputs, problems } = JSON.parse(stdout) as PlanReport;
    expect(inputs).toMatchObject({ gpus: 64, keepLast: 9 });
    expect(problems.map(({ key }) => key)).toEqual(['gpus', '<b>']);
  });

  it.each([
    ['of a newer version', '{"kind":"stowage-plan","schemaVersion":9}', 'version 9'],
    ['that is cut', '{"kind":"stowage-plan","schemaVers', 'no JSON object'],
    ['that is something else', '{"kind":"estimate"}', 'kind is not stowage-plan'],
  ])('no plan file %s', (_, text, said) => {
    const { status, stderr } = plan(written('broken.stowage-plan.json', text));
    expect(status).toBe(3);
    expect(stderr).toContain(said);
  });
});

it('writes Markdown whose charts lie beside it', () => {
  const file = path.join(folder, 'a plan (1).md');
  expect(plan('--preset', '405b', '--output', file).status).toBe(0);
  const links = [...readFileSync(file, 'utf8').matchAll(/\]\(([^)]*\.svg)\)/g)].map(([, link]) => decodeURIComponent(link ?? ''));
  expect(links.length).toBeGreaterThan(2);
  for (const link of links) expect(readFileSync(path.join(folder, link), 'utf8')).toMatch(/^<svg [^]*<\/svg>\s*$/);
});

it('prints Markdown whose numbers are tables', () => {
  const { stdout } = plan('--preset', '405b', '--markdown');
  expect(stdout).toContain('**~5.68 TB**');
  expect(stdout).not.toContain('.svg');
});

it('lists every input', () => {
  const { stdout } = plan('--inputs');
  for (const key of Object.keys(planned({}).inputs)) expect(stdout).toContain(`${key} `);
});

it('names plans of one preset by their files, and a preset of another size by neither', () => {
  const file = (name: string, gpus: number) =>
    written(name, JSON.stringify({ kind: 'stowage-plan', schemaVersion: 1, name: 'one', preset: '8b', inputs: { gpus } }));
  const paths = [file('few.stowage-plan.json', 64), file('many.stowage-plan.json', 128)];
  const { plans } = JSON.parse(plan(...paths, '--json').stdout) as { plans: { name: string }[] };
  expect(plans.map(({ name }) => name)).toEqual(paths);
  expect(plan('--preset', '8b', '--set', 'parameters=70B').stdout).toMatch(/^Plan\n/);
});

it('says of a dataset that it has no model', () => {
  const { stderr, status } = plan('samples/megatron-corpus');
  expect(stderr).toBe('stowage: parameters are of no dataset: a model of 8.03 billion is assumed\n');
  expect(status).toBe(0);
});

it('warns of what was measured of a damaged checkpoint', () => {
  const { stderr, status } = plan('samples/damaged-model');
  expect(stderr).toMatch(/^stowage: checkpointBytes is measured of a checkpoint with \d+ errors?: inspect it first\n$/);
  expect(status).toBe(0);
});
