/**
 * Jobs among bursts: of the same size, at the same interval. A chain goes from one burst to the next of its size where the interval expects it. Where
 * none is there it goes on only if something hides it: a larger burst, or samples that are missing.
 */
import { medianOrNull } from '../../bytes/median.js';
import type { Burst } from './bursts.js';

export interface Chain {
  /** Bursts by their number of intervals since the first. */
  members: { burst: Burst; slot: number }[];
  intervalMs: number;
  bytes: number;
}

/** Saves of a job differ by less: states grow by nothing, and the background takes its part. */
const sameSizeShare = 0.06;
/** How far a save may be from where the interval expects it, as a share of that. */
const jitterShare = 0.15;
const mostJitterShare = 0.3;
const mostHidden = 6;
/** Next bursts of the same size from which an interval is taken, and by which it is divided. */
const neighbours = 5;
const parts = [1, 2, 3, 4, 5, 6];
const leastSaves = 3;
/** Most chains of bursts of other traffic that would look like this one by chance. */
const mostByChance = 0.5;
/** Sizes around a chain's, as a logarithm, of which bursts of other traffic are counted. */
const aroundSize = 0.5;
/** Seeds of chains that are tried. */
const mostSeeds = 200;

export function isSameSize(one: number, other: number, noiseBytes: number): boolean {
  return Math.abs(one - other) <= sameSizeShare * Math.max(one, other) + 2 * noiseBytes;
}

/** How far off a save may be after so many intervals: each adds its own. */
export function toleranceMs(intervalMs: number, slots: number, stepMs: number): number {
  return Math.min(mostJitterShare, jitterShare * Math.sqrt(slots)) * intervalMs + stepMs / 2;
}

/** What may hide a save: `hides` says whether one of so many bytes may be unseen between two times. */
export type Hides = (fromMs: number, toMs: number, bytes: number) => boolean;

/** The chain that explains most of the bursts; null where none is better than chance. */
export function bestChain(bursts: readonly Burst[], hides: Hides, stepMs: number): Chain | null {
  const usable = bursts.filter(({ isCut }) => !isCut).sort((a, b) => a.centreMs - b.centreMs);
  const stride = Math.max(1, Math.ceil(usable.length / mostSeeds));
  let best: Chain | null = null;
  let bestScore = 0;
  for (let index = 0; index < usable.length; index += stride) {
    const seed = usable[index] as Burst;
    const alike = usable.filter(({ bytes, noiseBytes }) => isSameSize(bytes, seed.bytes, Math.max(noiseBytes, seed.noiseBytes)));
    if (alike.length < leastSaves || alike.length <= bestScore) continue;
    const at = alike.indexOf(seed);
    for (const later of alike.slice(at + 1, at + 1 + neighbours))
      for (const part of parts) {
        const intervalMs = (later.centreMs - seed.centreMs) / part;
        if (intervalMs < 2 * stepMs) continue;
        const chain = chainFrom(alike, at, intervalMs, hides, stepMs);
        const score = scoreOf(chain);
        if (score <= bestScore || chain.members.length < leastSaves) continue;
        const measured = { ...chain, intervalMs: intervalOf(chain.members) ?? chain.intervalMs };
        if (chanceOf(measured, usable, stepMs) <= mostByChance) [best, bestScore] = [measured, score];
      }
  }
  return best;
}

/** A hidden save is no evidence, and many of them are a wrong interval. */
const costOfHidden = 0.15;

/** Saves that are there count; those that are only hidden count against it; so does an interval that wanders. */
function scoreOf({ members }: Chain): number {
  const slots = (members.at(-1)?.slot ?? 0) + 1;
  return members.length - costOfHidden * (slots - members.length);
}

function chainFrom(alike: readonly Burst[], seed: number, intervalMs: number, hides: Hides, stepMs: number): Chain {
  const before = follow(alike, seed, intervalMs, -1, hides, stepMs);
  const after = follow(alike, seed, intervalMs, 1, hides, stepMs);
  const members = [...before.reverse(), { burst: alike[seed] as Burst, slot: 0 }, ...after];
  const first = members[0]?.slot ?? 0;
  const numbered = members.map(({ burst, slot }) => ({ burst, slot: slot - first }));
  return {
    members: numbered,
    intervalMs,
    bytes: medianOf(numbered.map(({ burst }) => burst.bytes)),
  };
}

function follow(
  alike: readonly Burst[],
  seed: number,
  intervalMs: number,
  direction: 1 | -1,
  hides: Hides,
  stepMs: number,
): Chain['members'] {
  const origin = alike[seed] as Burst;
  const found: Chain['members'] = [];
  let [at, slot, pace] = [seed, 0, intervalMs];
  for (let hidden = 0; hidden <= mostHidden;) {
    const ahead = hidden + 1;
    const expectedMs = (alike[at] as Burst).centreMs + direction * ahead * pace;
    const tolerance = toleranceMs(Math.abs(pace), ahead, stepMs);
    const next = nearest(alike, at, direction, expectedMs, tolerance);
    if (next !== null) {
      at = next;
      slot += direction * ahead;
      hidden = 0;
      found.push({ burst: alike[at] as Burst, slot });
      // The pace of the whole chain is surer than that of its last interval.
      pace = ((alike[at] as Burst).centreMs - origin.centreMs) / slot;
    } else if (hides(expectedMs - tolerance, expectedMs + tolerance, origin.bytes)) hidden += 1;
    else break;
  }
  return found;
}

function nearest(alike: readonly Burst[], at: number, direction: 1 | -1, expectedMs: number, toleranceMs: number): number | null {
  let best: number | null = null;
  let bestMs = toleranceMs;
  for (let index = at + direction; index >= 0 && index < alike.length; index += direction) {
    const offMs = ((alike[index] as Burst).centreMs - expectedMs) * direction;
    if (offMs > toleranceMs) break;
    if (Math.abs(offMs) <= bestMs) {
      best = index;
      bestMs = Math.abs(offMs);
    }
  }
  return best;
}

/**
 * How many such chains bursts of other traffic would make: pairs of them, and as often as further ones fall where the interval expects them, by the
 * number of bursts that are about as large and not in the chain.
 */
function chanceOf({ members, intervalMs, bytes }: Chain, all: readonly Burst[], stepMs: number): number {
  const own = new Set(members.map(({ burst }) => burst));
  const others = all.filter((burst) => !own.has(burst) && Math.abs(Math.log(burst.bytes / bytes)) < aroundSize).length;
  const spanMs = (all.at(-1)?.centreMs ?? 0) - (all[0]?.centreMs ?? 0) + 1;
  const alikeOthers = (others * sameSizeShare) / aroundSize;
  const windowMs = 2 * Math.max(jitterShare * intervalMs * 0.5, 2 * wander(members, intervalMs), stepMs);
  const perWindow = 1 - Math.exp((-alikeOthers * windowMs) / spanMs);
  const pairs = Math.max(1, others + members.length) * neighbours;
  return pairs * Math.max(perWindow, 0.001) ** (members.length - 2);
}

/** The usual distance from the interval. */
function wander(members: Chain['members'], intervalMs: number): number {
  return medianOf(
    members.slice(1).map(({ burst, slot }, index) => {
      const before = members[index] as Chain['members'][number];
      return Math.abs(burst.centreMs - before.burst.centreMs - (slot - before.slot) * intervalMs);
    }),
  );
}

/** Of what pairs are made for an interval: more take long, and say no more. */
const mostPaired = 200;

/**
 * The median, over all pairs of saves that are at least a few apart, of the time between them by the number of intervals (Theil and Sen's slope). It is
 * finer than steps, and a save that is late or misread changes nothing.
 */
export function intervalOf(members: readonly { burst: Pick<Burst, 'centreMs'>; slot: number }[]): number | null {
  const stride = Math.max(1, Math.ceil(members.length / mostPaired));
  const some = members.filter((_member, index) => index % stride === 0);
  const apart = Math.max(1, Math.floor(some.length / 3));
  const slopes: number[] = [];
  for (let one = 0; one + apart < some.length; one += 1)
    for (let other = one + apart; other < some.length; other += 1) {
      const [a, b] = [some[one], some[other]];
      if (a === undefined || b === undefined || a.slot === b.slot) continue;
      slopes.push((b.burst.centreMs - a.burst.centreMs) / (b.slot - a.slot));
    }
  return slopes.length === 0 ? null : medianOf(slopes);
}

function medianOf(values: readonly number[]): number {
  return medianOrNull(values) ?? 0;
}
