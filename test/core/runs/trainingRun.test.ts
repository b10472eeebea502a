/** Runs as their files tell them, against the log of the writer: everything planted is found, and nothing else is claimed. */
import { describe, expect, it } from 'vitest';
import { Listing } from '../../../src/core/files/listing.js';
import { findRun } from '../../../src/core/inspection/runs/run.js';
import { medianOf } from '../../../src/core/runs/median.js';
import { runsReport } from '../../../src/core/runs/runsReport.js';
import { trainingRuns, type TrainingRun } from '../../../src/core/runs/trainingRun.js';
import type { FileEntry } from '../../../src/core/files/fileTree.js';
import { isExhaustive, seed } from '../../builders/seed.js';
import { writtenRun, type WrittenRun } from '../../builders/writtenRun.js';

function runOf(entries: FileEntry[]): TrainingRun {
  const run = findRun(new Listing('run', entries)) ?? expect.fail('no run');
  const runs = trainingRuns(run);
  expect(runs).toHaveLength(1);
  return runs[0] as TrainingRun;
}

const close = (found: number | null, logged: number, share: number, what: string) =>
  expect(Math.abs((found ?? Infinity) / logged - 1), `${what}: ${found} of ${logged}`).toBeLessThanOrEqual(share);

function tellsTheLog(run: TrainingRun, { log, planted }: WrittenRun): void {
  const seconds = log.map(({ startedMs, finishedMs }) => (finishedMs - startedMs) / 1000);
  const rates = log.map(({ bytes }, index) => bytes / (seconds[index] as number));
  close(run.save.effectiveBytesPerSecond, medianOf(rates) as number, 0.05, 'bandwidth');
  close(run.save.medianSeconds, medianOf(seconds) as number, 0.05, 'duration');
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
  it('are told as the writer’s log has them', () => {
    for (let index = 0; index < count; index += 1) {
      const written = writtenRun(seed * 1000 + index, hasCreated);
      try {
        tellsTheLog(runOf(written.entries), written);
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

  it('is when the file system is full, of a run that has ended or whose older checkpoints were removed', () => {
    const entries = [1, 2, 3, 4].flatMap((index) => at(index * 10, index * 60));
    const listing = { entries, errors: [], truncated: false };
    const lastMs = 1.7e12 + 241 * 60_000;
    const fullAt = (nowMs: number) => runsReport('/r', 'run', listing, { freeBytes: 96e9, nowMs }).runs[0]?.fullAt;
    // 2 GB an hour fill 96 GB in two days.
    expect(fullAt(lastMs)).toBe(new Date(lastMs + 2 * 86_400_000).toISOString());
    expect(fullAt(lastMs + 86_400_000)).toBeNull();
    const rotated = [7, 8, 9].flatMap((index) => at(index * 10, index * 60));
    expect(runOf(rotated).bytesPerDay).toBeNull();
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
