/** Sweeps over numbers of streams and sustained rates: real writes, small, whose results no assertion is about. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CheckRequest } from '../../../../src/core/bandwidth/measurement.js';
import type { SustainedRequest } from '../../../../src/core/bandwidth/sustained/sustainedRequest.js';
import type { SweepRequest } from '../../../../src/core/bandwidth/sweep/sweepRequest.js';
import { createNodeBandwidthService } from '../../../../src/platform/bandwidth/nodeBandwidthService.js';
import { runCheck, type CheckOptions } from '../../../../src/platform/bandwidth/runCheck.js';
import { until } from '../../../builders/until.js';
import {
  bundleEntry,
  checkIn,
  failureOf,
  makeFolder,
  mebibyte,
  namesIn,
  progressTo,
  removeFolder,
  requestOf,
} from './checkSetup.js';

let bundles: string;
let threadFile: string;
let childFile: string;
let target: string;
const never = new AbortController().signal;

beforeAll(async () => {
  bundles = makeFolder();
  threadFile = await bundleEntry(bundles);
  childFile = await bundleEntry(bundles, { entry: 'test/system/platform/bandwidth/checkChild.ts', name: 'child' });
});
afterAll(() => removeFolder(bundles));
beforeEach(() => (target = makeFolder()));
afterEach(() => removeFolder(target));

const aSweep: SweepRequest = { streams: [1, 2, 4], repeats: 2, seconds: 600, spaceBytes: 2 * mebibyte };
const aSustained: SustainedRequest = { streams: 2, fileBytes: 512 * 1024, mostBytes: 12 * mebibyte, mostSeconds: 3600 };
const small = (changes: Partial<CheckRequest>): CheckRequest => requestOf(target, { repeats: 1, smallFiles: 2, ...changes });
const run = (changes: Partial<CheckRequest>, options: Partial<CheckOptions> = {}) =>
  runCheck(small(changes), progressTo(), never, { threadFile, ...options });

/** Threads whose every write takes some milliseconds, so that what has no bound of bytes writes little. */
function slowThreads(): Promise<string> {
  const banner = `{ const fs = require('node:fs'); const write = fs.writeSync;
    fs.writeSync = (...args) => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5); return write(...args); }; }`;
  return bundleEntry(bundles, { name: 'slowWrites', banner });
}

/** The most bytes that data files of the check took while it ran, seen as often as the loop turns. */
async function mostBytesDuring(work: () => Promise<unknown>): Promise<number> {
  let most = 0;
  const look = (): void => {
    const [name] = namesIn(target);
    if (name === undefined) return;
    const directory = path.join(target, name);
    const sizes = namesIn(directory).map((file) => (file.startsWith('.') ? 0 : sizeOf(path.join(directory, file))));
    most = Math.max(
      most,
      sizes.reduce((sum, size) => sum + size, 0),
    );
  };
  const timer = setInterval(() => {
    try {
      look();
    } catch {
      // Removed meanwhile.
    }
  }, 1);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return most;
}

function sizeOf(file: string): number {
  try {
    return lstatSync(file).size;
  } catch {
    return 0;
  }
}

describe('a sweep', () => {
  it('writes with each number of streams as often as asked, forth and back, and leaves nothing', async () => {
    const { sweep, write, io } = await run({ sweep: aSweep });
    const modes = write.isDirect ? [false, true] : [false];
    const round = modes.flatMap((isDirect) => aSweep.streams.map((streams) => ({ streams, isDirect })));
    expect(sweep?.runs.map(({ streams, isDirect }) => ({ streams, isDirect }))).toEqual([...round, ...round.toReversed()]);
    for (const { bytes, seconds } of sweep?.runs ?? []) {
      expect(bytes).toBeGreaterThan(0);
      expect(bytes).toBeLessThanOrEqual(aSweep.spaceBytes);
      expect(seconds).toBeGreaterThan(0);
    }
    if (process.platform === 'linux') expect(io.countedWrittenBytes).toBe(io.writtenBytes);
    expect(namesIn(target)).toEqual([]);
  });

  it('goes through the cache alone where it cannot be bypassed', async () => {
    const { sweep } = await run({ sweep: aSweep }, { allowDirect: false });
    expect(sweep?.runs).toHaveLength(6);
    expect(sweep?.runs.every(({ isDirect }) => !isDirect)).toBe(true);
  });

  it('covers every point once where there is no time, with a block of each stream', async () => {
    const { sweep } = await run({ sweep: { ...aSweep, seconds: 1e-9 } }, { allowDirect: false });
    expect(sweep?.runs.map(({ streams, bytes }) => [streams, bytes])).toEqual([
      [1, 4096],
      [2, 2 * 4096],
      [4, 4 * 4096],
    ]);
  });

  it('never lays down more than its space', async () => {
    const most = await mostBytesDuring(() => run({ sweep: { ...aSweep, spaceBytes: 8 * mebibyte } }));
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(8 * mebibyte);
  });

  it('meets others before each of its runs', async () => {
    const met: string[] = [];
    const barrier = async (phase: string): Promise<void> => void met.push(phase);
    await runCheck(
      small({ sweep: { ...aSweep, repeats: 1, streams: [1, 2] }, sustained: aSustained }),
      { onProgress: () => undefined, barrier },
      never,
      { threadFile, allowDirect: false },
    );
    expect(met).toEqual(['write-1', 'read-1', 'metadata', 'sweep-1', 'sweep-2', 'sustained']);
  });
});

describe('a sustained rate', () => {
  it('writes up to its bytes, which all streams share, and leaves nothing', async () => {
    const { sustained, io, write } = await run({ sustained: aSustained });
    const { bytes = 0 } = sustained ?? {};
    expect(bytes).toBeLessThanOrEqual(aSustained.mostBytes);
    // What no block of a stream fits into is left.
    expect(bytes).toBeGreaterThan(aSustained.mostBytes - 3 * 262_144);
    expect(sustained).toMatchObject({ endedBy: 'bytes', isDirect: write.isDirect });
    expect(sustained?.writtenBeforeBytes).toBe(io.writtenBytes - bytes);
    if (process.platform === 'linux') expect(io.countedWrittenBytes).toBe(io.writtenBytes);
    expect(namesIn(target)).toEqual([]);
  });

  it('uses its room again: never more is there than two files of each stream', async () => {
    const most = await mostBytesDuring(() => run({ sustained: { ...aSustained, mostBytes: 64 * mebibyte } }));
    const ofRepeats = small({}).shape.totalBytes;
    expect(most).toBeLessThanOrEqual(Math.max(ofRepeats, 2 * 2 * aSustained.fileBytes));
    expect(most).toBeGreaterThan(0);
  });

  it('ends at its time, with at least a block of each stream', async () => {
    const { sustained } = await run({ sustained: { ...aSustained, mostSeconds: 1e-6 } });
    expect(sustained).toMatchObject({ endedBy: 'seconds', bytes: 2 * 262_144, bins: [] });
  });

  it('ends once the rate has settled, whatever its bounds', async () => {
    const slow = await slowThreads();
    let looks = 0;
    const isSettled: CheckOptions['isSettled'] = (bins) => bins.length > 0 && ++looks === 2;
    const unbounded = { ...aSustained, mostBytes: 2 ** 50 };
    const { sustained } = await run({ sustained: unbounded }, { threadFile: slow, isSettled });
    expect(looks).toBe(2);
    expect(sustained?.endedBy).toBe('settled');
    const ofBins = (sustained?.bins ?? []).reduce((sum, bin) => sum + bin.bytes, 0);
    expect(ofBins).toBeGreaterThan(0);
    expect(ofBins).toBeLessThanOrEqual(sustained?.bytes ?? 0);
    expect(namesIn(target)).toEqual([]);
  });

  it('goes through the cache where it must, and counts what is synced', async () => {
    const { sustained } = await run({ sustained: aSustained }, { allowDirect: false });
    expect(sustained?.isDirect).toBe(false);
    expect(sustained?.bytes).toBeGreaterThan(aSustained.mostBytes - 3 * 262_144);
  });
});

describe('a check that is cancelled', () => {
  it.each(['sweep', 'sustained'] as const)('leaves nothing while it is in its part %s', async (phase) => {
    const slow = await slowThreads();
    const controller = new AbortController();
    const hooks = progressTo((progress) => progress.phase === phase && progress.done > 0 && controller.abort());
    const endless = { ...aSustained, mostBytes: 2 ** 50 };
    const long = { ...aSweep, repeats: 20, spaceBytes: 64 * mebibyte };
    const request = small(phase === 'sweep' ? { sweep: long } : { sustained: endless });
    const failure = await failureOf(runCheck(request, hooks, controller.signal, { threadFile: slow }));
    expect(failure.code).toBe('cancelled');
    expect(namesIn(target)).toEqual([]);
  });
});

describe('a check whose storage fails', () => {
  it.each(['sweep-', 'sustained-'])('is full in the middle of %s, ends and leaves nothing', async (prefix) => {
    const banner = `{ const fs = require('node:fs'); const open = fs.openSync; let opened = 0;
      fs.openSync = (file, ...args) => {
        if (String(file).includes('${prefix}') && ++opened === 3) throw Object.assign(new Error('ENOSPC: injected'), { code: 'ENOSPC', errno: -28 });
        return open(file, ...args);
      }; }`;
    const full = await bundleEntry(bundles, { name: 'full', banner });
    // The streams of a sweep are in threads of their own: the first of them opens a file in each run.
    const sweep = { ...aSweep, repeats: 4 };
    const failure = await failureOf(run({ sweep, sustained: { ...aSustained, mostBytes: 2 ** 40 } }, { threadFile: full }));
    expect(failure.code).toBe('space-ran-out');
    expect(namesIn(target)).toEqual([]);
  });

  it.each(['sweep-001', 'sustained-001-a'])('never writes over a file that was put at %s, nor removes it', async (name) => {
    const onDirectory = (directory: string): void => writeFileSync(path.join(directory, name), 'mine');
    const failure = await failureOf(run({ sweep: aSweep, sustained: aSustained }, { onDirectory }));
    expect(failure.code).toBe('not-removed');
    expect(namesIn(checkIn(target))).toEqual([name]);
  });
});

describe('a check that was killed', () => {
  it.each(['sweep', 'sustained'] as const)('in its part %s is found, and all that it wrote is removed', async (phase) => {
    const slow = await slowThreads();
    const endless = { ...aSustained, mostBytes: 2 ** 50 };
    const long = { ...aSweep, repeats: 20, spaceBytes: 64 * mebibyte };
    const request = small(phase === 'sweep' ? { sweep: long, sustained: endless } : { sustained: endless });
    const child = spawn(process.execPath, [childFile, slow, JSON.stringify(request)], { stdio: ['ignore', 'ignore', 'inherit'] });
    const gone = once(child, 'exit');
    await until(`it writes files of its part ${phase}`, () =>
      namesIn(target).some((name) => namesIn(path.join(target, name)).some((file) => file.startsWith(`${phase}-`))),
    );
    child.kill('SIGKILL');
    await gone;
    const service = createNodeBandwidthService({ threadFile });
    const [left] = (await service.facts(target)).others;
    expect(left).toMatchObject({ state: 'left' });
    expect(left?.files).toBeGreaterThan(0);
    await service.removeLeft(left?.path ?? '');
    expect(namesIn(target)).toEqual([]);
  });
});
