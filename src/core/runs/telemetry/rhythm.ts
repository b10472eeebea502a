/**
 * A job's saves as a sequence of times: the likeliest, by what was written at each and by the intervals between them (Viterbi's algorithm). A job may crash
 * and go on at another time; saves may be missing where other writes hide them.
 */
import { medianOrNull } from '../../bytes/median.js';
import { slidingMost, type Candidate, type Gains } from './candidates.js';
import { intervalOf } from './schedules.js';

/** Costs, as logs of likelihoods: of a save that is not seen where there is room for it, and of a pause that is no number of intervals. */
const [costOfMissing, costOfRestart] = [0.7, 14];
const mostMissing = 24;

/** When a job saves. */
export interface Rhythm {
  intervalMs: number;
  jitterMs: number;
  /** The most room for a save around times one after the other. */
  most: Pick<Gains, 'beginMs' | 'everyMs' | 'room'>;
}

export function rhythmOf(intervalMs: number, jitterMs: number, { beginMs, everyMs, room }: Gains): Rhythm {
  const most = slidingMost(room, Math.max(1, Math.round((2 * jitterMs) / everyMs)));
  return { intervalMs, jitterMs, most: { beginMs, everyMs, room: most } };
}

/** The likeliest sequence of candidates. */
export function likeliestSequence(candidates: readonly Candidate[], rhythm: Rhythm): Candidate[] {
  const { intervalMs } = rhythm;
  const best = new Float64Array(candidates.length);
  const from = new Int32Array(candidates.length).fill(-1);
  // The best of all that are far enough before, for a restart.
  let [settled, bestBefore] = [0, -1];
  let [earliest, end] = [0, -1];
  for (let index = 0; index < candidates.length; index += 1) {
    const { startedMs, gain } = candidates[index] as Candidate;
    while (settled < index && (candidates[settled] as Candidate).startedMs <= startedMs - intervalMs / 2) {
      if (bestBefore < 0 || (best[settled] as number) > (best[bestBefore] as number)) bestBefore = settled;
      settled += 1;
    }
    while ((candidates[earliest] as Candidate).startedMs < startedMs - (mostMissing + 0.5) * intervalMs) earliest += 1;
    let [most, source] = bestBefore < 0 ? [0, -1] : [(best[bestBefore] as number) - costOfRestart, bestBefore];
    if (most < 0) [most, source] = [0, -1];
    for (let before = settled - 1; before >= earliest; before -= 1) {
      if ((best[before] as number) <= most) continue;
      const value = (best[before] as number) - costOfGap((candidates[before] as Candidate).startedMs, startedMs, rhythm);
      if (value > most) [most, source] = [value, before];
    }
    best[index] = most + gain;
    from[index] = source;
    if (end < 0 || (best[index] as number) > (best[end] as number)) end = index;
  }
  const sequence: Candidate[] = [];
  for (let index = end; index >= 0; index = from[index] as number) sequence.push(candidates[index] as Candidate);
  return sequence.reverse();
}

/** Of intervals that vary, and of saves that are not seen. */
function costOfGap(fromMs: number, toMs: number, { intervalMs, jitterMs, most }: Rhythm): number {
  const slots = Math.max(1, Math.round((toMs - fromMs) / intervalMs));
  const off = (toMs - fromMs - slots * intervalMs) / (jitterMs * Math.sqrt(slots));
  let cost = (off * off) / 2;
  for (let slot = 1; slot < slots && cost < costOfRestart; slot += 1) {
    const at = Math.round((fromMs + ((toMs - fromMs) * slot) / slots - most.beginMs) / most.everyMs);
    cost += costOfMissing - (most.room[at] ?? 0);
  }
  return cost;
}

/** Intervals of a job differ by less. */
const leastJitter = 0.002;
export const mostJitter = 0.06;

/** How many intervals are between each and the one before; 0 for a restart. */
export function slotsOf(sequence: readonly Candidate[], rhythm: Rhythm): number[] {
  return sequence.map(({ startedMs }, index) => {
    const before = sequence[index - 1];
    if (before === undefined || costOfGap(before.startedMs, startedMs, rhythm) >= costOfRestart) return 0;
    return Math.max(1, Math.round((startedMs - before.startedMs) / rhythm.intervalMs));
  });
}

export function costOf(sequence: readonly Candidate[], rhythm: Rhythm): number {
  return sequence.reduce((sum, { startedMs }, index) => {
    const before = sequence[index - 1];
    return sum + (before === undefined ? 0 : Math.min(costOfRestart, costOfGap(before.startedMs, startedMs, rhythm)));
  }, 0);
}

export function paceOf(sequence: readonly Candidate[], rhythm: Rhythm): number {
  const slots = slotsOf(sequence, { ...rhythm, jitterMs: mostJitter * rhythm.intervalMs });
  const stretches: { burst: { centreMs: number }; slot: number }[][] = [];
  sequence.forEach(({ startedMs }, index) => {
    const count = slots[index] as number;
    if (count === 0) stretches.push([]);
    const stretch = stretches.at(-1);
    stretch?.push({ burst: { centreMs: startedMs }, slot: (stretch.at(-1)?.slot ?? 0) + count });
  });
  const paces = stretches.flatMap((stretch) => {
    const pace = intervalOf(stretch);
    return pace === null ? [] : stretch.slice(1).map(() => pace);
  });
  return medianOrNull(paces) ?? rhythm.intervalMs;
}

export function jitterOf(sequence: readonly Candidate[], rhythm: Rhythm): number {
  const { intervalMs } = rhythm;
  const slots = slotsOf(sequence, { ...rhythm, jitterMs: mostJitter * intervalMs });
  const off = sequence.flatMap(({ startedMs }, index) => {
    const count = slots[index] as number;
    if (count === 0) return [];
    return [Math.abs(startedMs - (sequence[index - 1] as Candidate).startedMs - count * intervalMs) / Math.sqrt(count)];
  });
  const usual = 1.4826 * (medianOrNull(off) ?? mostJitter * intervalMs) * (1 + 2 / Math.max(1, off.length));
  return Math.min(mostJitter, Math.max(leastJitter, usual / intervalMs)) * intervalMs;
}
