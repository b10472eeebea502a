import { chmodSync, existsSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFileSystemFacts } from '../../../../src/platform/bandwidth/fileSystemFacts.js';
import { loginNodeReason, type LoginNodeSources } from '../../../../src/platform/bandwidth/loginNode.js';
import { runProgram } from '../../../../src/platform/os/runProgram.js';
import { makeFolder, removeFolder } from './checkSetup.js';

let folder: string;
const searchPath = process.env['PATH'];

beforeEach(() => (folder = makeFolder()));
afterEach(() => {
  process.env['PATH'] = searchPath;
  removeFolder(folder);
});

/** A program of the tests ahead of all others. */
function program(name: string, script: string): void {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  process.env['PATH'] = `${folder}${path.delimiter}${searchPath ?? ''}`;
}

describe('facts of a file system', () => {
  it('are those that the system tells', async () => {
    const facts = await readFileSystemFacts(folder);
    const stats = statfsSync(folder);
    expect(facts.totalBytes).toBe(stats.blocks * stats.bsize);
    expect(facts.freeBytes).toBeLessThanOrEqual(facts.totalBytes ?? 0);
    if (!existsSync('/proc/self/mountinfo')) return;
    expect(facts.type).toMatch(/^[a-z0-9.]+$/);
    expect(folder.startsWith(facts.mountPoint ?? '?')).toBe(true);
    expect(facts.options).toContain('rw');
  });

  it('have a quota where the program for it tells one of this file system', async () => {
    if (!existsSync('/proc/self/mountinfo')) return;
    const { source } = await readFileSystemFacts(folder);
    program(
      'quota',
      `echo 'Disk quotas for user u (uid 1):'; echo '     Filesystem  blocks   quota   limit   grace   files'; echo '/dev/other 1 2 3'; echo '${source ?? ''}  1000*  2000  4000  0  12  0  0'; exit 1`,
    );
    expect((await readFileSystemFacts(folder)).quota).toEqual({ usedBytes: 1_024_000, limitBytes: 4_096_000 });
  });
});

describe('a program that is asked', () => {
  const options = { timeoutMs: 240_000 };

  it('gets its arguments as given, and its output is read', async () => {
    program('lfs', 'echo "$@"');
    expect(await runProgram('lfs', ['getstripe', '-d', 'a b; $(x)'], options)).toBe('getstripe -d a b; $(x)\n');
  });

  it('that is not there, fails, hangs or is cancelled tells nothing', async () => {
    expect(await runProgram('stowage-no-such-program', [], options)).toBeNull();
    program('lfs', 'echo no; exit 2');
    expect(await runProgram('lfs', [], options)).toBeNull();
    program('lfs', 'echo no; exec sleep 60');
    expect(await runProgram('lfs', [], { timeoutMs: 50 })).toBeNull();
    expect(await runProgram('lfs', [], { timeoutMs: 60_000, signal: AbortSignal.timeout(50) })).toBeNull();
  });

  it('that talks without end is heard up to a limit', async () => {
    program('lfs', 'yes | head -c 5000000');
    expect(await runProgram('lfs', [], options)).toHaveLength(256 * 1024);
  });
});

describe('a login node', () => {
  const sources = (changes: Partial<LoginNodeSources> & { files?: string[] } = {}): LoginNodeSources => ({
    env: { PATH: '/usr/bin' },
    hostName: 'gpu-12',
    exists: async (file) => changes.files?.includes(file) ?? false,
    processes: async () => ['sshd'],
    ...changes,
  });

  it('belongs to a cluster and runs none of its jobs', async () => {
    expect(await loginNodeReason(sources({ files: ['/etc/slurm/slurm.conf'] }))).toContain('Slurm');
    expect(await loginNodeReason(sources({ env: { SLURM_CONF: '/shared/slurm.conf' } }))).toContain('Slurm');
    expect(await loginNodeReason(sources({ files: ['/etc/pbs.conf'] }))).toContain('PBS');
    expect(await loginNodeReason(sources({ env: { LSF_ENVDIR: '/shared/lsf/conf' } }))).toContain('LSF');
  });

  it('is none for having the commands of a batch system alone', async () => {
    expect(await loginNodeReason(sources({ files: ['/usr/bin/sbatch', '/usr/bin/qsub', '/usr/bin/bsub'] }))).toBeNull();
  });

  it('is called one', async () => {
    for (const hostName of ['login01', 'login', 'uan02.cluster', 'head-1', 'submit3']) {
      expect(await loginNodeReason(sources({ hostName }))).toContain(hostName);
    }
  });

  it('is none where jobs run, within a job, or where nothing tells of a batch system', async () => {
    const files = ['/etc/slurm/slurm.conf'];
    expect(await loginNodeReason(sources({ files, processes: async () => ['slurmd'] }))).toBeNull();
    expect(await loginNodeReason(sources({ files, env: { SLURM_JOB_ID: '7' } }))).toBeNull();
    expect(await loginNodeReason(sources({ hostName: 'login1', env: { PBS_JOBID: '7' } }))).toBeNull();
    for (const hostName of ['headless', 'loginserver-build', 'gpu-login-proxy9', 'vm']) {
      expect(await loginNodeReason(sources({ hostName }))).toBeNull();
    }
  });

  it('is none for this very machine within a job', async () => {
    program('sbatch', 'true');
    process.env['SLURM_JOB_ID'] = '7';
    try {
      expect(await loginNodeReason()).toBeNull();
    } finally {
      delete process.env['SLURM_JOB_ID'];
    }
  });
});
