/** `stowage plan --cluster` with programs of a cluster that stand in PATH: what runs, when, and what becomes of it. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PlanReport } from '../../../src/core/pages/plan/planReport.js';

let folder = '';
let calls = '';
const fixture = (name: string): string => path.resolve('test/fixtures/cluster', name);

/** A program that notes how it was called, and from where, and prints a file. */
function program(name: string, script: string): void {
  const file = path.join(folder, 'bin', name);
  writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "$(pwd) ${name} $*" >> '${calls}'\n${script}\n`);
  chmodSync(file, 0o755);
}

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stowage-'));
  calls = path.join(folder, 'calls');
  mkdirSync(path.join(folder, 'bin'));
  mkdirSync(path.join(folder, 'scratch; touch owned'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  writeFileSync(calls, '');
  for (const [name, text] of [
    ['sinfo', 'sinfo.txt'],
    ['nvidia-smi', 'nvidia-smi.txt'],
    ['df', 'df.txt'],
  ] as const)
    program(name, `cat '${fixture(text)}'`);
  program('scontrol', `case "$2" in partition) cat '${fixture('partition.txt')}';; *) cat '${fixture('config.txt')}';; esac`);
  program('lfs', `case "$1" in df) cat '${fixture('lfs-df.txt')}';; *) cat '${fixture('lfs-quota.txt')}';; esac`);
});

const plan = (args: string[]): { status: number | null; stdout: string; stderr: string } =>
  spawnSync(process.execPath, ['dist/cli.js', 'plan', '--preset', '8b', ...args], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${folder}/bin:${process.env['PATH'] ?? ''}` },
  });
const called = (): string[] => readFileSync(calls, 'utf8').split('\n').filter(Boolean).sort();

describe('the commands', () => {
  it('are shown, and none runs without a yes', () => {
    const { status, stdout, stderr } = plan(['--cluster', '--directory', '/scratch']);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('These commands read and change nothing:\n  sinfo --noheader');
    expect(stderr).toContain('Not run. --yes runs them without asking.');
    expect(called()).toEqual([]);
  });

  it('run once each as they are shown, in no folder of the user, and no shell reads their arguments', () => {
    const directory = path.join(folder, 'scratch; touch owned');
    const { status, stderr } = plan(['--cluster', '--directory', directory, '--yes', '--json']);
    expect(status).toBe(0);
    expect(called()).toEqual([
      `/ df -P -T -k ${directory}`,
      `/ lfs df ${directory}`,
      `/ lfs quota -q -u ${process.getuid?.() ?? ''} ${directory}`,
      '/ nvidia-smi --query-gpu=name,memory.total,power.limit --format=csv,noheader,nounits',
      '/ scontrol show config',
      '/ scontrol show partition --oneliner',
      '/ sinfo --noheader --format=%R|%D|%G|%m|%l|%a',
    ]);
    expect(stderr).toContain(`  df -P -T -k '${directory}'    # `);
    expect(stderr).toContain('GPUs: 16 (sinfo, partition gpu)');
  });

  it('are no flags without --cluster', () => {
    for (const args of [['--yes'], ['--directory', '/'], ['--partition', 'gpu']]) expect(plan(args).status).toBe(2);
    expect(called()).toEqual([]);
  });
});

describe('what they print', () => {
  const read = (...args: string[]): PlanReport =>
    JSON.parse(plan(['--cluster', '--directory', '/scratch', '--yes', '--json', ...args]).stdout) as PlanReport;

  it('is in the plan, with the command, below what is set', () => {
    const { inputs, origins, answers } = read('--set', 'gpusPerNode=4');
    expect(inputs).toMatchObject({ gpus: 16, gpusPerNode: 4, gpu: 'a100', store: 'lustre', walltimeSeconds: 172_800 });
    expect(origins.gpusPerNode).toEqual({ kind: 'set', text: '' });
    expect(origins.storeUsedBytes).toEqual({ kind: 'measured', text: 'lfs quota' });
    expect(answers.quota).toMatchObject({ capacityBytes: 22e12, usedBytes: 12e12 });
  });

  it('may be missing, wrong, endless or late: the plan is made of the rest', () => {
    program('sinfo', 'exit 1');
    program('nvidia-smi', 'yes "NVIDIA H100 80GB HBM3, 81559, 700.00"');
    program('df', "printf '\\033[2J\\000\\377'");
    program('lfs', 'kill -9 $$');
    const { status, stdout, stderr } = plan(['--cluster', '--directory', '/scratch', '--yes', '--json']);
    expect(status).toBe(0);
    expect(stderr).toContain('No answer of sinfo (nodes): it is not here, or failed.');
    expect(stderr).not.toContain('\u001b');
    const { inputs, origins } = JSON.parse(stdout) as PlanReport;
    // Of the partition, which Slurm's other program still tells.
    expect(inputs).toMatchObject({ gpus: 64, walltimeSeconds: 172_800, store: 'lustre' });
    expect(origins).not.toHaveProperty('store');
  });
});
