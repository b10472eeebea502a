/** What a restore reads, by who reads what. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import type { RestoreWay } from '../../../../src/core/planning/saving/restore.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { planDocument, randomDocument } from '../../../builders/randomPlan.js';
import { runs } from '../../../builders/seed.js';

const restoreOf = (inputs: Partial<PlanInputs>) => makePlan(planDocument(inputs)).restore;
const volume = (inputs: Partial<PlanInputs>, way: RestoreWay) =>
  (restoreOf(inputs).ways.find((answer) => answer.way === way)?.volumeBytes ?? NaN) / 1e12;

const megatron = { parameters: 1_008_038_707_200, gpus: 3072, tensorParallel: 8, pipelineParallel: 64 };
const llama = { parameters: 405_853_388_800, gpus: 16_384, tensorParallel: 8, pipelineParallel: 16 };

it('reads all DP times without a sharded optimizer', () => {
  expect(volume({ ...megatron, checkpointBytes: 13.8e12 }, 'every-replica')).toBeCloseTo(82.8, 1);
});

it('reads 12 + 2 × DP bytes a parameter with one', () => {
  expect(volume(megatron, 'shared-optimizer')).toBeCloseTo(24.2, 1);
  expect(volume(llama, 'shared-optimizer')).toBeCloseTo(108.8, 1);
});

it('reads all once where every GPU has a share, or one replica sends', () => {
  expect(volume(llama, 'own-share')).toBeCloseTo(5.682, 3);
  expect(volume(llama, 'one-and-broadcast')).toBeCloseTo(5.682, 3);
});

it('follows the ZeRO stage', () => {
  const ways = (['0', '1', '2', '3'] as const).map((zeroStage) => restoreOf({ ...llama, zeroStage }).planned.way);
  expect(ways).toEqual(['every-replica', 'shared-optimizer', 'shared-optimizer', 'own-share']);
});

it('is held up by the networks of the nodes that read', () => {
  const { planned, broadcast } = restoreOf({ ...llama, readBytesPerSecond: 2e12, networkBytesPerSecond: 40e9 });
  expect(planned.bytesPerSecond).toBe(2e12);
  // One replica is 16 nodes.
  expect(broadcast.bytesPerSecond).toBe(16 * 40e9);
  expect(broadcast.broadcastSeconds).toBeCloseTo(5.682e12 / 16 / 40e9, 2);
});

it('counts the replicas of experts, which EP ranks spread', () => {
  expect(restoreOf({ gpus: 4096, pipelineParallel: 16, expertParallel: 16 }).replicas).toBe(16);
});

it('says when sending alone takes longer than is wanted', () => {
  expect(restoreOf({ ...llama, restoreTargetSeconds: 1 }).broadcast.neededBytesPerSecond).toBeNull();
});

it('needs for the wanted time what brings it back in that time', () => {
  fc.assert(
    fc.property(randomDocument, (document) => {
      const { restore, inputs } = makePlan(document);
      for (const { neededBytesPerSecond, volumeBytes, broadcastSeconds } of restore.ways)
        if (neededBytesPerSecond !== null)
          expect((volumeBytes / neededBytesPerSecond + broadcastSeconds) / inputs.restoreTargetSeconds).toBeCloseTo(1, 6);
      expect(restore.planned.volumeBytes).toBeGreaterThanOrEqual(restore.broadcast.volumeBytes);
    }),
    runs(20, 1000),
  );
});

it('leaves the storage once for each node, whose replicas share its memory', () => {
  const small = { parameters: 8e9, gpus: 64, zeroStage: '0' } as const;
  expect(restoreOf(small)).toMatchObject({ replicas: 64, readings: 8 });
  expect(restoreOf({ ...small, gpus: 8 }).planned.volumeBytes).toBe(112e9);
  expect(restoreOf({ ...small, gpus: 8, hostMemoryBytes: 100e9 }).planned.volumeBytes).toBe(8 * 112e9);
});
