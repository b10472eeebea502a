/** Prices, requests and drive wear of a plan. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { monthSeconds } from '../../../../src/core/planning/systems/storageSystem.js';
import { driveWear } from '../../../../src/core/planning/keeping/driveWear.js';
import { objectRequests } from '../../../../src/core/planning/keeping/objectRequests.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { boughtCapacity } from '../../../../src/core/planning/systems/boughtCapacity.js';
import { systemOf } from '../../../../src/core/planning/systems/storageSystems.js';
import { randomDocument } from '../../../builders/randomPlan.js';
import { runs } from '../../../builders/seed.js';

const hour = 3600;
const day = 24 * hour;
const GiB = 2 ** 30;
const TiB = 2 ** 40;
const planOf = (inputs: Partial<PlanInputs>) => makePlan({ inputs, measured: [], saved: [] });
const run: Partial<PlanInputs> = {
  parameters: 100e9,
  checkpointBytes: 1e12,
  intervalSeconds: 3 * hour,
  runSeconds: 90 * day,
  saveMode: 'synchronous',
  siteFailureShare: 0,
};
const placeOf = (inputs: Partial<PlanInputs>, place: string) => planOf(inputs).cost.places.find((row) => row.place === place);

describe('cost', () => {
  it('a given price is of 10^9 bytes, a list price of the GiB that clouds bill', () => {
    // 3 kept and one in flight.
    expect(placeOf({ ...run, storePricePerGBMonth: 0.1 }, 'store')?.perMonth).toBeCloseTo(400, 6);
    expect(placeOf({ ...run, keepEvery: 60 }, 'object')?.perMonth).toBeCloseTo((12e12 / GiB) * 0.023, 6);
  });

  it('an unknown price is missing, not 0', () => {
    const { cost } = planOf(run);
    expect(cost.places.find(({ place }) => place === 'store')?.perMonth).toBeNull();
    expect(cost.missing).toEqual([{ place: 'store', what: 'stored' }]);
    expect(planOf({ ...run, objectStore: 'none' }).cost.forRun).toBeNull();
  });

  it('what grows evenly to the end is paid for half of the time', () => {
    const object = placeOf({ ...run, keepEvery: 1, copies: 1 }, 'object');
    const full = ((object?.perMonth ?? 0) * 90 * day) / monthSeconds;
    expect((object?.storedForRun ?? 0) / full).toBeCloseTo(0.5, 2);
  });

  it('an archive bills 180 days at least', () => {
    const archive = placeOf({ ...run, keepEvery: 60, objectStore: 'archive', copies: 1 }, 'object');
    expect(archive?.isLeastTimeBilled).toBe(true);
    expect(archive?.storedForRun).toBeCloseTo(((12e12 / GiB) * 0.00099 * 180 * day) / monthSeconds, 4);
  });

  it('an archive that only takes the newest copy bills each for 180 days', () => {
    const inputs = { ...run, siteFailureShare: 0.002, objectStore: 'archive' } as const;
    const copies = Math.floor(720 / (planOf(inputs).retention.objectEvery ?? Infinity));
    expect(copies).toBeGreaterThan(1);
    expect(placeOf(inputs, 'object')?.storedForRun).toBeCloseTo((copies * (1e12 / GiB) * 0.00099 * 180 * day) / monthSeconds, 4);
  });

  it('copying to another region is paid for once', () => {
    const inputs = { ...run, keepEvery: 60, secondRegion: true };
    expect(placeOf(inputs, 'region')?.egressForRun).toBeCloseTo(12_000 * 0.02, 6);
    expect(placeOf({ ...inputs, objectStore: 'ceph-rgw' }, 'region')?.egressForRun).toBeNull();
    expect(placeOf({ ...inputs, egressPricePerGB: 0.05 }, 'region')?.egressForRun).toBeCloseTo(600, 6);
  });

  it('a store of objects charges each save’s requests', () => {
    const store = placeOf({ ...run, store: 's3-express' }, 'store');
    const { save, size } = planOf({ ...run, store: 's3-express' });
    const limits = systemOf('s3-express').objects;
    if (limits === null) throw new Error('no limits');
    const writes = objectRequests(size, save.writers, limits, save.saveSeconds).writesPerCheckpoint;
    // Each GB that is uploaded is charged besides: $0.0032 of a GiB.
    const uploads = ((720 * 1e12) / GiB) * 0.0032;
    expect(store?.requestsForRun).toBeCloseTo((720 * writes * 0.00113) / 1000 + uploads, 6);
    expect(uploads).toBeGreaterThan(2000);
  });

  it('pays for a volume’s room and for its throughput, in the cost as in the comparison', () => {
    const inputs: Partial<PlanInputs> = { ...run, gpus: 64, zeroStage: '3', store: 'ebs-gp3', writeBytesPerSecond: 4e9 };
    const { cost, guidance, save } = planOf(inputs);
    const store = cost.places.find(({ place }) => place === 'store');
    expect(save.writers.writingNodes).toBe(8);
    // 3 checkpoints and one in flight, a fifth free; 125 MiB/s come with each of 8 volumes.
    const throughput = (4e9 / 2 ** 20 - 8 * 125) * 0.04;
    expect(store?.perMonth).toBeCloseTo((5e12 / GiB) * 0.08 + throughput, 6);
    const verdict = guidance.verdicts.find(({ system }) => system.id === 'ebs-gp3');
    const needed = Math.max(0, guidance.needs.writeBytesPerSecond / 2 ** 20 - 8 * 125) * 0.04;
    expect(verdict?.perMonth).toBeCloseTo((5e12 / GiB) * 0.08 + needed, 6);
    expect(placeOf({ ...inputs, storePricePerGBMonth: 0.1 }, 'store')?.perMonth).toBeCloseTo(500, 6);
  });

  it('an object store bills what is there when the run ends, without the save in flight', () => {
    const store = placeOf({ ...run, store: 's3-express' }, 'store');
    expect(store?.perMonth).toBeCloseTo((3e12 / GiB) * 0.11, 6);
  });

  it('adds up for every plan', () => {
    fc.assert(
      fc.property(randomDocument, ({ inputs }) => {
        const { cost } = planOf(inputs);
        const months = cost.places.map(({ perMonth }) => perMonth).filter((value) => value !== null);
        if (months.length === 0) expect(cost.perMonth).toBeNull();
        else
          expect(cost.perMonth).toBeCloseTo(
            months.reduce((sum, value) => sum + value, 0),
            6,
          );
        for (const { perMonth, storedForRun, requestsForRun, egressForRun } of cost.places)
          for (const value of [perMonth, storedForRun, requestsForRun, egressForRun])
            expect(value ?? 0).toBeGreaterThanOrEqual(0);
      }),
      runs(40, 2000),
    );
  });
});

describe('capacity that is bought', () => {
  const fsx = systemOf('fsx-lustre');

  it('comes with the bandwidth: the fastest level where bandwidth decides, the slowest where bytes do', () => {
    const fast = boughtCapacity(fsx, 1e12, 100e9, null);
    expect(fast.decidedBy).toBe('bandwidth');
    expect(fast.level?.bytesPerSecondPerTiB).toBe(1e9);
    expect(fast.bytes / TiB).toBeGreaterThanOrEqual(100);
    const large = boughtCapacity(fsx, 1e15, 1e9, null);
    expect(large.decidedBy).toBe('bytes');
    expect(large.level?.bytesPerSecondPerTiB).toBe(125e6);
    // 80 % of it is used.
    expect(large.bytes * 0.8).toBeGreaterThanOrEqual(1e15);
  });

  it('is never less than the least that is sold', () => {
    expect(boughtCapacity(systemOf('gcp-managed-lustre'), 1e9, 1e6, null)).toMatchObject({
      decidedBy: 'least',
      bytes: 9000 * GiB,
    });
  });

  it('is in the steps that are sold, in several systems where one is too small', () => {
    const lustre = boughtCapacity(systemOf('gcp-managed-lustre'), 1e12, 50e12, null);
    const level = lustre.level;
    expect(level).not.toBeNull();
    expect(lustre.bytes % (level?.stepBytes ?? 1)).toBe(0);
    expect(lustre.systems).toBeGreaterThan(1);
    expect(lustre.perMonth).toBeNull();
    expect((lustre.bytes / TiB) * (level?.bytesPerSecondPerTiB ?? 0)).toBeGreaterThanOrEqual(50e12);
  });
});

describe('object requests', () => {
  const limits = systemOf('s3-standard').objects;
  if (limits === null) throw new Error('S3 has limits');
  const one = { weightWriters: 1, optimizerWriters: 1 } as ReturnType<typeof planOf>['save']['writers'];
  const file = (bytes: number) =>
    objectRequests(
      { checkpointBytes: bytes, weightBytes: bytes, bytesPerParameter: 2, basis: 'given', parts: [] },
      one,
      limits,
      Infinity,
    );

  it('100 GiB need parts of 10.24 MiB at least', () => {
    expect(file(100 * GiB).leastPartBytes).toBe(Math.ceil((100 * GiB) / 10_000));
    expect(file(100 * GiB).leastPartBytes / 2 ** 20).toBeCloseTo(10.24, 4);
    expect(file(100 * GiB)).toMatchObject({ partBytes: 16 * 2 ** 20, partsOfLargest: 6400, problem: null });
  });

  it('says what no object or part holds', () => {
    expect(file(60 * TiB).problem).toBe('object-too-large');
  });

  it('keeps parts within the limits for every file that fits', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 17, noNaN: true }), (power) => {
        const answer = file(Math.ceil(10 ** power));
        if (answer.problem !== null) return;
        expect(answer.partBytes).toBeGreaterThanOrEqual(limits.smallestPartBytes);
        expect(answer.partBytes).toBeLessThanOrEqual(limits.largestPartBytes);
        expect(answer.partsOfLargest).toBeLessThanOrEqual(limits.mostParts);
        expect(answer.partsOfLargest * answer.partBytes).toBeGreaterThanOrEqual(answer.largestFileBytes);
      }),
      runs(100),
    );
  });
});

describe('drive wear', () => {
  it('is written ÷ (capacity × days)', () => {
    const wear = driveWear(15.36e12 / day, 15.36e12);
    expect(wear?.driveWritesPerDay).toBeCloseTo(1, 9);
    expect(wear?.ratedForSeconds).toBeCloseTo(5 * 365.25 * day, 0);
    expect(driveWear(1, 0)).toBeNull();
    expect(driveWear(0, 1e12)?.ratedForSeconds).toBe(Infinity);
  });
});

it('raises parts where fewer requests take less time than the bytes', () => {
  const inputs: Partial<PlanInputs> = { checkpointBytes: 5.6e12, gpus: 1024, zeroStage: '3', objectBytesPerSecond: 100e9 };
  const { requests } = planOf(inputs);
  // 5.6 TB in parts of 16 MiB are 334,000 requests: 95 s at 3,500 a second, where the bytes take 56.
  expect(requests?.partBytes).toBe(32 * 2 ** 20);
  expect(requests?.requestSeconds).toBeLessThan(56);
  expect(planOf({ ...inputs, objectBytesPerSecond: 10e9 }).requests?.partBytes).toBe(16 * 2 ** 20);
  // Files of one part each: larger ones make no fewer requests.
  expect(planOf({ ...inputs, checkpointBytes: 5.6e9, objectBytesPerSecond: 1e12 }).requests?.partBytes).toBe(16 * 2 ** 20);
});

it('waits for an archive to bring objects back', () => {
  const read = (objectStore: PlanInputs['objectStore']) => {
    const { levels } = planOf({ checkpointBytes: 1e12, objectBytesPerSecond: 10e9, siteFailureShare: 0.1, objectStore });
    return levels.levels.find(({ id }) => id === 'object-store')?.readSeconds;
  };
  expect(read('s3-standard')).toBeCloseTo(100, 6);
  // Within 12 hours (S3 Glacier Deep Archive, standard retrieval).
  expect(read('archive')).toBeCloseTo(12 * hour + 100, 6);
  const { recoveries } = planOf({ objectStore: 'archive', siteFailureShare: 0.1 }).levels;
  expect(recoveries.find(({ failure }) => failure === 'site')?.recoverySeconds).toBeGreaterThan(12 * hour);
});

describe('storage that was bought', () => {
  it('costs its purchase over its lifetime, whatever is on it, a share for each job', () => {
    const of = (change: Partial<PlanInputs>) =>
      makePlan({
        inputs: {
          store: 'nfs',
          objectStore: 'none',
          storeCapitalDollars: 200_000,
          runSeconds: (365.25 / 12) * 86_400,
          ...change,
        },
        measured: [],
        saved: [],
      }).cost;
    expect(of({}).places[0]).toMatchObject({ priceBasis: 'given', perMonth: 200_000 / 60, storedForRun: 200_000 / 60 });
    expect(of({ keepLast: 30 }).perMonth).toBe(200_000 / 60);
    expect(of({ jobs: 4 }).perMonth).toBe(200_000 / 240);
    expect(of({ storePricePerGBMonth: 0.01 }).places[0]?.perMonth).not.toBe(200_000 / 60);
  });
});
