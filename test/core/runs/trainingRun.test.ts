/** What is derived from the files of runs, against the log of the writer: everything planted is found, and nothing else is claimed. */
import { describe, expect, it } from 'vitest';
import { Listing } from '../../../src/core/files/listing.js';
import { findRun } from '../../../src/core/inspection/runs/run.js';
import { median } from '../../../src/core/bytes/median.js';
import { rankOfName } from '../../../src/core/runs/rankOfName.js';
import { trainingRuns, type TrainingRun } from '../../../src/core/runs/trainingRun.js';
import type { FileEntry } from '../../../src/core/files/fileTree.js';
import { isExhaustive, seed } from '../../builders/seed.js';
import { reportOfFiles } from '../../builders/reportOfFiles.js';
import { writtenRun, type WrittenRun } from '../../builders/writtenRun.js';

function runOf(entries: FileEntry[]): TrainingRun {
  const run = findRun(new Listing('run', entries)) ?? expect.fail('no run');
  const runs = trainingRuns(run);
  expect(runs).toHaveLength(1);
  return runs[0] as TrainingRun;
}

const close = (found: number | null, logged: number, share: number, what: string) =>
  expect(Math.abs((found ?? Infinity) / logged - 1), `${what}: ${found} of ${logged}`).toBeLessThanOrEqual(share);

function agreesWithLog(run: TrainingRun, { log, planted }: WrittenRun): void {
  const seconds = log.map(({ startedMs, finishedMs }) => (finishedMs - startedMs) / 1000);
  const rates = log.map(({ bytes }, index) => bytes / (seconds[index] as number));
  close(run.save.effectiveBytesPerSecond, median(rates), 0.05, 'bandwidth');
  close(run.save.medianSeconds, median(seconds), 0.05, 'duration');
  expect(run.save.coverage).toEqual({ saves: log.length, of: log.length });
  expect(run.gaps.map(({ afterStep, beforeStep, kind }) => ({ afterStep, beforeStep, kind }))).toEqual(planted.gaps);
  expect(run.stale).toEqual(planted.stale);
  const late = run.checkpoints.flatMap(({ path, lateRanks }) => lateRanks.map(({ rank }) => ({ path, rank })));
  const expected = planted.lateRanks.map(({ path, rank }) => ({ path, rank }));
  expect(new Set(late.map((one) => JSON.stringify(one)))).toEqual(new Set(expected.map((one) => JSON.stringify(one))));
  for (const { path, step, bytes } of log)
    expect(run.checkpoints.find((checkpoint) => checkpoint.path === path)).toMatchObject({ step, bytes, complete: true });
}

const count = isExhaustive ? 1000 : 60;

describe.each([
  ['files that say when they were made', true],
  ['files that say only when they were last written', false],
] as const)('runs of %s', (_name, hasCreated) => {
  it('have what is in the writer’s log', () => {
    for (let index = 0; index < count; index += 1) {
      const written = writtenRun(seed * 1000 + index, hasCreated);
      try {
        agreesWithLog(runOf(written.entries), written);
      } catch (error) {
        throw new Error(`seed ${seed * 1000 + index}`, { cause: error });
      }
    }
  });
});

describe('what is not known', () => {
  const at = (step: number, minutes: number, sizeBytes = 1e9): FileEntry[] =>
    [0, 1].map((file) => ({
      path: `checkpoint-${step}/model-0000${file + 1}-of-00002.safetensors`,
      sizeBytes,
      modifiedMs: 1.7e12 + minutes * 60_000 + file * 60_000,
    }));

  it('is said of times that a copy gave', () => {
    const equal = [1, 2, 3].flatMap((index) => at(index * 10, 0).map((entry) => ({ ...entry, modifiedMs: 1.7e12 })));
    expect(runOf(equal)).toMatchObject({ timesLost: 'equal', gaps: [], save: { effectiveBytesPerSecond: null } });
    // One file after the other, without a pause.
    const copied = [1, 2, 3, 4].flatMap((index) => at(index * 10, index * 2));
    expect(runOf(copied)).toMatchObject({ timesLost: 'copied', save: { medianSeconds: null, coverage: { saves: 0, of: 4 } } });
  });

  it('is not taken from the time at which a copy was made', () => {
    const copied = [1, 2, 3].flatMap((index) => at(index * 10, index * 60).map((entry) => ({ ...entry, createdMs: 1.8e12 })));
    expect(runOf(copied).checkpoints.map(({ startBasis }) => startBasis)).toEqual(['counted', 'counted', 'counted']);
  });

  it('is when the file system is full, of a run that has ended or whose older checkpoints were removed', async () => {
    const entries = [1, 2, 3, 4].flatMap((index) => at(index * 10, index * 60));
    const lastMs = 1.7e12 + 241 * 60_000;
    const fullAt = async (nowMs: number) => (await reportOfFiles('/run', entries, { freeBytes: 96e9, nowMs })).runs[0]?.fullAt;
    // 2 GB an hour fill 96 GB in two days.
    expect(await fullAt(lastMs)).toBe(new Date(lastMs + 2 * 86_400_000).toISOString());
    expect(await fullAt(lastMs + 86_400_000)).toBeNull();
    const rotated = [7, 8, 9].flatMap((index) => at(index * 10, index * 60));
    expect(runOf(rotated).bytesPerDay).toBeNull();
  });

  it('is the beginning of a save whose first file has nearly all bytes', () => {
    // Weights, and a tokenizer of 2 kB some seconds later: at the rate of the second the first had taken years.
    const entries = [1, 2, 3, 4].flatMap((index) =>
      ['model.safetensors', 'tokenizer.json'].map((name, file) => ({
        path: `checkpoint-${index * 10}/${name}`,
        sizeBytes: file === 0 ? 16e9 : 2000,
        modifiedMs: 1.7e12 + index * 3_600_000 + file * 5000,
      })),
    );
    expect(runOf(entries).checkpoints.map(({ startedMs }) => startedMs)).toEqual([null, null, null, null]);
    expect(runOf(entries).save.effectiveBytesPerSecond).toBeNull();
  });

  it('is who was late where one rank writes nearly all', () => {
    // As the Trainer saves: rank 0 writes model and optimizer, and the others their RNG states meanwhile.
    const entries = [1, 2, 3, 4].flatMap((index) => [
      ...at(index * 10, index * 60),
      ...[0, 1, 2, 3].map((rank) => ({
        path: `checkpoint-${index * 10}/rng_state_${rank}.pth`,
        sizeBytes: 15_000,
        modifiedMs: 1.7e12 + index * 3_600_000 + (rank === 0 ? 600_000 : 0),
      })),
    ]);
    expect(runOf(entries).checkpoints.flatMap(({ lateRanks }) => lateRanks)).toEqual([]);
  });

  it('leaves out of a save what was put there later', () => {
    const later = { path: 'checkpoint-20/merged.safetensors', sizeBytes: 5e9, modifiedMs: 1.7e12 + 9e7 };
    const run = runOf([...[1, 2, 3, 4].flatMap((index) => at(index * 10, index * 60)), later]);
    expect(run.checkpoints[1]).toMatchObject({ bytes: 7e9, finishedMs: 1.7e12 + 121 * 60_000, complete: true });
    expect(run.gaps).toEqual([]);
  });
});

it('groups checkpoints by the directory that they are in', () => {
  const written = [writtenRun(seed, false), writtenRun(seed + 1, false)].flatMap(({ entries }, index) =>
    entries.map((entry) => ({ ...entry, path: `exp${index}/${entry.path}` })),
  );
  const run = findRun(new Listing('root', written)) ?? expect.fail('no run');
  expect(trainingRuns(run).map(({ path }) => path)).toEqual(['exp0', 'exp1']);
});

it.each([
  ['global_step5/zero_pp_rank_3_mp_rank_01_optim_states.pt', 'dp 3 · mp 1'],
  ['global_step5/bf16_zero_pp_rank_0_mp_rank_00_optim_states.pt', 'dp 0 · mp 0'],
  ['mp_rank_00_model_states.pt', 'dp 0 · mp 0'],
  ['zero_pp_rank_2_mp_rank_00_model_states.pt', 'dp 2 · mp 0'],
  ['iter_0000005/mp_rank_01_003/model_optim_rng.pt', 'tp 1 · pp 3'],
  ['mp_rank_01/distrib_optim.pt', 'tp 1'],
  ['__12_0.distcp', '12'],
  ['optimizer_world_size_8_rank_3.pt', '3'],
  ['model-00001-of-00004.safetensors', null],
  ['layer_03-model_00-model_states.pt', null],
] as const)('the rank of %s is %s', (path, rank) => {
  expect(rankOfName(path)).toBe(rank);
});
