/** `stowage bandwidth --nodes` on a real Slurm of three nodes, which this test starts and stops itself. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BandwidthReport } from '../../../../../src/core/bandwidth/bandwidthReport.js';
import { until } from '../../../../builders/until.js';
import { missingPackages } from '../../../../runner/ensureDebianPackages.mjs';
import { startSlurm, type SlurmCluster } from '../../../../builders/slurmCluster.js';

const missing = missingPackages(['munge', 'slurm-wlm']);

if (missing !== null) {
  console.warn(`\n*** NOT TESTED: bandwidth checks on several nodes: ${missing} ***\n`);
  it('has no Slurm to be tested on', () => expect(missing).not.toBe(''));
} else {
  describe('a check on a Slurm of three nodes', onSlurm);
}

function onSlurm(): void {
  let scratch = '';
  let target = '';
  let folder = '';
  let cluster: SlurmCluster;

  beforeAll(async () => {
    // Slurm's sockets have short names only, so not in a folder below the project.
    scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'stowage-slurm-')));
    target = path.join(scratch, "the run's checkpoints");
    folder = path.join(scratch, 'job % folder');
    mkdirSync(target);
    mkdirSync(folder);
    cluster = await startSlurm(path.join(scratch, 'slurm'));
  });
  afterAll(async () => {
    await cluster?.stop();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  interface Ended {
    code: number | null;
    stdout: string;
    stderr: string;
  }

  /** The built command line, as it is called on a login node. */
  function stowage(args: string[], onError: (text: string, kill: (signal: NodeJS.Signals) => void) => void = () => undefined) {
    const child = spawn(process.execPath, [path.resolve('dist/cli.js'), 'bandwidth', ...args], {
      env: cluster.environment,
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new Promise<Ended>((resolve) => {
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => {
        stderr += chunk.toString();
        onError(stderr, (signal) => child.kill(signal));
      });
      child.once('close', (code) => resolve({ code, stdout, stderr }));
    });
  }

  const small = ['--nodes', '3', '--size', '8MiB', '--streams', '2', '--repeats', '2', '--seconds', '20', '--share-nodes'];

  /** Names of all folders that are made in the target from now on: the system keeps events until they are read. */
  function watchFolders(): { seen: Set<string>; close(): void } {
    const seen = new Set<string>();
    const watcher = watch(target, (_, name) => void seen.add(name ?? ''));
    return { seen, close: () => watcher.close() };
  }

  /** Names of folders of checks that there are now. */
  const left = (): string[] => readdirSync(target);

  it('runs on all of them at the same time, gathers, and leaves nothing behind', async () => {
    const { seen, close } = watchFolders();
    const { code, stdout, stderr } = await stowage([target, ...small, '--yes', '--accept-warnings', '--json']);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const report = JSON.parse(stdout) as BandwidthReport;
    expect(report.nodes?.perNode.map(({ name }) => name)).toEqual(['node1', 'node2', 'node3']);
    expect(report.nodes?.count).toBe(3);
    // Three processes, each with a folder of its own.
    await until('all folders are seen', () => seen.size >= 3);
    close();
    expect(seen.size).toBe(3);
    // The bytes are those of all nodes, and the time that of the slowest.
    expect(report.write.samples.map(({ bytes }) => bytes)).toEqual([24 * 1024 * 1024, 24 * 1024 * 1024]);
    expect(report.nodes?.write.medianBytesPerSecond).toBe(report.write.medianBytesPerSecond);
    expect(report.nodes?.write.maximumSeconds).toBe(Math.max(...report.write.samples.map(({ seconds }) => seconds)));
    expect(report.nodes?.startSpreadSeconds).toBeGreaterThan(0);
    expect(stderr).toMatch(/Job \d+: /);
    expect(left()).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('writes a script that people can read, and submits nothing unless that is agreed to', async () => {
    const { code, stderr } = await stowage([target, ...small, '--partition', 'all', '--time-limit', '10min']);
    expect(code).toBe(2);
    const [job = ''] = readdirSync(folder);
    const script = readFileSync(path.join(folder, job, 'job.sh'), 'utf8');
    expect(stderr).toContain(path.join(folder, job, 'job.sh'));
    expect(script).toContain('#SBATCH --nodes=3\n#SBATCH --time=10\n#SBATCH --partition=all\n');
    expect(script).toContain(`# 2 files of`);
    expect(await cluster.run('squeue', '--noheader')).toBe('');
    // The script does its work for who submits it by hand, too.
    await cluster.run('sbatch', '--wait', path.join(folder, job, 'job.sh'));
    const result = path.join(folder, job, 'result.json');
    await until('the result is there', () => existsSync(result));
    expect((JSON.parse(readFileSync(result, 'utf8')) as { result: { nodes: unknown[] } }).result.nodes).toHaveLength(3);
    expect(readFileSync(path.join(folder, job, 'log.txt'), 'utf8')).toContain('write-1: all 3 nodes began within');
    expect(left()).toEqual([]);
    rmSync(path.join(folder, job), { recursive: true });
  });

  const long = ['--nodes', '3', '--size', '64MiB', '--streams', '2', '--repeats', '20', '--seconds', '60', '--share-nodes'];

  it('leaves nothing behind when the job is cancelled in the middle', async () => {
    const run = stowage([target, ...long, '--yes', '--accept-warnings']);
    await untilWriting();
    const [id = ''] = (await cluster.run('squeue', '--noheader', '--format=%i')).trim().split('\n');
    await cluster.run('scancel', id);
    const { code, stderr } = await run;
    expect({ code, stderr }).toMatchObject({ code: 130 });
    expect(left()).toEqual([]);
    await removeJobs();
  });

  it('cancels the job when it is cancelled itself', async () => {
    let kill: (signal: NodeJS.Signals) => void = () => undefined;
    const run = stowage([target, ...long, '--yes', '--accept-warnings'], (_, by) => (kill = by));
    await untilWriting();
    kill('SIGINT');
    const { code, stderr } = await run;
    expect({ code, stderr }).toMatchObject({ code: 130 });
    expect((await cluster.run('squeue', '--noheader')).trim()).toBe('');
    expect(left()).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('ends on all nodes when one is killed, and says which; what the killed one left is found', async () => {
    const run = stowage([target, ...long, '--yes', '--accept-warnings']);
    const pids = await untilWriting();
    const [victim] = pids;
    if (victim === undefined) throw new Error('no process writes');
    process.kill(victim, 'SIGKILL');
    const { code, stderr } = await run;
    expect(code).toBe(3);
    expect(stderr).toMatch(/the connection to node[123] was lost/);
    // A killed process cannot remove anything; the two others have.
    expect(left()).toHaveLength(1);
    const removal = await stowage([target, '--size', '1MiB', '--repeats', '1', '--remove-left', '--yes', '--accept-warnings']);
    expect({ code: removal.code, stderr: removal.stderr }).toMatchObject({ code: 0 });
    expect(left()).toEqual([]);
    await removeJobs();
  });

  it('says what Slurm says where it refuses the job', async () => {
    const { code, stderr } = await stowage([target, ...small, '--partition', 'nowhere', '--yes', '--accept-warnings']);
    expect(code).toBe(3);
    expect(stderr).toContain('invalid partition');
    await removeJobs();
  });

  it.each([
    ['--nodes', '0'],
    ['--nodes', 'three'],
    ['--partition', 'all'],
    ['--with', 'dd'],
  ])('refuses %s %s', async (...flags) => {
    expect((await stowage([target, ...flags])).code).toBe(2);
  });

  it('refuses options that are no words of Slurm, and writes nothing', async () => {
    const { code } = await stowage([target, ...small, '--partition', 'all; touch evil', '--yes', '--accept-warnings']);
    expect(code).toBe(2);
    expect(readdirSync(folder)).toEqual([]);
  });

  /** Until all three nodes write; their processes. */
  async function untilWriting(): Promise<number[]> {
    return until('all three nodes write', () => {
      const pids = left().flatMap((name) => {
        try {
          const files = readdirSync(path.join(target, name)).filter((file) => !file.startsWith('.stowage'));
          const marker = readFileSync(path.join(target, name, '.stowage-marker.json'), 'utf8');
          return files.length > 0 ? [(JSON.parse(marker) as { pid: number }).pid] : [];
        } catch {
          return [];
        }
      });
      return pids.length === 3 && pids;
    });
  }

  /** The folders of jobs that failed stay for who asks why, until the queue has let go of the job. */
  async function removeJobs(): Promise<void> {
    await until('the queue is empty', async () => (await cluster.run('squeue', '--noheader')) === '');
    for (const name of readdirSync(folder)) rmSync(path.join(folder, name), { recursive: true });
  }
}
