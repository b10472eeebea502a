/** A job as its saves show it, and where its interval expects saves that are not found. */
import { medianOrNull } from '../../bytes/median.js';
import type { Burst } from './bursts.js';
import { toleranceMs, type Chain } from './schedules.js';

export interface FoundSave {
  startedMs: number;
  finishedMs: number;
  centreMs: number;
  bytes: number;
  /** The burst that it is alone; null for its share of one, by what the job's other saves are. */
  alone: Burst | null;
}

export interface FoundJob {
  /** In the order of time. */
  saves: FoundSave[];
  intervalMs: number;
  bytes: number;
  /** Of saves that no other write adds to or hides a part of. */
  isMeasured: boolean;
  durationMs: number;
  /** Of all of its saves together, as they are seen between other writes. */
  isTimed: boolean;
  /** What its intervals differ by: one standard deviation. */
  jitterMs: number;
  /** What its intervals differ by, and saves that are not seen, as a log of a likelihood. */
  cost: number;
}

export function jobOf({ members, intervalMs, bytes }: Chain): FoundJob {
  const saves = members.map(({ burst }) => saveOf(burst));
  const durationMs = medianOrNull(saves.map(({ startedMs, finishedMs }) => finishedMs - startedMs)) ?? 0;
  return { saves, intervalMs, bytes, isMeasured: false, durationMs, isTimed: false, jitterMs: intervalMs, cost: 0 };
}

/** A burst that is one save. */
function saveOf(burst: Burst): FoundSave {
  const { startedMs, finishedMs, centreMs, bytes } = burst;
  return { startedMs, finishedMs, centreMs, bytes, alone: burst };
}

/** Where saves are expected that are not found, each between two of the job that are whole intervals apart. */
export function missingSaves({ saves, intervalMs, durationMs, bytes }: FoundJob): Omit<FoundSave, 'centreMs' | 'alone'>[] {
  return saves.slice(1).flatMap(({ centreMs }, index) => {
    const beforeMs = (saves[index] as FoundSave).centreMs;
    const slots = Math.round((centreMs - beforeMs) / intervalMs);
    const offMs = Math.abs(centreMs - beforeMs - slots * intervalMs);
    if (slots < 2 || offMs > toleranceMs(intervalMs, slots, 0)) return [];
    return Array.from({ length: slots - 1 }, (_slot, at) => {
      const startedMs = beforeMs + ((centreMs - beforeMs) * (at + 1)) / slots - durationMs / 2;
      return { startedMs, finishedMs: startedMs + durationMs, bytes };
    });
  });
}
