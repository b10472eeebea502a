/** Job scripts: what is in them, and that nothing which a user names gets out of its place. The fio job is run with fio where there is one. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shellWord } from '../../../src/core/jobs/shellWord.js';
import type { SlurmOptions } from '../../../src/core/jobs/slurmOptions.js';
import { slurmScript } from '../../../src/core/bandwidth/jobs/slurmScript.js';
import { benchmarkTools, toolScript } from '../../../src/core/bandwidth/jobs/toolScript.js';
import { makeShape } from '../../../src/core/bandwidth/checkShape.js';
import type { CheckRequest } from '../../../src/core/bandwidth/measurement.js';
import { readCheckRequest } from '../../../src/core/bandwidth/measurementSchema.js';
import { missingPackages } from '../../runner/ensureDebianPackages.mjs';
import { runs } from '../../builders/seed.js';
import { until } from '../../builders/until.js';
import { checkRequest } from '../../core/bandwidth/measurements.js';

const slurm: SlurmOptions = {
  nodes: 4,
  partition: null,
  account: null,
  qos: null,
  constraint: null,
  reservation: null,
  timeMinutes: null,
  isExclusive: true,
};
const places = {
  node: '/usr/bin/node',
  cli: '/opt/stowage/cli.js',
  resultFile: '/shared/me/job/result.json',
  logFile: '/shared/me/job/log.txt',
};

function withFiles(sizes: number[], streams: number, target = '/data/run', blockBytes = 65_536): CheckRequest {
  const files = sizes.map((sizeBytes, index) => ({ name: `rank ${index}.pt`, sizeBytes }));
  const shape = makeShape(files, null, 1e9, { streams, blockBytes });
  if (shape === null) throw new Error('there is space');
  return { ...checkRequest, target, shape, repeats: 2, seconds: 20 };
}

/** What the script hands to the command line as standard input, and its arguments. */
function whatShellSees(script: string): { args: string[]; input: string } {
  const print = 'process.stdout.write(JSON.stringify({args:process.argv.slice(1),input:require("fs").readFileSync(0,"utf8")}))';
  // The script's own program is replaced by one that prints what it was given.
  const replaced = script
    .replace(/^STOWAGE_NODE=.*$/m, `STOWAGE_NODE=${shellWord(process.execPath)}`)
    .replace(/^exec "\$STOWAGE_NODE"/m, `exec "$STOWAGE_NODE" -e '${print}' --`);
  return JSON.parse(execFileSync('sh', ['-c', replaced], { encoding: 'utf8' })) as { args: string[]; input: string };
}

describe('a word of a shell', () => {
  it('arrives as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        // oxlint-disable-next-line no-control-regex -- these are refused
        fc.pre(text !== '' && !/[\u0000-\u001f\u007f]/.test(text));
        expect(execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })).toBe(text);
      }),
      runs(6, 400),
    );
  });

  it.each(['a\nb', 'a\0b', '\u001b[2J', '\r'])('is never %j', (text) => {
    expect(() => shellWord(text)).toThrow(expect.objectContaining({ code: 'bad-setting' }) as Error);
  });
});

describe('a job of Slurm', () => {
  it('tells what it writes, and hands the whole request over', () => {
    const request = withFiles([5e6, 3e6, 100], 2, `/data/it's "here"; $(touch evil) \\`);
    const script = slurmScript(request, { ...slurm, partition: 'gpu' }, places, [
      '3 files into a new folder.',
      'evil\n#SBATCH --wrap=id',
    ]);
    expect(script.split('\n').slice(0, 12)).toEqual([
      '#!/bin/sh',
      '#SBATCH --job-name=stowage-bandwidth',
      '#SBATCH --nodes=4',
      '#SBATCH --time=6',
      '#SBATCH --exclusive',
      '#SBATCH --partition=gpu',
      '#SBATCH --output="/shared/me/job/log.txt"',
      '#SBATCH --no-requeue',
      '#',
      '# 3 files into a new folder.',
      '# evil\\n#SBATCH --wrap=id',
      '# All nodes begin each phase together. What they measured becomes one JSON file.',
    ]);
    const { args, input } = whatShellSees(script);
    expect(args).toEqual([
      '/opt/stowage/cli.js',
      'bandwidth-job',
      'lead',
      '--nodes',
      '4',
      '--result',
      '/shared/me/job/result.json',
    ]);
    expect(readCheckRequest(JSON.parse(input))).toEqual(request);
  });

  it('hands over whatever a path may be', () => {
    const path = fc.string({ unit: 'grapheme', minLength: 1 });
    fc.assert(
      fc.property(path, (target) => {
        const request = { ...checkRequest, target };
        expect(readCheckRequest(JSON.parse(whatShellSees(slurmScript(request, slurm, places, [target])).input))).toEqual(request);
      }),
      runs(6, 300),
    );
  });

  it.each(['resultFile', 'logFile', 'node', 'cli'] as const)('refuses a line break in the place of its %s', (place) => {
    expect(() => slurmScript(checkRequest, slurm, { ...places, [place]: '/a\n#SBATCH --wrap=id' }, [])).toThrow(
      expect.objectContaining({ code: 'bad-setting' }) as Error,
    );
  });

  it.each(['all; touch evil', 'a b', '$(id)', '"', "'", '\\', 'all\n#SBATCH --wrap=id', ''])(
    'refuses a partition %j',
    (partition) => {
      expect(() => slurmScript(checkRequest, { ...slurm, partition }, places, [])).toThrow(
        expect.objectContaining({ code: 'bad-setting' }) as Error,
      );
    },
  );

  it('takes constraints as Slurm writes them, and doubles the signs that it replaces in paths', () => {
    const options = { ...slurm, constraint: '[rack1|rack2]&ssd*2', isExclusive: false, timeMinutes: 30 };
    const script = slurmScript(checkRequest, options, { ...places, logFile: '/shared/100 %/log.txt' }, []);
    expect(script).toContain('#SBATCH --constraint=[rack1|rack2]&ssd*2\n#SBATCH --output="/shared/100 %%/log.txt"');
    expect(script).toContain('#SBATCH --time=30\n');
    expect(script).not.toContain('--exclusive');
  });
});

describe('jobs of other tools', () => {
  const request = withFiles([10e6, 10e6, 10e6, 2e6, 5_000], 2);

  it.each(benchmarkTools)('are scripts that a shell accepts: %s', (tool) => {
    for (const options of [null, slurm]) {
      const script = toolScript(tool, request, options);
      expect(spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
      expect(script.includes('#SBATCH --nodes=4')).toBe(options !== null);
      expect(script.includes('srun')).toBe(options !== null);
    }
  });

  it.each(benchmarkTools)('keep a hostile path in its place: %s', (tool) => {
    const script = toolScript(tool, { ...request, target: `/a b/$(touch evil)'"` }, null);
    expect(script).toContain(`TARGET='/a b/$(touch evil)'\\''"'\n`);
    expect(() => toolScript(tool, { ...request, target: '/a\nrm -rf /' }, null)).toThrow();
  });

  it('have the files of the shape, in elbencho each with its size', () => {
    const lines = toolScript('elbencho', request, slurm).split('\n');
    const files = lines.filter((line) => line.startsWith('f '));
    expect(files).toHaveLength(20);
    expect(files.slice(0, 5)).toEqual(request.shape.files.map(({ name, sizeBytes }) => `f ${sizeBytes} node-1/${name}`));
    expect(lines.filter((line) => line.startsWith('d '))).toEqual(['d node-1', 'd node-2', 'd node-3', 'd node-4']);
  });

  it('give IOR a task a stream with the bytes of one', () => {
    const script = toolScript('ior', withFiles([1e7, 1e7, 1e7, 1e7], 4), slurm);
    expect(script).toContain('srun --ntasks=16 --ntasks-per-node=4');
    expect(script).toContain(`-b ${Math.floor(1e7 / 65_536) * 65_536} -t 65536`);
  });

  it('have fio write whole blocks, as it leaves out the rest', () => {
    for (const bytes of toolScript('fio', request, null).matchAll(/^filesize=(\d+)$/gm))
      expect(Number(bytes[1]) % 65_536).toBe(0);
  });
});

const missing = missingPackages(['fio']);
if (missing !== null) console.warn(`\n*** NOT TESTED: the job for fio: ${missing} ***\n`);

describe('the job for fio', () => {
  const isOfShape = (file: string): boolean => file.includes('/') && path.basename(file) !== 'probe';

  let target: string;
  beforeEach(() => {
    target = path.join(realpathSync(mkdtempSync(path.join(tmpdir(), 'stowage-fio-'))), "it's: here");
    mkdirSync(target);
  });
  afterEach(() => rmSync(path.dirname(target), { recursive: true }));

  it(missing === null ? 'writes and reads the bytes of the shape, and removes all of it' : 'has no fio to be run with', () => {
    if (missing !== null) return expect(missing).not.toBe('');
    const script = toolScript(
      'fio',
      withFiles(
        [4, 4, 2, 2].map((size) => size * 1024 * 1024),
        2,
        target,
      ),
      null,
    );
    const { status, stdout, stderr } = spawnSync('sh', ['-s'], { input: script, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    // Twice.
    const totals = [...stdout.matchAll(/(READ|WRITE): .* io=([\d.]+)MiB/g)].map(([, kind, size]) => [
      kind,
      Math.round(Number(size)),
    ]);
    expect(totals).toEqual([
      ['WRITE', 12],
      ['READ', 12],
      ['WRITE', 12],
      ['READ', 12],
    ]);
    expect(readdirSync(target)).toEqual([]);
  });

  it(missing === null ? 'removes everything when it is ended' : 'has no fio to be ended', async () => {
    if (missing !== null) return expect(missing).not.toBe('');
    const script = toolScript('fio', { ...withFiles([400e6], 1, target), repeats: 20 }, null);
    const child = spawn('sh', ['-s'], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    child.stdin.end(script);
    const over = once(child, 'close');
    await until('fio writes', () => readdirSync(target, { recursive: true, encoding: 'utf8' }).some(isOfShape));
    // As Slurm does: to all processes of the job.
    process.kill(-(child.pid ?? 0), 'SIGTERM');
    await over;
    expect(readdirSync(target)).toEqual([]);
  });
});
