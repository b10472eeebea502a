/** Where a run did not train: longer between two saves than their steps take, or a later save of an earlier step. */
import { median } from '../bytes/median.js';
import type { SavedCheckpoint } from './savedCheckpoint.js';

export interface Gap {
  afterStep: number;
  beforeStep: number;
  /** Beyond what the steps between the two saves take. */
  seconds: number;
  /**
   * `rewind`: training went on from an earlier step than that of the save before. `restart`: no longer than the work of an interval, which a crash loses,
   * and a start; `pause`: longer, or of one length at even steps, as an evaluation. Files alone do not show which it was.
   */
  kind: 'restart' | 'pause' | 'rewind';
}

/** A save whose step and time are known. */
export interface Timed {
  step: number;
  /** Its end where its beginning is not known. */
  startedMs: number;
  finishedMs: number;
}

/** What is shorter is within the rounding of times. */
const leastSaveMs = 2000;

/** How long a whole save took; null where that is not known, or within the rounding of times. */
export function saveSeconds({
  complete,
  startedMs,
  finishedMs,
}: Pick<SavedCheckpoint, 'complete' | 'startedMs' | 'finishedMs'>): number | null {
  if (!complete || startedMs === null || finishedMs === null || finishedMs - startedMs < leastSaveMs) return null;
  return (finishedMs - startedMs) / 1000;
}

/** Saves in the order of their times. */
export function timedSaves(checkpoints: readonly SavedCheckpoint[]): Timed[] {
  return checkpoints
    .flatMap(({ step, startedMs, finishedMs, complete }) =>
      step === null || finishedMs === null || !complete ? [] : [{ step, startedMs: startedMs ?? finishedMs, finishedMs }],
    )
    .sort((a, b) => a.finishedMs - b.finishedMs || a.step - b.step);
}

type Between = (before: Timed, after: Timed) => number;
const betweenEnds: Between = (before, after) => (after.finishedMs - before.finishedMs) / 1000;
const betweenStarts: Between = (before, after) => (after.startedMs - before.startedMs) / 1000;
const withoutSaves: Between = (before, after) => (after.startedMs - before.finishedMs) / 1000;

/** From the end of one save to that of the next, for each step; negative or infinite where steps do not advance. */
export function secondsOfStep([before, after]: [before: Timed, after: Timed]): number {
  return betweenEnds(before, after) / (after.step - before.step);
}

/** From the end of one save to that of the next, the median of neighbours; null of fewer than two pairs. */
export function secondsPerStep(saves: readonly Timed[], between: Between = betweenEnds): number | null {
  const rates = pairsOf(saves).flatMap(([before, after]) => {
    const steps = after.step - before.step;
    const seconds = between(before, after);
    return steps > 0 && seconds > 0 ? [seconds / steps] : [];
  });
  return rates.length < 2 ? null : median(rates);
}

/** Of the interval: shorter gaps are within what steps, evaluation and other users of the storage vary by. */
const leastShare = 0.25;
const leastSeconds = 60;
/** An interval of lost work and a start: longer ones are pauses. */
const mostIntervalsOfRestart = 1;
const longestStartSeconds = 1800;

/** @param saves in the order of their times */
export function gapsOf(saves: readonly Timed[]): Gap[] {
  const gaps = breaksOf(saves);
  return areRegular(gaps) ? gaps.map((gap) => ({ ...gap, kind: 'pause' })) : gaps;
}

/** Crashes seldom repeat so often in a row. */
const leastRegular = 4;
/** By which their lengths differ from the median at most, of it. */
const mostOffShare = 0.25;

/** Whether gaps come at even steps and are of one length, as those of evaluations are. */
export function areRegular(gaps: readonly Gap[]): boolean {
  if (gaps.length < leastRegular || gaps.some(({ kind }) => kind === 'rewind')) return false;
  const usual = median(gaps.map(({ seconds }) => seconds));
  const steps = pairsOf(gaps).map(([before, after]) => after.afterStep - before.afterStep);
  return gaps.every(({ seconds }) => Math.abs(seconds - usual) <= mostOffShare * usual) && new Set(steps).size === 1;
}

function breaksOf(saves: readonly Timed[]): Gap[] {
  const perStep = secondsPerStep(saves);
  if (perStep === null) return [];
  // A save that takes long makes the time between two ends longer, and where training waits for it that between two beginnings.
  const measures = [betweenStarts, withoutSaves].map((between) => ({ between, perStep: secondsPerStep(saves, between) }));
  return pairsOf(saves).flatMap(([before, after]): Gap[] => {
    const steps = after.step - before.step;
    const place = { afterStep: before.step, beforeStep: after.step };
    if (steps <= 0) return steps === 0 ? [] : [{ ...place, seconds: betweenEnds(before, after), kind: 'rewind' }];
    const usual = steps * perStep;
    const excesses = measures.flatMap(({ between, perStep: own }) =>
      own === null ? [] : [between(before, after) - steps * own],
    );
    const excess = excesses.reduce((least, one) => Math.min(least, one), Infinity);
    if (excess === Infinity || excess < Math.max(leastSeconds, leastShare * usual)) return [];
    const isRestart = excess <= mostIntervalsOfRestart * usual + longestStartSeconds;
    return [{ ...place, seconds: excess, kind: isRestart ? 'restart' : 'pause' }];
  });
}

export function pairsOf<Item>(items: readonly Item[]): [Item, Item][] {
  return items.slice(1).map((item, index): [Item, Item] => [items[index] as Item, item]);
}
