/** `--nodes` of verify and values: on a real Slurm of three nodes that this test starts and stops, and the tasks of a Job of Kubernetes run here. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  truncateSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ValuesReport } from '../../../src/core/values/valuesReport.js';
import type { VerificationReport } from '../../../src/core/verification/verification.js';
import { compileSchemaFile, schemaErrors } from '../../builders/schemaErrors.js';
import { startSlurm, type SlurmCluster } from '../../builders/slurmCluster.js';
import { until } from '../../builders/until.js';
import { flipped } from '../../builders/verification.js';
import { missingPackages } from '../../runner/ensureDebianPackages.mjs';

const cli = path.resolve('dist/cli.js');
const torchFile = 'test/fixtures/frameworks/torch/dtypes/data/dtypes.pt';

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

let scratch = '';
let checkpoint = '';
let jobs = '';

beforeAll(() => {
  scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'stowage-nodes-')));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

beforeEach(() => {
  checkpoint = path.join(scratch, "the run's", 'step 100');
  jobs = path.join(scratch, 'jobs of 100 %');
  mkdirSync(path.join(checkpoint, 'deep'), { recursive: true });
  mkdirSync(jobs);
  for (let index = 0; index < 4; index++) cpSync(torchFile, path.join(checkpoint, `rank_${index}.pt`));
  writeFileSync(path.join(checkpoint, 'deep', 'with\nbreak and \\'), 'x');
  writeFileSync(path.join(checkpoint, 'empty'), '');
});
afterEach(() => {
  for (const folder of [path.dirname(checkpoint), jobs]) rmSync(folder, { recursive: true, force: true });
});

function flipIn(name: string, bit: number): void {
  const file = path.join(checkpoint, name);
  writeFileSync(file, flipped(readFileSync(file), bit));
}

/** What one machine says. */
async function alone<Report>(...args: string[]): Promise<Report> {
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...args, '--json'], { maxBuffer: 64e6 }).catch(
    (error: { stdout: string }) => error,
  );
  return JSON.parse(stdout) as Report;
}

/** The folder of the only job that there is. */
function onlyJob(): string {
  const [name, ...more] = readdirSync(jobs);
  if (name === undefined || more.length > 0) throw new Error('there is not one job');
  return path.join(jobs, name);
}

const missing = missingPackages(['munge', 'slurm-wlm']);

if (missing !== null) {
  console.warn(`\n*** NOT TESTED: files shared among several nodes: ${missing} ***\n`);
  it('has no Slurm to be tested on', () => expect(missing).not.toBe(''));
} else {
  describe('an array on a Slurm of three nodes', onSlurm);
}

function onSlurm(): void {
  let cluster: SlurmCluster;

  beforeAll(async () => {
    cluster = await startSlurm(path.join(scratch, 'slurm'));
  });
  afterAll(() => cluster?.stop());

  /** The built command line, as it is called on a login node in another folder than the files'. */
  function stowage(args: string[], onStart: (kill: (signal: NodeJS.Signals) => void) => void = () => undefined) {
    const child = spawn(process.execPath, [cli, ...args], {
      env: cluster.environment,
      cwd: scratch,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onStart((signal) => child.kill(signal));
    return new Promise<Ended>((resolve) => {
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      child.once('close', (code) => resolve({ code, stdout, stderr }));
    });
  }

  const onThree = (): string[] => ['--nodes', '3', '--share-nodes', '--job-folder', jobs];

  it('verifies as one machine does, names tensors in damaged places, and leaves nothing behind', async () => {
    flipIn('rank_2.pt', 8 * 5_000 + 3);
    const { code, stdout, stderr } = await stowage([
      'verify',
      path.relative(scratch, checkpoint),
      ...onThree(),
      '--yes',
      '--json',
    ]);
    expect({ code, stderr }).toMatchObject({ code: 1 });
    const report = JSON.parse(stdout) as VerificationReport;
    const here = await alone<VerificationReport>('verify', checkpoint);
    expect(report).toEqual({ ...here, bytesPerSecond: null });
    expect(report).toMatchObject({ failed: 1, path: checkpoint });
    expect(stderr).toContain('6 of 6 files');
    expect(readdirSync(jobs)).toEqual([]);
  });

  it('writes a manifest that sha256sum accepts, once all files are hashed', async () => {
    const { code, stderr } = await stowage(['verify', checkpoint, '--create', ...onThree(), '--yes']);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const beside = path.join(path.dirname(checkpoint), '.stowage', 'step 100');
    expect(readdirSync(beside).sort()).toEqual(['SHA256SUMS', 'stowage-manifest.json']);
    const checked = spawnSync('sha256sum', ['-c', path.join(beside, 'SHA256SUMS')], { cwd: checkpoint, encoding: 'utf8' });
    expect(checked.stdout.trim().split('\n')).toHaveLength(6);
    expect(checked.status).toBe(0);
    // And what is compared with it on several nodes is what one machine compares.
    flipIn('rank_1.pt', 0);
    const compared = await stowage(['verify', checkpoint, ...onThree(), '--yes', '--json']);
    expect(compared.code).toBe(1);
    expect(JSON.parse(compared.stdout)).toEqual({ ...(await alone<object>('verify', checkpoint)), bytesPerSecond: null });
  });

  it('reads values as one machine does', async () => {
    const { code, stdout, stderr } = await stowage(['values', checkpoint, ...onThree(), '--yes', '--json']);
    const here = await alone<ValuesReport>('values', checkpoint);
    expect(here.tensors.length).toBeGreaterThan(20);
    expect({ code, stderr, report: JSON.parse(stdout) as ValuesReport }).toMatchObject({ report: here });
    expect(readdirSync(jobs)).toEqual([]);
  });

  it('refuses to gather values of a checkpoint that was written again since', async () => {
    await stowage(['values', checkpoint, ...onThree()]);
    const job = onlyJob();
    await cluster.run('sbatch', '--wait', path.join(job, 'job.sh'));
    cpSync('test/fixtures/frameworks/torch/dtensor-2r/data/model_world_size_2_rank_1.pt', path.join(checkpoint, 'other.pt'));
    const { code, stderr } = await stowage(['values', '--gather', job]);
    expect({ code, stderr }).toMatchObject({ code: 3 });
    expect(stderr).toContain('has changed since the job was planned');
  });

  it('goes on where a node is lost in the middle', async () => {
    // A block at the end alone is on the disk, but all is read: tasks run long enough to be lost.
    for (const name of ['a', 'b', 'c']) {
      const file = path.join(checkpoint, `large_${name}`);
      writeFileSync(file, '');
      truncateSync(file, 2e9);
      appendFileSync(file, 'x');
    }
    const before = watchTasks();
    const run = stowage(['verify', checkpoint, '--create', ...onThree(), '--yes', '--json']);
    const { task, pid } = await before.first('node2');
    await cluster.loseNode('node2', [pid]);
    // Slurm holds a job back for two minutes whose node was lost.
    const [id = ''] = (await cluster.run('squeue', '--noheader', '--array', '--states=pending', '--format=%F')).split('\n');
    await cluster.run('scontrol', 'update', `jobid=${id}_${task}`, 'starttime=now');
    const again = await before.first(/node[13]/, task);
    expect(again.pid).not.toBe(pid);
    const { code, stdout, stderr } = await run;
    before.close();
    await cluster.returnNode('node2');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const report = JSON.parse(stdout) as VerificationReport;
    expect(report.files).toHaveLength(9);
    expect(report.failed).toBe(0);
    const list = readFileSync(report.manifest?.replace('stowage-manifest.json', 'SHA256SUMS') ?? '', 'utf8');
    expect(list.trim().split('\n')).toHaveLength(9);
  });

  it('submits tasks again that were killed, and those alone', async () => {
    const before = watchTasks();
    const run = stowage(['verify', checkpoint, ...onThree(), '--yes', '--json']);
    const { pid } = await before.first(/node\d/);
    process.kill(pid, 'SIGKILL');
    const { code, stdout, stderr } = await run;
    before.close();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain('1 task ended without all results and is submitted again');
    expect((JSON.parse(stdout) as VerificationReport).files).toEqual(
      (await alone<VerificationReport>('verify', checkpoint)).files,
    );
  });

  it('submits nothing unless that is agreed to; results of a script that is submitted by hand are gathered', async () => {
    const { code, stderr } = await stowage(['verify', checkpoint, ...onThree(), '--partition', 'all', '--time-limit', '10min']);
    expect(code).toBe(2);
    const job = onlyJob();
    expect(stderr).toContain(`stowage verify --gather '${job}'`);
    expect(await cluster.run('squeue', '--noheader')).toBe('');
    expect(readFileSync(path.join(job, 'job.sh'), 'utf8')).toContain('#SBATCH --array=0-5%3');
    const early = await stowage(['verify', '--gather', job]);
    expect(early.code).toBe(3);
    expect(early.stderr).toContain('of 6 files 6 have no result, in tasks 0-5');
    expect((await stowage(['values', '--gather', job])).code).toBe(2);
    await cluster.run('sbatch', '--wait', '--array=0-3', path.join(job, 'job.sh'));
    expect((await stowage(['verify', '--gather', job])).stderr).toContain('in tasks 4-5');
    await cluster.run('sbatch', '--wait', path.join(job, 'job.sh'));
    expect(readFileSync(path.join(job, 'log-0.txt'), 'utf8')).toMatch(/Task 0: 0 files, 1 were done before/);
    const gathered = await stowage(['verify', '--gather', job, '--json']);
    expect(gathered.code).toBe(0);
    expect((JSON.parse(gathered.stdout) as VerificationReport).files).toHaveLength(6);
    // It stays for whoever wants to gather it again.
    expect(existsSync(path.join(job, 'job.json'))).toBe(true);
    // A file that has changed since is verified here, with what it is now.
    flipIn('rank_3.pt', 8 * 5_000);
    const since = await stowage(['verify', '--gather', job, '--json']);
    expect(JSON.parse(since.stdout)).toMatchObject({ failed: 1 });
  });

  it('cancels the job when it is cancelled itself, and keeps what was done', async () => {
    await cluster.run('scontrol', 'update', 'partitionname=all', 'state=down');
    let kill: (signal: NodeJS.Signals) => void = () => undefined;
    const run = stowage(['verify', checkpoint, ...onThree(), '--yes'], (by) => (kill = by));
    await until('the job waits', async () => (await cluster.run('squeue', '--noheader')) !== '');
    kill('SIGINT');
    const { code, stderr } = await run;
    await cluster.run('scontrol', 'update', 'partitionname=all', 'state=up');
    expect({ code, stderr }).toMatchObject({ code: 130 });
    expect(await cluster.run('squeue', '--noheader')).toBe('');
    expect(stderr).toContain(`Results and logs stay in ${onlyJob()}`);
  });

  it('says what Slurm says where it refuses the job', async () => {
    const { code, stderr } = await stowage(['verify', checkpoint, ...onThree(), '--partition', 'nowhere', '--yes']);
    expect(code).toBe(3);
    expect(stderr).toContain('invalid partition');
  });

  it.each([
    ['verify', '--nodes', '0'],
    ['verify', '--partition', 'all'],
    ['verify', '--nodes', '2', '--partition', 'all; touch evil'],
    ['verify', '--nodes', '2', '--claim', 'x=/y'],
    ['verify', '--nodes', '2', '--kubernetes'],
    ['verify', '--nodes', '2', '--against', 'x.json'],
    ['verify', '--kubernetes', '--claim', 'x=/y'],
    ['verify', '--gather', 'nowhere'],
    ['values', '--nodes', '2', '--tensors', 'x', '--slice', '0'],
    ['values', '--yes'],
  ])('refuses %s %s %s %s', async (command, ...flags) => {
    const { code, stderr } = await stowage([
      command,
      checkpoint,
      ...flags,
      ...(flags.includes('--nodes') ? ['--job-folder', jobs] : []),
    ]);
    expect({ code, stderr }).toMatchObject({ code: 2 });
    expect(readdirSync(jobs)).toEqual([]);
  });

  /** Files of results, as tasks make them when they begin. */
  function watchTasks() {
    const seen: { task: number; node: string; pid: number }[] = [];
    const look = (folder: string, name: string | null): void => {
      const [, task, node, pid] = /^task-(\d+)-(.*)-(\d+)\.jsonl$/.exec(name ?? '') ?? [];
      if (node !== undefined && !seen.some((one) => String(one.pid) === pid))
        seen.push({ task: Number(task), node, pid: Number(pid) });
    };
    const watchers = [watch(jobs)];
    watchers[0]?.on('change', (_, name) => {
      const folder = path.join(jobs, String(name));
      if (watchers.length === 1 && existsSync(folder)) watchers.push(watch(folder, (__, file) => look(folder, file)));
    });
    return {
      first: (node: string | RegExp, task?: number) =>
        until(`a task runs on ${String(node)}`, () =>
          seen.find(
            (one) =>
              (typeof node === 'string' ? one.node === node : node.test(one.node)) && (task === undefined || one.task === task),
          ),
        ),
      close: () => watchers.forEach((watcher) => watcher.close()),
    };
  }
}

describe('a Job of Kubernetes', () => {
  const validate = compileSchemaFile('test/core/jobs/indexedJob.schema.json');

  function stowage(...args: string[]): Ended {
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8', maxBuffer: 64e6 });
    return { code: status, stdout, stderr };
  }

  it.each(['verify', 'values'])(
    'of %s is one by its schema; its pods do their indexes, and what they leave is gathered',
    async (use) => {
      const claim = `checkpoints=${scratch}`;
      const made = stowage(use, checkpoint, '--nodes', '2', '--kubernetes', '--claim', claim, '--job-folder', jobs);
      expect(made).toMatchObject({ code: 0, stdout: '' });
      const folder = onlyJob();
      const job = parse(readFileSync(path.join(folder, 'job.yaml'), 'utf8')) as {
        metadata: { name: string };
        spec: { completions: number; template: { spec: { containers: { command: string[] }[] } } };
      };
      expect(schemaErrors(validate, job)).toEqual([]);
      expect(made.stderr).toContain(`kubectl apply -f '${folder}/job.yaml'`);
      expect(made.stderr).toContain(`job/${job.metadata.name}`);
      const [program = '', ...args] = job.spec.template.spec.containers[0]?.command ?? [];
      expect(program).toBe('node');
      for (let index = 0; index < job.spec.completions; index++) {
        const env = { PATH: process.env['PATH'], JOB_COMPLETION_INDEX: String(index) };
        expect(spawnSync(process.execPath, args, { env, cwd: '/', encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
      }
      const gathered = stowage(use, '--gather', folder, '--json');
      expect(JSON.parse(gathered.stdout)).toEqual({
        ...(await alone<object>(use, checkpoint)),
        ...(use === 'verify' && { bytesPerSecond: null }),
      });
    },
  );

  /** Plans a job, and does its tasks. */
  function done(use: string, before: () => void = () => undefined): string {
    const claim = `checkpoints=${scratch}`;
    expect(stowage(use, checkpoint, '--nodes', '2', '--kubernetes', '--claim', claim, '--job-folder', jobs).code).toBe(0);
    before();
    const folder = onlyJob();
    const { shares } = JSON.parse(readFileSync(path.join(folder, 'job.json'), 'utf8')) as { shares: unknown[] };
    for (const index of shares.keys()) {
      const env = { PATH: process.env['PATH'], JOB_COMPLETION_INDEX: String(index) };
      spawnSync(process.execPath, [path.join(folder, 'cli.js'), 'job-task', folder], { env });
    }
    return folder;
  }

  it.each([
    ['before its task', (gone: () => void) => done('verify', gone)],
    ['after it', (gone: () => void) => [done('verify'), gone()][0] ?? ''],
  ])('says that a file is missing that is gone %s', (_, act) => {
    const folder = act(() => rmSync(path.join(checkpoint, 'rank_2.pt')));
    const { code, stdout } = stowage('verify', '--gather', folder, '--json');
    const report = JSON.parse(stdout) as VerificationReport;
    expect({ code, failed: report.failed }).toEqual({ code: 1, failed: 1 });
    expect(report.files.find(({ path: name }) => name === 'rank_2.pt')).toMatchObject({ status: 'missing' });
  });

  it.each([
    ['before their tasks', (write: () => void) => done('values', write)],
    ['after them', (write: () => void) => [done('values'), write()][0] ?? ''],
  ])('refuses values of files that were written again %s, whatever their headers are', (_, act) => {
    const folder = act(() => cpSync(torchFile, path.join(checkpoint, 'rank_0.pt')));
    const { code, stderr } = stowage('values', '--gather', folder);
    expect(code).toBe(3);
    expect(stderr).toMatch(/has changed since the job was planned|have no result/);
  });

  it('says how the tasks that are left are run', () => {
    stowage('verify', checkpoint, '--nodes', '2', '--kubernetes', '--claim', `c=${scratch}`, '--job-folder', jobs);
    const { code, stderr } = stowage('verify', '--gather', onlyJob());
    expect(code).toBe(3);
    expect(stderr).toContain(`kubectl replace --force -f '${onlyJob()}/job.yaml'`);
    expect(stderr).not.toContain('sbatch');
  });

  it('has no folder among the files that it reads, and none where there is none', () => {
    const inside = stowage(
      'verify',
      checkpoint,
      '--nodes',
      '2',
      '--kubernetes',
      '--claim',
      `c=${scratch}`,
      '--job-folder',
      checkpoint,
    );
    expect(inside).toMatchObject({ code: 2 });
    expect(inside.stderr).toContain('whose files it reads');
    const nowhere = stowage('verify', checkpoint, '--nodes', '2', '--job-folder', path.join(jobs, 'new'));
    expect(nowhere).toMatchObject({ code: 3 });
    expect(nowhere.stderr).toMatch(/no folder for the job can be made in .*new: /);
  });

  it('is not written where the folder is outside of the claim', () => {
    const { code, stderr } = stowage(
      'verify',
      checkpoint,
      '--nodes',
      '2',
      '--kubernetes',
      '--claim',
      'x=/mnt',
      '--job-folder',
      jobs,
    );
    expect(code).toBe(2);
    expect(stderr).toContain('is not below /mnt');
    expect(readdirSync(jobs)).toEqual([]);
  });
});
