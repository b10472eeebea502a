import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync, type Stats } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CheckProgress } from '../../../../src/core/bandwidth/measurement.js';
import { dropPages } from '../../../../src/platform/bandwidth/dropPages.js';
import { readStoringFacts } from '../../../../src/platform/bandwidth/fileSystemFacts.js';
import { createNodeBandwidthService } from '../../../../src/platform/bandwidth/nodeBandwidthService.js';
import { runCheck } from '../../../../src/platform/bandwidth/runCheck.js';
import { until } from '../../../builders/until.js';
import { macosSystem } from '../../../../src/platform/os/macos.js';
import { windowsSystem } from '../../../../src/platform/os/windows.js';
import { bundleEntry, checkIn, makeFolder, mebibyte, namesIn, progressTo, removeFolder, requestOf } from './checkSetup.js';

let bundles: string;
let threadFile: string;
let target: string;
const never = new AbortController().signal;

beforeAll(async () => {
  bundles = makeFolder();
  threadFile = await bundleEntry(bundles);
});
afterAll(() => removeFolder(bundles));
beforeEach(() => (target = makeFolder()));
afterEach(() => removeFolder(target));

describe('a bandwidth check', () => {
  it('writes and reads what it claims, as the kernel counts it, and leaves nothing', async () => {
    const request = requestOf(target, { repeats: 3 });
    const measured = await runCheck(request, progressTo(), never, { threadFile });
    const { totalBytes } = request.shape;
    expect(measured.write.samples.map(({ bytes }) => bytes)).toEqual([totalBytes, totalBytes, totalBytes]);
    expect(measured.read.samples.map(({ bytes }) => bytes)).toEqual([totalBytes, totalBytes, totalBytes]);
    expect(measured.io.writtenBytes).toBe(3 * totalBytes + 20 * 4096);
    expect(measured.io.readBytes).toBe(3 * totalBytes);
    if (process.platform === 'linux') expect(measured.io.countedWrittenBytes).toBe(measured.io.writtenBytes);
    expect(namesIn(target)).toEqual([]);
  });

  it('times every block, sync and small file, and compares every block', async () => {
    const request = requestOf(target);
    const measured = await runCheck(request, progressTo(), never, { threadFile });
    // 8 blocks of the first file, 5 of the second, 1 of the third.
    expect(measured.write.blocks.operations).toBe(2 * 14);
    expect(measured.write.syncs.operations).toBe(2 * 3);
    expect(measured.read.blocks.operations).toBe(2 * 14);
    expect(measured.read.comparedBlocks).toBe(2 * 14);
    expect(measured.metadata).toMatchObject({ files: 20, streams: 2, isCut: false });
    for (const step of ['create', 'sync', 'rename', 'remove'] as const) expect(measured.metadata?.[step].operations).toBe(20);
    for (const sample of [...measured.write.samples, ...measured.read.samples]) {
      expect(sample.isCut).toBe(false);
      expect(sample.firstDoneSeconds).toBeGreaterThan(0);
      expect(sample.seconds).toBeGreaterThanOrEqual(sample.firstDoneSeconds);
    }
  });

  it('takes as long as its last stream', async () => {
    const banner = `if (require('node:worker_threads').workerData?.index === 1) {
      const fs = require('node:fs');
      const { fsyncSync } = fs;
      fs.fsyncSync = (descriptor) => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
        return fsyncSync(descriptor);
      };
    }`;
    const slow = await bundleEntry(bundles, { name: 'slowStream', banner });
    const { write } = await runCheck(requestOf(target, { repeats: 1 }), progressTo(), never, { threadFile: slow });
    expect(write.samples[0]?.seconds).toBeGreaterThanOrEqual(0.3);
  });

  it('tells how long it waited for its own data', async () => {
    // Every block of data takes far longer to make than to write, even on a slow disk.
    const banner = `{
      const crypto = require('node:crypto');
      const { randomFillSync } = crypto;
      crypto.randomFillSync = (block) => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
        return randomFillSync(block);
      };
    }`;
    const slow = await bundleEntry(bundles, { name: 'slowFiller', banner });
    const files = [{ name: 'model.safetensors', sizeBytes: 3 * mebibyte }];
    const measured = await runCheck(requestOf(target, { repeats: 1, shape: { files } }), progressTo(), never, {
      threadFile: slow,
    });
    expect(measured.io.dataWaitShare).toBeGreaterThan(0);
    expect(measured.io.dataWaitShare).toBeLessThanOrEqual(1);
    expect(measured.io.busyShare).toBeNull();
  });

  it('never lays down more than its shape, in files that only the user can read', async () => {
    const request = requestOf(target, {
      shape: { files: [0, 1, 2, 3].map((n) => ({ name: `f${n}`, sizeBytes: 8 * mebibyte })) },
    });
    const most = request.shape.totalBytes + request.smallFiles * 4096;
    let looks = 0;
    const look = ({ phase }: CheckProgress): void => {
      if (phase === 'preparing') return;
      const directory = checkIn(target);
      expect(lstatSync(directory).mode & 0o777).toBe(0o700);
      const stats = namesIn(directory).flatMap((name) => lstatOf(path.join(directory, name)) ?? []);
      expect(stats.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(most + 4096);
      for (const { mode } of stats) expect(mode & 0o777).toBe(0o600);
      looks += 1;
    };
    let timer: NodeJS.Timeout | undefined;
    let failure: unknown = null;
    try {
      await runCheck(
        request,
        progressTo((progress) => {
          clearInterval(timer);
          // Between the events as well, as fast as the loop turns.
          timer = setInterval(() => {
            try {
              look(progress);
            } catch (error) {
              failure ??= error;
            }
          }, 1);
          if (progress.phase === 'removing') clearInterval(timer);
          else look(progress);
        }),
        never,
        { threadFile },
      );
    } finally {
      clearInterval(timer);
    }
    expect(failure).toBeNull();
    expect(looks).toBeGreaterThanOrEqual(5);
  });

  it('writes data that no storage can compress or find twice', async () => {
    const blocks = new Set<string>();
    let written = 0;
    await runCheck(
      requestOf(target, { repeats: 1, smallFiles: 0, shape: { blockBytes: 4096 } }),
      progressTo(({ phase }) => {
        if (phase !== 'read' || written > 0) return;
        const directory = checkIn(target);
        for (const name of namesIn(directory).filter((entry) => !entry.startsWith('.'))) {
          const data = readFileSync(path.join(directory, name));
          for (let at = 0; at < data.length; at += 4096, written++) blocks.add(data.toString('latin1', at, at + 16));
        }
      }),
      never,
      { threadFile },
    );
    expect(written).toBeGreaterThan(700);
    expect(blocks.size).toBe(written);
  });

  it('stops where it is when its time is over, with at least a block of each stream', async () => {
    const files = [0, 1, 2, 3].map((n) => ({ name: `f${n}`, sizeBytes: 4 * mebibyte }));
    const measured = await runCheck(requestOf(target, { seconds: 1e-6, shape: { files } }), progressTo(), never, { threadFile });
    for (const [index, { bytes, isCut }] of measured.write.samples.entries()) {
      expect(isCut).toBe(true);
      expect(bytes).toBe(2 * 262_144);
      expect(measured.read.samples[index]?.bytes).toBe(bytes);
    }
    expect(measured.metadata).toMatchObject({ files: 2, isCut: true });
    expect(measured.io.writtenBytes).toBe(measured.io.countedWrittenBytes ?? measured.io.writtenBytes);
    expect(namesIn(target)).toEqual([]);
  });

  it('reports each phase in its order, and how far it is', async () => {
    const seen: CheckProgress[] = [];
    await runCheck(
      requestOf(target),
      progressTo((progress) => seen.push(progress)),
      never,
      { threadFile },
    );
    const phases = seen.map(({ phase, repeat }) => `${phase} ${repeat}`);
    expect(phases.filter((phase, index) => phase !== phases[index - 1])).toEqual([
      'preparing 1',
      'write 1',
      'read 1',
      'write 2',
      'read 2',
      'metadata 2',
      'removing 2',
    ]);
    for (const { done, total, elapsedSeconds } of seen) {
      expect(done).toBeLessThanOrEqual(total);
      expect(elapsedSeconds).toBeGreaterThanOrEqual(0);
    }
  });

  it('reports nothing of the phase before while streams are slow to begin', async () => {
    const banner = `if (require('node:worker_threads').workerData?.role === 'stream') {
      const { parentPort } = require('node:worker_threads');
      const on = parentPort.on.bind(parentPort);
      parentPort.on = (name, listener) => on(name, (message) => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
        listener(message);
      });
    }`;
    const slow = await bundleEntry(bundles, { name: 'slowBeginning', banner });
    const seen: CheckProgress[] = [];
    await runCheck(
      requestOf(target),
      progressTo((progress) => seen.push(progress)),
      never,
      { threadFile: slow },
    );
    expect(seen.filter(({ done, total }) => done > total)).toEqual([]);
    // Of a read, its first report comes at the beginning, the next long before any stream has read.
    const ofReads = seen.filter(({ phase, repeat }) => phase === 'read' && repeat === 1);
    expect(ofReads.map(({ done }) => done)).toEqual(ofReads.map(({ done }) => done).sort((a, b) => a - b));
  });

  it('meets others before the clock of each phase starts', async () => {
    const met: string[] = [];
    const barrier = async (phase: string): Promise<void> => void met.push(phase);
    await runCheck(requestOf(target), { onProgress: () => undefined, barrier }, never, { threadFile });
    expect(met).toEqual(['write-1', 'read-1', 'write-2', 'read-2', 'metadata']);
  });

  it('ends when the others do not come', async () => {
    const barrier = (): Promise<void> => Promise.reject(new Error('the others did not come'));
    await expect(runCheck(requestOf(target), { onProgress: () => undefined, barrier }, never, { threadFile })).rejects.toThrow(
      'the others did not come',
    );
    expect(namesIn(target)).toEqual([]);
  });

  it('goes through the cache where it must, and says whether it was dropped', async () => {
    const measured = await runCheck(requestOf(target), progressTo(), never, { threadFile, allowDirect: false });
    expect(measured.write.isDirect).toBe(false);
    expect(['dropped', 'possibly-cached']).toContain(measured.read.cache);
    expect(measured.read.comparedBlocks).toBe(28);
    expect(namesIn(target)).toEqual([]);
  });

  it('drops what is in the cache, where there is something to look with', async () => {
    const file = path.join(target, 'file');
    writeFileSync(file, Buffer.alloc(mebibyte), { flush: true });
    const cachedBytes = (): number =>
      Number(execFileSync('fincore', ['--bytes', '--noheadings', '--output', 'RES', file], { encoding: 'utf8' }));
    try {
      if ((await readStoringFacts(target)).isInMemory) throw new Error('temporary files are in memory');
      expect(cachedBytes()).toBe(mebibyte);
    } catch (error) {
      return console.warn(`NOT TESTED HERE: whether pages are dropped (${String(error)})`);
    }
    expect(await dropPages(target, [{ name: 'file', sizeBytes: mebibyte }], never)).toBe(true);
    expect(cachedBytes()).toBe(0);
    expect(await dropPages(target, [{ name: 'missing', sizeBytes: 1 }], never)).toBe(false);
    for (const system of [windowsSystem(), macosSystem()])
      expect(await dropPages(target, [{ name: 'file', sizeBytes: mebibyte }], never, system)).toBe(false);
  });

  it('measures the same without a check of metadata and with more streams than files', async () => {
    const measured = await runCheck(requestOf(target, { smallFiles: 0, shape: { streams: 9 } }), progressTo(), never, {
      threadFile,
    });
    expect(measured.metadata).toBeNull();
    expect(measured.io.countedWrittenBytes ?? measured.io.writtenBytes).toBe(measured.io.writtenBytes);
  });

  it('refuses blocks that take more memory than a check may', async () => {
    const request = requestOf(target, { shape: { blockBytes: 2 ** 31 } });
    await expect(runCheck(request, progressTo(), never, { threadFile })).rejects.toMatchObject({ code: 'bad-setting' });
    expect(namesIn(target)).toEqual([]);
  });

  it('follows a link to its target, and measures there', async () => {
    const real = path.join(target, 'real');
    mkdirSync(real);
    symlinkSync(real, path.join(target, 'link'));
    const service = createNodeBandwidthService({ threadFile });
    expect((await service.facts(path.join(target, 'link'))).path).toBe(real);
    let inReal = 0;
    await service.run(
      requestOf(path.join(target, 'link')),
      progressTo(({ phase }) => (inReal += phase === 'write' ? namesIn(real).length : 0)),
      never,
    );
    expect(inReal).toBeGreaterThan(0);
    expect(namesIn(real)).toEqual([]);
  });

  it('lets two checks measure the same directory, and each tells of the other', async () => {
    const service = createNodeBandwidthService({ threadFile });
    const seen: unknown[] = [];
    let arrived = 0;
    let meetBoth: () => void;
    const bothArrived = new Promise<void>((resolve) => (meetBoth = resolve));
    const barrier = async (phase: string): Promise<void> => {
      if (phase !== 'read-2') return;
      if (++arrived === 2) meetBoth();
      await bothArrived;
      // Both are in the middle: neither has removed anything, as neither goes on before both have looked.
      seen.push((await service.facts(target)).others);
      await until('both have looked', () => seen.length === 2);
    };
    const run = () => service.run(requestOf(target, { repeats: 3 }), { onProgress: () => undefined, barrier }, never);
    const [one, two] = await Promise.all([run(), run()]);
    expect(one.io.writtenBytes).toBe(two.io.writtenBytes);
    for (const others of seen) expect(others).toMatchObject([{ state: 'running' }, { state: 'running' }]);
    expect(namesIn(target)).toEqual([]);
  });
});

/** Null for a file that has gone meanwhile. */
function lstatOf(file: string): Stats | null {
  try {
    return lstatSync(file);
  } catch {
    return null;
  }
}
