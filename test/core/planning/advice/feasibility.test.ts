/** Impossible plans: each is found, and the change that is named makes it possible. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstBlockedSave, type Blocker } from '../../../../src/core/planning/advice/feasibility.js';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { planPage } from '../../../../src/core/pages/plan/planPage.js';
import { planDocument } from '../../../builders/randomPlan.js';
import { runs } from '../../../builders/seed.js';

const base: Partial<PlanInputs> = {
  parameters: 70_553_706_496,
  gpus: 512,
  tensorParallel: 8,
  pipelineParallel: 4,
  zeroStage: '1',
};
const plan = (change: Partial<PlanInputs>) => makePlan(planDocument({ ...base, ...change }));
const idsOf = (change: Partial<PlanInputs>) => plan(change).blockers.map(({ id }) => id);
const found = <Id extends Blocker['id']>(change: Partial<PlanInputs>, id: Id) =>
  (plan(change).blockers.find((blocker) => blocker.id === id) ?? expect.fail(id)) as Extract<Blocker, { id: Id }>;

it('finds nothing in a plan that works', () => {
  expect(idsOf({})).toEqual([]);
});

describe('saves that pile up', () => {
  const change = { intervalSeconds: 300, writeBytesPerSecond: 1e9 };

  it('are reported, and each change that is named is enough', () => {
    const { overlap, neededIntervalSeconds, neededBytesPerSecond, largestBytes } = found(change, 'saves-pile-up');
    expect(overlap).toBeCloseTo(987.75 / 300, 2);
    expect(idsOf({ ...change, intervalSeconds: neededIntervalSeconds })).not.toContain('saves-pile-up');
    expect(idsOf({ ...change, writeBytesPerSecond: neededBytesPerSecond })).not.toContain('saves-pile-up');
    expect(idsOf({ ...change, checkpointBytes: Math.floor(largestBytes) })).not.toContain('saves-pile-up');
    expect(idsOf({ ...change, intervalSeconds: neededIntervalSeconds * 0.99 })).toContain('saves-pile-up');
    expect(idsOf({ ...change, writeBytesPerSecond: neededBytesPerSecond * 0.99 })).toContain('saves-pile-up');
  });

  it('stop training at the save that a simulation of two buffers says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 1000 }), fc.integer({ min: 1, max: 2000 }), (interval, excess) => {
        const drain = interval + excess;
        expect(firstBlockedSave(drain, interval)).toBe(simulated(drain, interval));
      }),
      runs(100),
    );
  });

  it('are no matter in a multi-level plan, where the shared storage gets fewer saves', () => {
    expect(idsOf({ ...change, saveMode: 'multi-level' })).not.toContain('saves-pile-up');
  });

  it('do not where training waits for each', () => {
    expect(idsOf({ ...change, saveMode: 'synchronous' })).not.toContain('saves-pile-up');
  });

  it('never end where one takes longer than the run', () => {
    expect(idsOf({ writeBytesPerSecond: 1e3 })).toContain('never-saved');
    expect(idsOf({ writeBytesPerSecond: 1e9 })).not.toContain('never-saved');
  });
});

/** Save n begins at (n − 1) τ, is written one after another, and needs the buffer of save n − 2. */
function simulated(drain: number, interval: number): number {
  const done: number[] = [];
  for (let save = 1; ; save += 1) {
    const start = (save - 1) * interval;
    if (save > 2 && (done[save - 3] ?? 0) > start) return save;
    done.push(Math.max(start, done[save - 2] ?? 0) + drain);
  }
}

describe('a topology', () => {
  it('that is not the number of GPUs names the DP that is', () => {
    expect(found({ dataParallel: 10 }, 'topology')).toMatchObject({ product: 320, gpus: 512, fittingDataParallel: 16 });
    expect(idsOf({ dataParallel: 16 })).toEqual([]);
  });

  it('that no DP makes fit names the GPUs that do', () => {
    const { product, fittingDataParallel } = found({ gpus: 500 }, 'topology');
    expect(fittingDataParallel).toBeNull();
    expect(idsOf({ gpus: product })).not.toContain('topology');
  });

  it('spreads experts over no more ranks than there are replicas', () => {
    expect(found({ expertParallel: 32 }, 'experts')).toMatchObject({ expertParallel: 32, dataParallel: 16 });
    expect(idsOf({ expertParallel: 16 })).not.toContain('experts');
  });
});

describe('room', () => {
  it('in host memory is for two copies', () => {
    // Saving in the background is set: of itself the plan would wait for each save where memory has no room.
    const background = { saveMode: 'asynchronous', zeroStage: '0' } as const;
    const { neededBytes, nodeBytes, neededIfAllWriteBytes } = found({ ...background, hostMemoryBytes: 1e11 }, 'host-memory');
    expect(nodeBytes).toBe(1e11);
    expect(idsOf({ ...background, hostMemoryBytes: Math.ceil(neededBytes) })).not.toContain('host-memory');
    expect(neededIfAllWriteBytes).toBeLessThan(nodeBytes);
    expect(idsOf({ ...background, zeroStage: '3', hostMemoryBytes: Math.ceil(neededIfAllWriteBytes) })).not.toContain(
      'host-memory',
    );
    expect(idsOf({ zeroStage: '0', hostMemoryBytes: 1e11, saveMode: 'synchronous' })).not.toContain('host-memory');
    expect(plan({ zeroStage: '0', hostMemoryBytes: 1e11 }).inputs.saveMode).toBe('synchronous');
    expect(plan({ zeroStage: '3', hostMemoryBytes: 1e12 }).inputs.saveMode).toBe('asynchronous');
  });

  it('on the shared storage is for two checkpoints', () => {
    const { neededBytes } = found({ storeCapacityBytes: 1e12 }, 'store-room');
    expect(idsOf({ storeCapacityBytes: neededBytes })).not.toContain('store-room');
    expect(idsOf({ storeCapacityBytes: neededBytes - 1 })).toContain('store-room');
  });
});

describe('networks', () => {
  it('of too few writing nodes name how many it takes', () => {
    const change = { zeroStage: '0', networkBytesPerSecond: 1e8, intervalSeconds: 600 } as const;
    const { neededNodes, writingNodes, drainSeconds } = found(change, 'writers-network');
    expect(writingNodes).toBe(4);
    expect(neededNodes).toBe(Math.ceil(987_751_890_944 / (1e8 * 600)));
    expect(idsOf({ ...change, intervalSeconds: drainSeconds })).not.toContain('writers-network');
  });
});

describe('failures', () => {
  it('that come before the restart is over name how many GPUs the rate allows', () => {
    const change = { gpuMtbfSeconds: 3600 * 24, restartSeconds: 600 };
    const { mostGpus, of } = found(change, 'never-finishes');
    expect(of).toBe('restart');
    expect(mostGpus).toBe(144);
    const rest = { tensorParallel: 1, pipelineParallel: 1 };
    expect(idsOf({ ...change, ...rest, gpus: mostGpus })).not.toContain('never-finishes');
    expect(idsOf({ ...change, ...rest, gpus: mostGpus + 1 })).toContain('never-finishes');
  });

  it('that come before a save is over are reported', () => {
    expect(found({ mtbfSeconds: 60, restartSeconds: 10, stallSeconds: 120 }, 'never-finishes').of).toBe('stall');
  });

  it('that come before the checkpoint is read name the bandwidth that helps', () => {
    const change = { mtbfSeconds: 400, restartSeconds: 100, readBytesPerSecond: 2e9 };
    const { readSeconds, neededBytesPerSecond } = found(change, 'never-restored');
    expect(readSeconds).toBeGreaterThan(987_751_890_944 / 2e9);
    expect(neededBytesPerSecond).toBeCloseTo(987_751_890_944 / 400, 0);
    expect(idsOf({ ...change, readBytesPerSecond: neededBytesPerSecond * 1.1 })).not.toContain('never-restored');
  });

  it('are no matter where a broadcast is quick enough, however many replicas read', () => {
    expect(idsOf({ zeroStage: '0', hostMemoryBytes: 1e15, mtbfSeconds: 3600, readBytesPerSecond: 2e9 })).toEqual([]);
  });
});

it('is worded with a title, a reason and a change for each', () => {
  const impossible = {
    ...base,
    saveMode: 'asynchronous',
    zeroStage: '0',
    dataParallel: 10,
    expertParallel: 64,
    hostMemoryBytes: 1e9,
    storeCapacityBytes: 1e9,
    intervalSeconds: 100,
    writeBytesPerSecond: 1e8,
    networkBytesPerSecond: 1e6,
    mtbfSeconds: 50,
    restartSeconds: 300,
  } as const;
  const { impossible: words, recommendation } = planPage(plan(impossible), planDocument({}));
  expect(words.map(({ id }) => id)).toEqual([
    'topology',
    'experts',
    'host-memory',
    'store-room',
    'saves-pile-up',
    'writers-network',
    'never-restored',
    'never-finishes',
  ] satisfies Blocker['id'][]);
  for (const { title, text, advice } of words) {
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    expect(text).toMatch(/^[A-Z].*\.$/);
    expect(advice).toMatch(/^[A-Z].*\.$/);
  }
  expect(recommendation[0]).toBe('This plan cannot work as it is: TP × PP × DP is 320, not 512 GPUs.');
  expect(`${words[0]?.title}. ${words[0]?.advice}`).toBe(
    'TP × PP × DP is 320, not 512 GPUs. Set data parallel to 16, or leave it to be derived.',
  );
});

describe('a bandwidth that the plan chose', () => {
  // 256.8 B parameters × 14 bytes are 3,595 GB: at the 1 GB/s that the one node has, longer than between two failures.
  const oneNode: Partial<PlanInputs> = {
    parameters: 256_785_714_286,
    gpus: 1,
    tensorParallel: 1,
    pipelineParallel: 1,
    saveMode: 'synchronous',
    mtbfSeconds: 3600,
    acceptableLossSeconds: 3601,
    networkBytesPerSecond: 1e9,
    intervalSeconds: 0.001,
  };

  it('is no way out where the nodes carry no more', () => {
    expect(plan(oneNode).save.bandwidthBasis).toBe('pays');
    expect(idsOf(oneNode)).toContain('never-finishes');
    expect(idsOf({ ...oneNode, mtbfSeconds: 3500, runSeconds: 3590 })).toContain('never-saved');
    expect(idsOf({ ...oneNode, walltimeSeconds: 3590 })).toContain('walltime');
  });

  it('is none either where it saves no machine that is taken back', () => {
    const taken = { parameters: 128_214_285_715, reclaimSeconds: 3600, acceptableLossSeconds: 1801, fixedStallSeconds: 6 };
    const spot = { ...oneNode, ...taken };
    expect(plan(spot).save.mtbfSeconds).toBe(1800);
    expect(idsOf(spot)).toContain('never-finishes');
    expect(idsOf({ ...spot, intervalSeconds: null })).toContain('never-finishes');
  });

  it('is no reason where they would carry enough', () => {
    expect(idsOf({ ...oneNode, networkBytesPerSecond: 2e9 })).not.toContain('never-finishes');
  });
});

it('lets as many GPUs write as the room on their drives takes, where that is open', () => {
  // 14 GB on two nodes: written by one GPU they are on one node's drives alone, of which 528 GB are free in all.
  const drives: Partial<PlanInputs> = {
    parameters: 1e9,
    gpus: 9,
    tensorParallel: 1,
    pipelineParallel: 1,
    store: 'neighbour-nvme',
    storeUsedBytes: 472_000_000_001,
    nvmeCapacityBytes: 1e12,
  };
  expect(makePlan(planDocument(drives)).blockers).toEqual([]);
  expect(makePlan(planDocument({ ...drives, zeroStage: '0' })).blockers.map(({ id }) => id)).toEqual(['store-room']);
});

it('reads as is quickest where it is open who reads what', () => {
  // A broadcast over slow networks takes longer than the hour between failures; each rank’s own share does not.
  const change: Partial<PlanInputs> = {
    dataParallel: 16,
    mtbfSeconds: 3600,
    readBytesPerSecond: 1e12,
    networkBytesPerSecond: 1e6,
    clientBytesPerSecond: 50e9,
  };
  const { zeroStage: _open, ...open } = { ...base, ...change };
  expect(makePlan(planDocument(open)).blockers.map(({ id }) => id)).not.toContain('never-restored');
  const slow = makePlan(planDocument({ ...open, readBytesPerSecond: 1e8 }));
  expect(slow.blockers.map(({ id }) => id)).toContain('never-restored');
});

it('leaves an interval that keeps to the acceptable loss where only the fixed part of a stall is longer', () => {
  // 14 GB at 50 MB/s take 280 s, and training stands still for 310.
  const change: Partial<PlanInputs> = {
    parameters: 1e9,
    gpus: 16,
    tensorParallel: 2,
    pipelineParallel: 8,
    zeroStage: '2',
    saveMode: 'synchronous',
    fixedStallSeconds: 30,
    acceptableLossSeconds: 300,
    writeBytesPerSecond: 50e6,
  };
  const { save, blockers } = makePlan(planDocument(change));
  expect(blockers.map(({ id }) => id)).not.toContain('acceptable-loss');
  expect(save.intervalSeconds).toBeLessThanOrEqual(20);
});

it('counts all of the run as lost where the storage gets no save before its end', () => {
  // 14 TB at 1 MB/s take 162 days of a run of 30.
  const change: Partial<PlanInputs> = {
    parameters: 1e12,
    gpus: 512,
    saveMode: 'multi-level',
    zeroStage: '0',
    writeBytesPerSecond: 1e6,
    acceptableLossSeconds: 900,
    runSeconds: 30 * 86_400,
  };
  const blocker = makePlan(planDocument(change)).blockers.find(({ id }) => id === 'acceptable-loss');
  expect(blocker).toMatchObject({ lostSeconds: 30 * 86_400, acceptableSeconds: 900 });
});
