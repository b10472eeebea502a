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

  it.each(['names', 'steps'])('is said of a copy in the order of %s, whatever writers the names show', (order) => {
    for (let index = 0; index < 20; index += 1) {
      const { entries } = writtenRun(seed * 1000 + index, false);
      const inOrder = order === 'steps' ? entries : [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
      let nowMs = 1.8e12;
      const copied = inOrder.map((entry) => ({ ...entry, modifiedMs: (nowMs += entry.sizeBytes / 1e6) }));
      expect(runOf(copied), `seed ${seed * 1000 + index}`).toMatchObject({ timesLost: 'copied', gaps: [], clockJumps: [] });
    }
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

it('a rank is late by its share of the save, in saves of seconds, too', () => {
  const saved = (step: number, lateSeconds: number): FileEntry[] =>
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((rank) =>
      [1, 2].map((file) => ({
        path: `step-${step}/__${rank}_${file}.distcp`,
        sizeBytes: 1e9,
        modifiedMs: 1.7e12 + step * 6000 + file * 10_000 + rank * 50 + (rank === 3 ? lateSeconds * 500 * file : 0),
      })),
    );
  const lateOf = (lateSeconds: number) =>
    runOf([...saved(100, 0), ...saved(200, 0), ...saved(300, lateSeconds)]).checkpoints.flatMap(({ lateRanks }) => lateRanks);
  expect(lateOf(12)).toMatchObject([{ rank: '3', seconds: expect.closeTo(12, 0) as number }]);
  expect(lateOf(3)).toEqual([]);
});

describe('what happens to files after the save', () => {
  const hour = 3_600_000;
  const shards = (step: number, index: number, more: Partial<FileEntry> = {}): FileEntry[] =>
    [0, 1, 2, 3].map((file) => ({
      path: `checkpoint-${step}/model-0000${file + 1}-of-00004.safetensors`,
      sizeBytes: 1e9,
      createdMs: 1.7e12 + index * hour + file * 5000,
      modifiedMs: 1.7e12 + index * hour + (file + 1) * 5000,
      ...more,
    }));

  it('does not make a save longer that is written over in place', () => {
    const saves = [1, 2, 3, 4].flatMap((index) => shards(index * 100, index));
    const over = saves.map((entry) =>
      entry.path.startsWith('checkpoint-400') ? entry : { ...entry, modifiedMs: (entry.modifiedMs ?? 0) + 30 * hour },
    );
    expect(runOf(saves).save.medianSeconds).toBe(20);
    expect(runOf(over).checkpoints.map(({ startedMs }) => startedMs !== null)).toEqual([false, false, false, true]);
  });

  it('does not move a save to the time of a conversion that every checkpoint got', () => {
    const saves = [1, 2, 3, 4].flatMap((index) => [
      ...shards(index * 100, index),
      {
        path: `checkpoint-${index * 100}/pytorch_model.bin`,
        sizeBytes: 1.5e9,
        createdMs: 1.7e12 + 200 * hour + index * 1000,
        modifiedMs: 1.7e12 + 200 * hour + index * 60_000,
      },
    ]);
    expect(runOf(saves)).toMatchObject({ intervals: { medianSeconds: 3600 }, save: { medianSeconds: 20 } });
  });

  it('is a download in several streams: no gaps and no clocks are claimed', () => {
    const saves = [1, 2, 3, 4, 5, 6].flatMap((index) => shards(index * 100, index));
    const places = saves.map((entry, at) => ({ ...entry, createdMs: 1.8e12, modifiedMs: 1.8e12 + ((at * 7919) % 3600) * 1000 }));
    expect(runOf(places)).toMatchObject({ timesLost: 'copied', gaps: [], clockJumps: [] });
  });
});

it('takes breaks of one length at even steps for no crashes', () => {
  const hour = 3_600_000;
  let nowMs = 1.7e12;
  const entries = Array.from({ length: 16 }, (_save, index) => {
    nowMs += hour + (index % 3 === 2 ? 1_500_000 + 1000 * index : 0);
    return [0, 1].map((file) => ({
      path: `checkpoint-${(index + 1) * 100}/model-0000${file + 1}-of-00002.safetensors`,
      sizeBytes: 1e9,
      modifiedMs: nowMs + file * 20_000,
    }));
  });
  const { gaps } = runOf(entries.flat());
  expect(gaps.length).toBeGreaterThanOrEqual(4);
  expect(new Set(gaps.map(({ kind }) => kind))).toEqual(new Set(['pause']));
  const irregular = entries
    .flat()
    .map((entry) => (/checkpoint-1[0-6]00/.test(entry.path) ? { ...entry, modifiedMs: entry.modifiedMs + 3 * hour } : entry));
  expect(runOf(irregular).gaps.some(({ kind }) => kind === 'restart')).toBe(true);
});

it.each([1, 2, 3, 4])('names %i of eight ranks that are late', (count) => {
  const saved = (step: number): FileEntry[] =>
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((rank) =>
      [1, 2].map((file) => ({
        path: `step-${step}/__${rank}_${file}.distcp`,
        sizeBytes: 1e9,
        modifiedMs: 1.7e12 + step * 36_000 + file * 10_000 + rank * 50 + (step === 300 && rank >= 8 - count ? 1_200_000 : 0),
      })),
    );
  const late = runOf([100, 200, 300].flatMap(saved)).checkpoints.flatMap(({ lateRanks }) => lateRanks);
  expect(late.map(({ rank }) => Number(rank)).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7].slice(8 - count));
});

describe('files that checkpoints have in common', () => {
  const hour = 3_600_000;
  const of = (paths: string[], index: number): FileEntry[] =>
    paths.map((path, file) => ({ path, sizeBytes: 2e9, modifiedMs: 1.7e12 + index * hour + file * 20_000 }));

  it('are those of step 0 to 9, too, where names of files have such numbers', () => {
    const steps = Array.from({ length: 10 }, (_step, step) =>
      of(
        [0, 1, 2, 3].flatMap((rank) => [
          `${step}/default/ocdbt.process_${rank}/d/data`,
          `${step}/default/ocdbt.process_${rank}/manifest.ocdbt`,
        ]),
        step,
      ).concat(of([`${step}/_CHECKPOINT_METADATA`, `${step}/default/_METADATA`], step)),
    );
    expect(runOf(steps.flat()).stale).toEqual([]);
  });

  it('are not those of one step that is there twice', () => {
    const saved = (name: string, step: number, index: number) =>
      of(
        [0, 1].map((rank) => `${name}/global_step${step}/zero_pp_rank_${rank}_mp_rank_00_optim_states.pt`),
        index,
      );
    const run = runOf([
      ...saved('checkpoint-300', 300, 0),
      ...saved('checkpoint-300-1', 300, 1),
      ...saved('checkpoint-400', 400, 2),
    ]);
    expect(run.stale).toEqual([]);
  });

  it('have any name where a checkpoint is one file', () => {
    const names = ['epoch=0-step=100.ckpt', 'epoch=1-step=200.ckpt', 'epoch=2-step=300.ckpt', 'last.ckpt'];
    const entries = names.flatMap((name, index) => of([name], index));
    expect(runOf(entries).stale).toEqual([]);
    const cut = entries.map((entry) => ({ ...entry, sizeBytes: entry.path === 'last.ckpt' ? 5e8 : entry.sizeBytes }));
    expect(runOf(cut).stale).toEqual(['last.ckpt']);
  });
});

describe('two runs in one directory', () => {
  const hour = 3_600_000;
  const megatron = (step: number, index: number): FileEntry[] =>
    [0, 1, 2, 3].map((rank) => ({
      path: `iter_000${step}/mp_rank_0${rank}/model_optim_rng.pt`,
      sizeBytes: 8e9,
      modifiedMs: 1.7e12 + index * hour + rank * 1000,
    }));
  const exported = (step: number, index: number): FileEntry[] =>
    ['config.json', 'model.safetensors'].map((name, file) => ({
      path: `hf_step_${step}/${name}`,
      sizeBytes: file === 0 ? 900 : 2e9,
      modifiedMs: 1.7e12 + (index + 40) * hour,
    }));

  it('are separated by names and layouts', () => {
    const entries = [1, 2, 3, 4].flatMap((index) => [...megatron(1000 * index, index), ...exported(1000 * index, index)]);
    const run = findRun(new Listing('run', entries)) ?? expect.fail('no run');
    const [saved, other, ...rest] = trainingRuns(run).sort((a, b) => b.bytes - a.bytes);
    expect(rest).toEqual([]);
    expect(saved).toMatchObject({
      path: '',
      names: 'iter_…',
      bytes: 128e9,
      stale: [],
      intervals: { medianSeconds: 3600, steps: 1000 },
    });
    expect(other).toMatchObject({ path: '', names: 'hf_step_…', stale: [] });
    expect(other?.checkpoints).toHaveLength(4);
  });

  it('are one where there is a single checkpoint of the other', () => {
    const entries = [...[1, 2, 3, 4].flatMap((index) => megatron(1000 * index, index)), ...exported(4000, 4)];
    expect(runOf(entries).names).toBeNull();
  });
});

describe('a clock that was set back', () => {
  const hour = 3_600_000;
  const saved = (hours: readonly number[]): FileEntry[] =>
    hours.flatMap((at, index) =>
      [0, 1].map((file) => ({
        path: `checkpoint-${(index + 1) * 100}/model-0000${file + 1}-of-00002.safetensors`,
        sizeBytes: 1e9,
        modifiedMs: 1.7e12 + at * hour + file * 60_000,
      })),
    );

  it.each([1.5, 2, 2.4, 4.1])('by %d h is no rewind', (back) => {
    const run = runOf(saved([1, 2, 3, 4, 5, 6 - back, 7 - back, 8 - back, 9 - back]));
    expect(run.gaps).toEqual([]);
    expect(run.clockJumps).toHaveLength(1);
    expect(run.clockJumps[0]).toMatchObject({ afterStep: 500, beforeStep: 600 });
    expect(run.clockJumps[0]?.seconds).toBeCloseTo(back * 3600, -1);
    expect(run.intervals).toEqual({ steps: 100, medianSeconds: 3600 });
    expect(run).toMatchObject({ newest: 'checkpoint-900', bytesPerDay: null });
  });

  it('is not what a rewind is', () => {
    // Back from 500 to 200 after six hours; 300 and 400 were written again.
    const run = runOf(saved([1, 2, 6, 7, 5]));
    expect(run.clockJumps).toEqual([]);
    expect(run.gaps.map(({ kind }) => kind)).toEqual(['rewind']);
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
