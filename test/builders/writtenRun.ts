/**
 * A run of training as a writer leaves it: checkpoints with the times of their files, and the writer's own log of what it did. Events are planted
 * that a reader of the files is to find.
 */
import type { FileEntry } from '../../src/core/files/fileTree.js';
import { createRandom } from '../../src/core/datasets/text/random.js';

export interface LoggedSave {
  path: string;
  step: number;
  startedMs: number;
  finishedMs: number;
  bytes: number;
}

export interface WrittenRun {
  entries: FileEntry[];
  /** Saves that were written to their end, as they are on the disk. */
  log: LoggedSave[];
  planted: {
    lateRanks: { path: string; rank: string; seconds: number }[];
    gaps: { afterStep: number; beforeStep: number; kind: 'restart' | 'pause' | 'rewind' }[];
    stale: string[];
  };
}

type Planted = 'late-rank' | 'crash' | 'rewind' | 'pause' | 'stalled' | 'none';
const events: readonly Planted[] = ['late-rank', 'crash', 'rewind', 'pause', 'stalled', 'none'];

/** @param hasCreated whether the file system says when files were made */
export function writtenRun(seed: number, hasCreated: boolean): WrittenRun {
  const random = createRandom(seed);
  const between = (low: number, high: number) => low + (high - low) * random();
  const whole = (low: number, high: number) => Math.floor(between(low, high + 1));
  const ranks = whole(4, 32);
  const filesOfRank = whole(2, 5);
  const fileBytes = whole(200e6, 4e9);
  // No save is shorter than what times are rounded to.
  const bytesPerSecond = Math.min(between(100e6, 1e9), (filesOfRank * fileBytes) / 20);
  const writeMs = ((filesOfRank * fileBytes) / bytesPerSecond) * 1000;
  const every = whole(1, 20) * 50;
  const trainMs = Math.max(between(600e3, 7200e3), writeMs * between(2, 20));
  const saves = whole(8, 24);
  const isWaiting = random() < 0.5;
  const run: WrittenRun = { entries: [], log: [], planted: { lateRanks: [], gaps: [], stale: [] } };
  let nowMs = 1.7e12 + whole(0, 1e9);
  let step = 0;
  const plan = new Map<number, Planted>();
  for (let at = 3; at < saves - 1; at += whole(3, 6)) {
    const event = events[whole(0, events.length - 1)] as Planted;
    // A second rewind would write over the steps of the run before the first.
    plan.set(at, event === 'rewind' && [...plan.values()].includes('rewind') ? 'none' : event);
  }
  let last: number | null = null;
  let pending: WrittenRun['planted']['gaps'][number]['kind'] | null = null;
  for (let save = 0; save < saves; save += 1) {
    const event = plan.get(save) ?? 'none';
    const isStalled = event === 'stalled' && save === saves - 2;
    nowMs += trainMs * between(0.97, 1.03);
    step += every;
    const path = `global_step${step}`;
    const lateRank = event === 'late-rank' ? whole(0, ranks - 1) : -1;
    // As long as the save itself at least, and well beyond what ranks differ by.
    const lateMs = event === 'late-rank' ? Math.max(90e3, writeMs * between(1, 3), random() < 0.3 ? 0.5 * trainMs : 0) : 0;
    const startedMs = nowMs;
    let finishedMs = startedMs;
    for (let rank = 0; rank < ranks; rank += 1) {
      const rankMs = writeMs * between(0.985, 1.015) + (rank === lateRank ? lateMs : 0);
      for (let file = 0; file < filesOfRank; file += 1) {
        const madeMs = startedMs + (rankMs * file) / filesOfRank;
        const doneMs = startedMs + (rankMs * (file + 1)) / filesOfRank;
        if (isStalled && rank >= ranks / 2) continue;
        finishedMs = Math.max(finishedMs, doneMs);
        run.entries.push({
          path: `${path}/__${rank}_${file}.distcp`,
          sizeBytes: fileBytes,
          modifiedMs: Math.round(doneMs),
          ...(hasCreated ? { createdMs: Math.round(madeMs) } : {}),
        });
      }
    }
    if (!isStalled)
      run.entries.push({
        path: `${path}/.metadata`,
        sizeBytes: 100_000,
        modifiedMs: Math.round(finishedMs),
        ...(hasCreated ? { createdMs: Math.round(finishedMs) - 5 } : {}),
      });
    if (isStalled) {
      run.planted.stale.push(path);
      break;
    }
    run.log.push({ path, step, startedMs, finishedMs, bytes: ranks * filesOfRank * fileBytes + 100_000 });
    if (lateRank >= 0) run.planted.lateRanks.push({ path, rank: String(lateRank), seconds: lateMs / 1000 });
    if (pending !== null && last !== null) run.planted.gaps.push({ afterStep: last, beforeStep: step, kind: pending });
    pending = null;
    last = step;
    // Training waits for a save, or goes on beside it.
    nowMs = isWaiting ? finishedMs : startedMs;
    const intervalMs = isWaiting ? trainMs + writeMs : trainMs;
    if (event === 'crash' || event === 'pause' || event === 'rewind') nowMs = finishedMs;
    if (event === 'crash') {
      nowMs += between(0.5, 0.9) * trainMs + between(180e3, 900e3);
      pending = 'restart';
    } else if (event === 'pause') {
      nowMs += between(2, 6) * intervalMs + 3600e3;
      pending = 'pause';
    } else if (event === 'rewind') {
      // On from two saves earlier, at steps that lie between the old ones.
      nowMs += between(0.2, 0.8) * trainMs + 300e3;
      step -= 2 * every + every / 2;
      pending = 'rewind';
    }
  }
  return run;
}
