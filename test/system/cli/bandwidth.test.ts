/** The command line of bandwidth checks, as users run it: real writes into a temporary directory. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileSchemaFile, schemaErrors } from '../../builders/schemaErrors.js';
import { until } from '../../builders/until.js';
import type { BandwidthReport } from '../../../src/core/bandwidth/bandwidthReport.js';

const cli = path.resolve('dist/cli.js');
let folder = '';

beforeAll(async () => {
  // Not below /tmp, which may be memory.
  await mkdir('.cache', { recursive: true });
  folder = await mkdtemp(path.resolve('.cache', 'bandwidth-cli-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function start(args: string[], command: [string, ...string[]] = [process.execPath, cli, 'bandwidth']): ChildProcess {
  const [program, ...rest] = command;
  return spawn(program, [...rest, ...args], { env: { ...process.env, NO_COLOR: '1' } });
}

async function ended(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (text: Buffer) => (stdout += text.toString()));
  child.stderr?.on('data', (text: Buffer) => (stderr += text.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

const run = (...args: string[]): Promise<Ended> => ended(start(args));
/** Small and quick, for what is not about the amounts. */
const small = ['--size', '8MiB', '--streams', '2', '--block', '1MiB', '--repeats', '1'];
const target = async (name: string): Promise<string> => {
  const directory = path.join(folder, name);
  await mkdir(directory);
  return directory;
};

/** As soon as a check has made its directory. */
async function begun(directory: string): Promise<void> {
  await until('a check has begun', async () => {
    const [made] = (await readdir(directory)).filter((name) => name.startsWith('.stowage-bandwidth-'));
    return made !== undefined && (await readdir(path.join(directory, made)).catch(() => [])).length > 1;
  });
}

const validate = compileSchemaFile('docs/bandwidth-report.schema.json');

describe('stowage bandwidth', () => {
  it('prints a report that is what its schema says, and leaves nothing behind', async () => {
    const directory = await target('json');
    const { code, stdout, stderr } = await run(directory, ...small, '--repeats', '3', '--interval', '30min', '--yes', '--json');
    expect({ code, stderr: stderr.split('\n')[0] }).toEqual({
      code: 0,
      stderr: `2 files of 4.19 MB each (8.39 MB in all) by 2 streams, in blocks of 1 MiB, into a new folder in ${directory}.`,
    });
    const report = JSON.parse(stdout) as BandwidthReport;
    expect(schemaErrors(validate, report)).toEqual([]);
    expect(report).toMatchObject({
      path: directory,
      shape: { replayOf: null, totalBytes: 8 * 2 ** 20, files: 2, streams: 2, blockBytes: 2 ** 20, repeats: 3, scale: 1 },
      io: { writtenBytes: 24 * 2 ** 20 + report.metadata!.files * 4096, readBytes: 24 * 2 ** 20 },
      verdict: { interval: { seconds: 1800, isAssumed: false } },
    });
    expect(report.write.samples.map(({ bytes }) => bytes)).toEqual([8 * 2 ** 20, 8 * 2 ** 20, 8 * 2 ** 20]);
    expect(await readdir(directory)).toEqual([]);
  });

  it('sweeps over numbers of streams, writes on for the sustained rate, and leaves nothing behind', async () => {
    const directory = await target('sweep');
    const more = [
      '--sweep',
      '4,1,2',
      '--sustained',
      '--sustained-bytes',
      '32MiB',
      '--sustained-seconds',
      '1h',
      '--space',
      '16MiB',
    ];
    const { code, stdout, stderr } = await run(...more, directory, ...small, '--yes', '--json');
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('Then a sweep: 1, 2 and 4 streams write and sync');
    expect(stderr).toContain('at most 33.6 MB and 1 hour');
    expect(stderr).toContain('Never more than 16.8 MB at once');
    const report = JSON.parse(stdout) as BandwidthReport;
    expect(schemaErrors(validate, report)).toEqual([]);
    const streams = [...new Set(report.sweep?.points.map((point) => point.streams))];
    expect(streams).toEqual([1, 2, 4]);
    expect(report.sweep?.points.every(({ runs }) => runs.every(({ bytes }) => bytes > 0 && bytes <= 16 * 2 ** 20))).toBe(true);
    expect(report.sustained).toMatchObject({ endedBy: 'bytes', mostSeconds: 3600, mostBytes: 32 * 2 ** 20, streams: 2 });
    expect(report.sustained?.bytes).toBeLessThanOrEqual(32 * 2 ** 20);
    expect(report.sustained?.roomBytes).toBeLessThanOrEqual(16 * 2 ** 20);
    expect(await readdir(directory)).toEqual([]);
  });

  it('writes Markdown and its charts beside it', async () => {
    const directory = await target('output');
    const file = path.join(folder, 'result.md');
    const { code, stdout } = await run(directory, '--sweep=1,2', ...small, '--yes', '--output', file);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(await readFile(file, 'utf8')).toContain('](result-charts/sweep.svg)');
    expect((await readdir(path.join(folder, 'result-charts'))).sort()).toEqual(['repeats.svg', 'sweep.svg']);
    expect(await readdir(directory)).toEqual([]);
  });

  it('prints the result where its file cannot be written', async () => {
    const directory = await target('unwritable');
    const { code, stdout, stderr } = await run(directory, ...small, '--yes', '--output', path.join(cli, 'result.md'));
    expect(code).toBe(3);
    expect(stderr).toContain('cannot be written');
    expect(stdout).toContain('last file done');
  });

  it.each(['--sweep', '--sustained'])('removes everything where it is interrupted in its part %s', async (part) => {
    const directory = await target(`interrupted${part}`);
    // It never ends by itself: the last part has hours.
    const endless = [
      '--sustained',
      '--sustained-bytes',
      '1PB',
      '--sustained-seconds',
      '4h',
      '--space',
      '64MiB',
      '--repeats',
      '20',
    ];
    const child = start([directory, ...small, ...endless, ...(part === '--sweep' ? ['--sweep'] : []), '--yes']);
    const end = ended(child);
    await until(`files of ${part} are written`, async () => {
      const [made] = await readdir(directory);
      const names = made === undefined ? [] : await readdir(path.join(directory, made)).catch(() => []);
      return names.some((name) => name.startsWith(`${part.slice(2)}-`));
    });
    child.kill('SIGINT');
    expect(await end).toMatchObject({ code: 130, stdout: '' });
    expect(await readdir(directory)).toEqual([]);
  });

  it('replays the newest checkpoint of a run, scaled', async () => {
    const run1 = await target('run');
    for (const [step, size] of [
      ['checkpoint-9', 1000],
      ['checkpoint-10', 300_000],
    ] as const) {
      await mkdir(path.join(run1, step));
      for (const name of ['optimizer.pt', 'model.safetensors']) await writeFile(path.join(run1, step, name), Buffer.alloc(size));
      await writeFile(path.join(run1, step, 'trainer_state.json'), '{}');
    }
    const { code, stdout } = await run(
      run1,
      '--replay',
      run1,
      '--space',
      '128KiB',
      '--repeats',
      '1',
      '--block',
      '4KiB',
      '--yes',
      '--json',
    );
    expect(code).toBe(0);
    const { shape } = JSON.parse(stdout) as BandwidthReport;
    expect(shape).toMatchObject({
      replayOf: path.join(run1, 'checkpoint-10'),
      realBytes: 600_002,
      realFiles: 3,
      files: 3,
      streams: 2,
    });
    expect(shape.totalBytes).toBeLessThanOrEqual(128 * 1024);
    expect((await readdir(run1)).sort()).toEqual(['checkpoint-10', 'checkpoint-9']);
  });

  it('is shown in a terminal and as Markdown', async () => {
    const directory = await target('text');
    expect((await run(directory, ...small, '-y')).stdout).toMatch(/^Writes .*B\/s \(one repeat, synced, last file done\)/m);
    expect((await run(directory, ...small, '-y', '--markdown')).stdout).toContain('## Caveats');
  });

  it('writes nothing before somebody said yes', async () => {
    const directory = await target('no');
    const before = await stat(directory);
    const { code, stdout, stderr } = await run(directory, ...small);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('2 files of 4.19 MB each');
    expect(stderr).toContain('--yes starts the check');
    expect((await stat(directory)).mtimeMs).toBe(before.mtimeMs);
  });

  it('asks in a terminal', async () => {
    const directory = await target('asks');
    const command = `'${process.execPath}' '${cli}' bandwidth '${directory}' ${small.join(' ')}`;
    const answering = async (answer: string): Promise<Ended> => {
      // script(1) gives the command a terminal of its own.
      const child = start([], ['script', '-qfec', command, '/dev/null']);
      child.stdout?.once('data', () => undefined);
      let seen = '';
      child.stdout?.on('data', (text: Buffer) => {
        seen += text.toString();
        if (seen.includes('[y/N]')) {
          child.stdin?.end(`${answer}\n`);
          seen = '';
        }
      });
      return ended(child);
    };
    expect(await answering('n')).toMatchObject({ code: 2, stdout: expect.stringContaining('Nothing was written') as string });
    const yes = await answering('y');
    expect(yes.code).toBe(0);
    expect(yes.stdout).toContain('last file done');
    expect(yes.stdout).toMatch(/(writing 1 of 1|reading 1 of 1|small files) .*[█░]/);
    expect(await readdir(directory)).toEqual([]);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('removes everything on %s', async (signal) => {
    const directory = await target(signal);
    const child = start([
      directory,
      '--size',
      '1GiB',
      '--streams',
      '2',
      '--space',
      '1GiB',
      '--seconds',
      '60',
      '--repeats',
      '20',
      '--yes',
    ]);
    const end = ended(child);
    await begun(directory);
    child.kill(signal);
    const { code, stdout, stderr } = await end;
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toContain('cancelled. Everything that it had written was removed.');
    expect(await readdir(directory)).toEqual([]);
  });

  it('offers what a killed check left for removal, and removes no more than that', async () => {
    const directory = await target('killed');
    const child = start([directory, '--size', '64MiB', '--streams', '2', '--seconds', '60', '--repeats', '20', '--yes']);
    const end = ended(child);
    await begun(directory);
    child.kill('SIGKILL');
    await end;
    const [left] = await readdir(directory);
    expect(left).toMatch(/^\.stowage-bandwidth-/);
    await writeFile(path.join(directory, 'mine'), 'mine');
    const given = await run(directory, ...small, '--yes', '--json');
    expect(given.stderr).toContain('An earlier check left');
    expect(await readdir(directory)).toContain(left);
    const removed = await run(directory, ...small, '--yes', '--json', '--remove-left');
    expect(removed).toMatchObject({ code: 0, stderr: expect.stringContaining('Removed ') as string });
    expect(await readdir(directory)).toEqual(['mine']);
  });

  it('measures where a symbolic link leads, and says so', async () => {
    const directory = await target('behind');
    const link = path.join(folder, 'link');
    await symlink(directory, link);
    const { code, stdout } = await run(link, ...small, '--yes', '--json');
    expect({ code, path: (JSON.parse(stdout) as BandwidthReport).path }).toEqual({ code: 0, path: directory });
  });

  it.each([
    ['a directory that is not there', 3, () => [path.join(os.tmpdir(), 'not', 'there')]],
    ['a file', 3, () => [cli]],
    ['a checkpoint that is not there', 3, () => [folder, '--replay', '/not/there']],
    ['the same by the earlier name of the flag', 3, () => [folder, '--like', '/not/there']],
    ['no directory', 2, () => []],
    ['two directories', 2, () => [folder, folder]],
    ['a size that is none', 2, () => [folder, '--size', 'much']],
    ['no bytes', 2, () => [folder, '--size', '0']],
    ['no streams', 2, () => [folder, '--streams', '0']],
    ['streams that are no number', 2, () => [folder, '--streams', '1e9']],
    ['a block of odd bytes', 2, () => [folder, '--block', '5000']],
    ['blocks that take too much memory', 2, () => [folder, '--streams', '16', '--block', '64MiB']],
    ['a size and a checkpoint', 2, () => [folder, '--size', '1GiB', '--replay', folder]],
    ['a flag that is none', 2, () => [folder, '--fast']],
    ['a sweep over no streams', 2, () => [folder, '--sweep', '0,1']],
    ['a sweep over too many', 2, () => [folder, '--sweep', '1,129']],
    ['a sweep over one number', 2, () => [folder, '--sweep', '8']],
    ['a sweep over many numbers', 2, () => [folder, '--sweep', Array.from({ length: 5000 }, (_, n) => n + 1).join(',')]],
    ['a sweep over what is no number', 2, () => [folder, '--sweep', '1,two']],
    ['a sweep over a negative number', 2, () => [folder, '--sweep', '-1,2']],
    ['a sweep over an empty place', 2, () => [folder, '--sweep', '1,,2']],
    ['a sweep of an object store', 2, () => ['s3://bucket/runs', '--sweep']],
    ['a sustained rate of an object store', 2, () => ['s3://bucket/runs', '--sustained']],
    ['a sweep of a bucket of Google', 2, () => ['gs://bucket/runs', '--sweep']],
    ['several nodes on a container of Azure', 2, () => ['abfs://runs@account/seven', '--nodes', '2']],
    ['an endpoint of a bucket of Google', 2, () => ['gs://bucket/runs', '--endpoint', 'https://store.example']],
    ['a bucket without a name', 2, () => ['gs:///runs']],
    ['a sweep on several nodes', 2, () => [folder, '--nodes', '2', '--sweep']],
    ['a sustained rate with another tool', 2, () => [folder, '--with', 'fio', '--sustained']],
    ['bounds of a sustained rate that is not asked for', 2, () => [folder, '--sustained-bytes', '1GB']],
    ['no bytes for the sustained rate', 2, () => [folder, '--sustained', '--sustained-bytes', '0']],
    ['more time for the sustained rate than there may be', 2, () => [folder, '--sustained', '--sustained-seconds', '2days']],
    ['a sweep with more space than a third of what is free', 3, () => [folder, '--sweep', '--size', '1GB', '--space', '8PB']],
    ['Markdown and JSON at once', 2, () => [folder, '--output', 'x.md', '--json']],
    ['more space than a third of what is free', 3, () => [folder, '--size', '8PB', '--space', '8PB']],
  ])('refuses %s', async (_what, code, args) => {
    const refused = await run(...args(), '--yes');
    expect(refused).toMatchObject({ code, stdout: '' });
    expect(refused.stderr).not.toMatch(/\bat .*\.js:\d+/);
    expect(await readdir(folder)).not.toContain('.stowage-bandwidth-');
  });
});
