import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDataName } from '../../../../src/core/bandwidth/checkNames.js';
import { sweepReport } from '../../../../src/core/bandwidth/sweep/sweepReport.js';
import {
  nextRunBytes,
  problemOfSweep,
  sweepFileNames,
  sweepFiles,
  sweepOrder,
} from '../../../../src/core/bandwidth/sweep/sweepRequest.js';
import { limits } from '../../../../src/core/bytes/limits.js';
import { runs } from '../../../builders/seed.js';

describe('the numbers of streams of a sweep', () => {
  it('are put in order, each once', () => {
    expect(sweepOrder([8, 1, 2, 8])).toEqual([1, 2, 8]);
  });

  it.each([
    [[]],
    [[4]],
    [[4, 4]],
    [[0, 1]],
    [[-1, 2]],
    [[1.5, 2]],
    [[1, NaN]],
    [[1, limits.checkStreams + 1]],
    [Array.from({ length: limits.sweepPoints + 1 }, (_, index) => index + 1)],
    [Array.from({ length: 1e6 }, () => 1)],
  ])('are refused where they are none: %#', (streams) => {
    expect(problemOfSweep(streams)).toMatch(/^a sweep takes /);
  });

  it('are taken from one to the most', () => {
    expect(problemOfSweep([1, limits.checkStreams])).toBeNull();
  });
});

describe('the files of a sweep', () => {
  it('are of whole sectors, and in all no more than the bytes where these hold a sector each', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: limits.checkStreams }), fc.integer({ min: 0, max: 2 ** 40 }), (streams, bytes) => {
        const files = sweepFiles(streams, bytes);
        const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
        expect(files).toHaveLength(streams);
        expect(total).toBeLessThanOrEqual(Math.max(bytes, streams * limits.checkSectorBytes));
        for (const { sizeBytes } of files) expect(sizeBytes % limits.checkSectorBytes).toBe(0);
        expect(files.every(({ name }, index) => name === sweepFileNames({ streams: [1, streams] })[index])).toBe(true);
        expect(files.every(({ name }) => isDataName(name))).toBe(true);
      }),
      runs(100),
    );
  });

  it('are what the fastest rate moves in the time that is left, within the space', () => {
    expect(nextRunBytes({ spaceBytes: 4e9 }, 2, 1e9)).toBe(2e9);
    expect(nextRunBytes({ spaceBytes: 4e9 }, 2, 1e12)).toBe(4e9);
    expect(nextRunBytes({ spaceBytes: 4e9 }, 0, 1e12)).toBe(0);
  });
});

describe('the report of a sweep', () => {
  const run = (streams: number, isDirect: boolean, rate: number) => ({ streams, isDirect, bytes: rate, seconds: 1 });

  it('has each point with its median and range, each mode with its knee, and takes the faster one', () => {
    const runs = [1, 2, 3].flatMap((round) => [
      run(1, false, 100 + round),
      run(4, false, 400 + round),
      run(4, true, 900 + round),
      run(1, true, 850 + 10 * round),
    ]);
    const { points, modes, recommended } = sweepReport({ runs, seconds: 12 }, { spaceBytes: 4096 });
    expect(points.map(({ streams, isDirect, medianBytesPerSecond }) => [streams, isDirect, medianBytesPerSecond])).toEqual([
      [1, true, 870],
      [4, true, 902],
      [1, false, 102],
      [4, false, 402],
    ]);
    expect(points[0]).toMatchObject({ minimumBytesPerSecond: 860, maximumBytesPerSecond: 880 });
    expect(modes.map(({ isDirect, streams, isStillRising }) => [isDirect, streams, isStillRising])).toEqual([
      [true, 1, false],
      [false, 4, true],
    ]);
    expect(recommended).toEqual({ streams: 1, isDirect: true, medianBytesPerSecond: 870 });
  });

  it('is possible of one mode, of runs that took no time, and of none it is not', () => {
    expect(sweepReport({ runs: [{ ...run(2, false, 5), seconds: 0 }], seconds: 0 }, { spaceBytes: 1 }).recommended).toEqual({
      streams: 2,
      isDirect: false,
      medianBytesPerSecond: 0,
    });
    expect(() => sweepReport({ runs: [], seconds: 0 }, { spaceBytes: 1 })).toThrow(RangeError);
  });
});
