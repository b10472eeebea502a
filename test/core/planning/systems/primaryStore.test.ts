/** Every system that can hold a checkpoint as the storage of a plan: object stores, drives of the nodes, and what charges for bandwidth. */
import { describe, expect, it } from 'vitest';
import { planPage } from '../../../../src/core/pages/plan/planPage.js';
import { readInputs, standardInputs, type PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { bandwidthPricePerMonth } from '../../../../src/core/planning/money/bandwidthPrice.js';
import { comesWithNode, systemOf } from '../../../../src/core/planning/systems/storageSystems.js';
import { monthSeconds } from '../../../../src/core/planning/systems/storageSystem.js';
import { storeSystemIds } from '../../../../src/core/planning/systems/systemNames.js';
import { planDocument } from '../../../builders/randomPlan.js';

const GiB = 2 ** 30;
const MiB = 2 ** 20;
const day = 86_400;
const planOf = (inputs: Partial<PlanInputs>) => makePlan({ inputs, measured: [], saved: [] });
const priceOf = (store: PlanInputs['store']): number => bandwidthPricePerMonth({ ...standardInputs, store });
/** 8 nodes that all write a share of 1 TB. */
const job: Partial<PlanInputs> = { checkpointBytes: 1e12, gpus: 64, zeroStage: '3', runSeconds: 30 * day };

describe('any storage as the primary one', () => {
  it.each(storeSystemIds)('%s: one place survives what the system does, and every answer is a number', (store) => {
    const document = planDocument({ ...job, store });
    const plan = makePlan(document);
    const level = plan.levels.levels.find(({ id }) => id === 'shared-store');
    expect(level?.survives).toEqual(systemOf(store).survives);
    expect(plan.tiers.filter(({ system }) => system.id === store)).toHaveLength(1);
    for (const value of [plan.save.saveSeconds, plan.restore.planned.seconds, plan.save.readBytesPerSecond])
      expect(Number.isFinite(value) && value > 0).toBe(true);
    expect(JSON.stringify(planPage(plan, document))).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('refuses what is no place to save to, with the reason', () => {
    const { inputs, problems } = readInputs({ store: 'archive' });
    expect(inputs).toEqual({});
    expect(problems).toEqual([
      { key: 'store', text: 'cannot be archive: nothing can be resumed from it for hours. Set objectStore to it for what stays' },
    ]);
    expect(readInputs({ store: 'constructor' }).problems[0]?.text).toMatch(/^must be one of /);
    expect(readInputs({ store: 'hbm' }).problems[0]?.text).toMatch(/^must be one of /);
  });
});

describe('an object store as the storage', () => {
  const objects: Partial<PlanInputs> = {
    ...job,
    store: 's3-standard',
    objectStore: 's3-standard',
    keepEvery: 10,
    intervalSeconds: 3600,
  };

  it('is copied to no second time, and survives the site', () => {
    const { levels, retention, cost } = planOf(objects);
    expect(levels.levels.map(({ id }) => id)).toEqual(['host-memory', 'shared-store']);
    expect(retention.places.map(({ place }) => place)).toEqual(['store']);
    expect(retention.copiedBytes).toBe(0);
    expect(levels.recoveries.find(({ failure }) => failure === 'site')?.level).toBe('shared-store');
    expect(cost.places).toHaveLength(1);
  });

  it('has another object store behind it where that is another one', () => {
    const { levels, retention } = planOf({ ...objects, objectStore: 'gcs-standard' });
    expect(levels.levels.map(({ id }) => id)).toContain('object-store');
    expect(retention.places.map(({ place }) => place)).toEqual(['store', 'object']);
  });

  it('is written and read at what the job gets to it, which costs nothing by itself', () => {
    const { save, restore } = planOf({ ...objects, objectBytesPerSecond: 20e9 });
    expect(save).toMatchObject({
      writeBytesPerSecond: 20e9,
      readBytesPerSecond: 20e9,
      bandwidthBasis: 'objects',
      saveSeconds: 50,
    });
    expect(restore.planned.seconds).toBe(50);
    expect(priceOf('s3-standard')).toBe(0);
    expect(priceOf('lustre')).toBe(614);
  });

  it('takes no more than an account does', () => {
    const { save } = planOf({ ...objects, store: 'azure-blob', objectBytesPerSecond: 100e9 });
    expect(save).toMatchObject({ writeBytesPerSecond: 7.5e9, readBytesPerSecond: 25e9, bandwidthBasis: 'limit' });
    expect(planOf({ ...objects, store: 'azure-blob', writeBytesPerSecond: 15e9 }).save.writeBytesPerSecond).toBe(15e9);
  });

  it('charges requests for each save, and parts are those of its own limits', () => {
    const plan = planOf(objects);
    const [place] = plan.cost.places;
    // 128 files: each a beginning, an end, and parts of 16 MiB, more where 3,500 a second would take longer than the bytes.
    const writes = plan.requests?.writesPerCheckpoint ?? 0;
    const { largestFileBytes = 0, partBytes = 1 } = plan.requests ?? {};
    expect(plan.requests?.partsOfLargest).toBe(Math.ceil(largestFileBytes / partBytes));
    expect(place?.requestsForRun).toBeCloseTo((plan.retention.saves * writes * 0.005) / 1000, 6);
    expect(planOf({ ...objects, objectStore: 'azure-blob' }).requests).toEqual(plan.requests);
  });

  it('cannot take a file that is larger than an object', () => {
    const one: Partial<PlanInputs> = {
      ...objects,
      checkpointBytes: 200e12,
      gpus: 8,
      gpusPerNode: 8,
      zeroStage: '0',
      hostMemoryBytes: 1e18,
    };
    expect(planOf(one).blockers.map(({ id }) => id)).toContain('object-size');
    expect(planOf({ ...one, store: 'lustre' }).blockers.map(({ id }) => id)).not.toContain('object-size');
  });
});

describe('drives of the nodes as the storage', () => {
  const drives: Partial<PlanInputs> = {
    ...job,
    nvmeWriteBytesPerSecond: 10e9,
    nvmeReadBytesPerSecond: 20e9,
    networkBytesPerSecond: 40e9,
  };

  it('are as fast as all of them, and cost nothing besides the nodes', () => {
    const { save, cost } = planOf({ ...drives, store: 'local-nvme' });
    expect(save).toMatchObject({ writeBytesPerSecond: 80e9, readBytesPerSecond: 160e9, bandwidthBasis: 'nodes' });
    expect(cost.places.find(({ place }) => place === 'store')).toMatchObject({ perMonth: 0, priceBasis: 'node' });
    expect(cost.missing.some(({ place }) => place === 'store')).toBe(false);
    expect(comesWithNode(systemOf('ebs-gp3'))).toBe(false);
  });

  it('of a neighbour hold two copies: half as fast, half as roomy, and lost with a rack', () => {
    const { save, levels, retention } = planOf({
      ...drives,
      store: 'neighbour-nvme',
      nvmeCapacityBytes: 1e12,
      runSeconds: 30 * day,
      keepLast: 9,
      objectStore: 'none',
    });
    expect(save.writeBytesPerSecond).toBe(40e9);
    expect(levels.recoveries.map(({ failure, level }) => [failure, level])).toEqual([
      ['process', 'shared-store'],
      ['node', 'shared-store'],
      ['rack', null],
      ['site', null],
    ]);
    // 8 TB of drives hold 4 TB of checkpoints twice.
    expect(retention.fullAfterSeconds).not.toBeNull();
    expect(
      planOf({ ...drives, store: 'local-nvme', nvmeCapacityBytes: 2e12, keepLast: 9, objectStore: 'none' }).retention
        .fullAfterSeconds,
    ).toBeNull();
  });

  it('are no level before themselves', () => {
    const ids = planOf({ ...drives, store: 'local-nvme', saveMode: 'multi-level' }).levels.levels.map(({ id }) => id);
    expect(ids).toEqual(['host-memory', 'neighbour-memory', 'shared-store', 'object-store']);
  });

  it('have to be there', () => {
    const { blockers, save } = planOf({ ...drives, store: 'neighbour-nvme', nvmeWriteBytesPerSecond: 0 });
    expect(blockers[0]?.id).toBe('no-drives');
    expect(Number.isFinite(save.saveSeconds)).toBe(true);
  });
});

describe('what bandwidth and reading cost', () => {
  it('an EFS client has 1,500 MiB/s, and the file system 5 GiB/s', () => {
    const one = planOf({ ...job, gpus: 8, store: 'efs', gpuPricePerHour: 1e6 });
    expect(one.save.writeBytesPerSecond).toBe(1500 * MiB);
    expect(planOf({ ...job, store: 'efs', gpuPricePerHour: 1e6 }).save).toMatchObject({
      writeBytesPerSecond: 5 * GiB,
      bandwidthBasis: 'limit',
    });
  });

  it('EFS charges each GB, or throughput that is provisioned where that is less', () => {
    const inputs: Partial<PlanInputs> = { ...job, store: 'efs', writeBytesPerSecond: 4e9, intervalSeconds: 3600 };
    const store = (more: Partial<PlanInputs>) => planOf({ ...inputs, ...more }).cost.places[0];
    // 720 saves of 1 TB at $0.06 a GiB are more than 4,000 MB/s at $6 a month.
    expect(store({})?.requestsForRun).toBeCloseTo(4 * 6000 * ((30 * day) / monthSeconds), 4);
    expect(store({ intervalSeconds: 10 * day })?.requestsForRun).toBeCloseTo(((3 * 1e12) / GiB) * 0.06, 4);
  });

  it('Filestore’s bandwidth comes with capacity', () => {
    // 88 MiB/s of a TiB at $0.25 a GiB.
    expect(priceOf('filestore')).toBeCloseTo((0.25 * 1024) / ((88 * MiB) / 1e9), 6);
    expect(priceOf('efs')).toBe(6000);
  });

  it('a restore from an archive is charged by the GB and by the request', () => {
    const plan = planOf({ ...job, objectStore: 'archive', keepEvery: 10, intervalSeconds: 3600, siteFailureShare: 0 });
    const archive = plan.cost.places.find(({ place }) => place === 'object');
    const reads = plan.requests?.readsPerCheckpoint ?? 0;
    expect(archive?.perRestore).toBeCloseTo((1e12 / GiB) * 0.02 + (reads * 0.1) / 1000, 6);
    // No failure needs it.
    expect(archive?.restoresForRun).toBe(0);
    const text = JSON.stringify(planPage(plan, planDocument(plan.inputs)));
    expect(text).toContain('to read one checkpoint back from Archive');
    expect(text).toContain('It is there 12 hours after it is asked for, at most.');
  });

  it('restores that failures need are in the cost of the run', () => {
    const plan = planOf({ ...job, store: 'efs', intervalSeconds: 3600, objectStore: 'none' });
    const [store] = plan.cost.places;
    const failures = plan.levels.recoveries.reduce((sum, { secondsBetween }) => sum + (30 * day) / secondsBetween, 0);
    expect(store?.perRestore).toBeCloseTo((1e12 / GiB) * 0.03, 6);
    expect(store?.restoresForRun).toBeCloseTo(failures * (store?.perRestore ?? 0), 6);
    const { storedForRun, requestsForRun, restoresForRun } = store ?? {};
    expect(plan.cost.forRun).toBeCloseTo((storedForRun ?? 0) + (requestsForRun ?? 0) + (restoresForRun ?? 0), 6);
  });
});
