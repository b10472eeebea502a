/** `stowage estimate` as its users run it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EstimatedRuns } from '../../../src/app/estimates/estimateRuns.js';
import { llamaConfig } from '../../builders/estimateText.js';
import { compileSchemaFile, schemaErrors } from '../../builders/schemaErrors.js';
import { stowage } from './stowage.js';

const axolotl = 'samples/training-configs/axolotl.yaml';
const estimate = (...args: string[]): ReturnType<typeof stowage> => stowage('estimate', ...args);
const validateRuns = compileSchemaFile('docs/estimates-report.schema.json');
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stowage-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, text: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

it.each([
  ['0 for a config', [axolotl], 0],
  ['2 without a path', [], 2],
  ['2 for two forms', [axolotl, '--json', '--markdown'], 2],
  ['2 for an unknown optimizer', [axolotl, '--optimizer', 'no such thing'], 2],
  ['2 for an unknown precision', [axolotl, '--precision', 'f7'], 2],
  ['2 for steps that are no number', [axolotl, '--steps', 'many'], 2],
  ['3 for a file that is not there', ['no such file.yaml'], 3],
  ['3 for a file that is no config', ['package.json'], 3],
  ['3 for a file of another syntax', ['README.md'], 3],
])('ends with %s', (_, args, status) => {
  const { status: found, stderr } = estimate(...args);
  expect(found).toBe(status);
  expect(stderr === '').toBe(status === 0);
});

it('prints one object as JSON, with the model that the config names', () => {
  const report = JSON.parse(estimate(axolotl, '--json').stdout) as Record<string, unknown>;
  expect(report).toMatchObject({
    schemaVersion: 2,
    kind: 'estimate',
    config: 'axolotl',
    model: { name: 'Llama', basis: 'architecture', origin: 'llama-3-8b/config.json' },
    parameters: { unique: 8_030_261_248, trainable: 41_943_040 },
    training: { steps: 2000, saveIntervalSteps: 200, keep: 4, optimizer: 'adam-8bit' },
    run: { saves: 10, kept: 4 },
  });
  expect((report['run'] as { freeBytes: number }).freeBytes).toBeGreaterThan(0);
});

it('says of a file that is too large that it is', () => {
  for (const megabytes of [2, 50]) {
    const { status, stderr } = estimate(written('large.yaml', `a: 1\n${'# x\n'.repeat(megabytes * 250_000)}`));
    expect([status, stderr.includes('more than the ')]).toEqual([3, true]);
  }
});

it('takes a folder for the config.json in it', () => {
  written('model/config.json', llamaConfig());
  const { stdout } = estimate(path.join(folder, 'model'));
  expect(stdout).toContain('8,030,261,248 parameters');
});

it('takes what the command line says in place of the config', () => {
  const file = written('plain/config.json', llamaConfig());
  const { stdout } = estimate(file, '--json', '--optimizer', 'lion', '--steps', '10k', '--save-interval', '500', '--keep', '2');
  expect(JSON.parse(stdout)).toMatchObject({
    checkpoint: { bytesPerParameter: 10, bytes: 80_302_612_480 },
    training: { steps: 10_000, saveIntervalSteps: 500, keep: 2, optimizer: 'lion' },
    run: { saves: 20, kept: 2, bytes: 160_605_224_960 },
  });
});

it('finds a model in the local cache of the Hub, and else in its own table', () => {
  const config = written(
    'named.yaml',
    'base_model: someone/their-llama\nmicro_batch_size: 1\nsequence_len: 512\nlearning_rate: 1e-4\ndatasets: []\n',
  );
  const cache = path.join(folder, 'hub', 'models--someone--their-llama');
  written('hub/models--someone--their-llama/snapshots/0123456789abcdef/config.json', llamaConfig({ num_hidden_layers: 1 }));
  written('hub/models--someone--their-llama/refs/main', '0123456789abcdef');
  const run = (env: NodeJS.ProcessEnv) =>
    JSON.parse(
      spawnSync(process.execPath, ['dist/cli.js', 'estimate', config, '--json'], {
        encoding: 'utf8',
        env: { ...process.env, ...env },
      }).stdout,
    ) as { model: { origin: string } | null; parameters: { unique: number } };
  expect(run({ HF_HUB_CACHE: path.dirname(cache) })).toMatchObject({
    model: { origin: expect.stringContaining('someone/their-llama') as string },
    parameters: { unique: 2 * 128_256 * 4096 + 218_112_000 + 4096 },
  });
  expect(run({ HF_HUB_CACHE: path.join(folder, 'nothing') }).model).toBeNull();
  writeFileSync(
    config,
    'base_model: meta-llama/Meta-Llama-3-8B\nmicro_batch_size: 1\nsequence_len: 512\nlearning_rate: 1e-4\ndatasets: []\n',
  );
  expect(run({ HF_HUB_CACHE: path.join(folder, 'nothing') })).toMatchObject({
    model: { origin: expect.stringContaining('published architectures') as string },
    parameters: { unique: 8_030_261_248 },
  });
});

it('compares no local disk with what is saved elsewhere', () => {
  const { run, findings } = JSON.parse(estimate('test/fixtures/configs/composer/mpt-7b.yaml', '--json').stdout) as {
    run: { freeBytes: number | null };
    findings: unknown[];
  };
  expect([run.freeBytes, findings]).toEqual([null, []]);
});

it('prints text of files as text', () => {
  const file = written(
    'odd.yaml',
    'per_device_train_batch_size: 1\nlearning_rate: 1e-4\nsave_steps: "\\u001b[31m${evil}"\nmax_steps: 10\n',
  );
  const { stdout } = estimate(file);
  expect(stdout).not.toContain('\u001b[31m');
});

describe('several configs', () => {
  const run = (name: string, keep: number): string =>
    written(name, `${readFileSync(axolotl, 'utf8')}save_steps: 10\nmax_steps: 100\nsave_total_limit: ${keep}\n`);

  it('are estimated side by side, with the save that does not fit a quota', () => {
    const [one, two] = [run('one.yaml', 2), run('two.yaml', 20)];
    const { status, stdout } = estimate(one, two, '--json', '--quota', '1GB', '--step-seconds', '0.5');
    expect(status).toBe(0);
    const report = JSON.parse(stdout) as EstimatedRuns;
    expect(schemaErrors(validateRuns, report)).toEqual([]);
    expect(report.estimates.map(({ path: of }) => of)).toEqual([one, two]);
    expect(report.together.quota).toMatchObject({ quotaBytes: 1e9, stepSeconds: 0.5, verdict: 'full' });
    const terminal = estimate(one, two, '--quota', '1GB');
    expect(terminal.stdout).toMatch(/^2 runs together: .*The\squota\sof\s1\sGB\sis\sfull/s);
    expect(estimate(one, two, '--markdown').stdout).toContain('| parameters | a checkpoint |');
  });

  it('of which one is no config are estimated without it', () => {
    const { status, stdout, stderr } = estimate(run('one.yaml', 2), 'package.json');
    expect(status).toBe(3);
    expect(stdout).toMatch(/^1 run:/);
    expect(stderr).toContain('package.json is not a supported model or training config');
  });

  it.each([
    ['a quota that may be either of two', ['--quota', '4G']],
    ['a quota of nothing', ['--quota', '0']],
    ['a step of no time', ['--quota', '1TB', '--step-seconds', '0']],
    ['a step without a quota', ['--step-seconds', '1']],
  ])('refuse %s', (_, args) => {
    const { status, stdout, stderr } = estimate(axolotl, ...args);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^stowage: --(quota|step-seconds) /);
  });
});
