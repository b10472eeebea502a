/**
 * The storage bandwidth that a job asks for: the demand-side model after Lockwood (VAST, 85,619 checkpoints, 2025). S bytes every tau
 * seconds, and a save may be under way for a share phi of the time.
 */

export interface Demand {
  /** S ÷ (phi tau): keeps saves within the wanted share of the time. */
  requiredBytesPerSecond: number;
  /** S ÷ tau: below it a save is not done when the next one begins. */
  leastBytesPerSecond: number;
}

export function bandwidthDemand(checkpointBytes: number, intervalSeconds: number, overlapTarget: number): Demand {
  return {
    requiredBytesPerSecond: checkpointBytes / (overlapTarget * intervalSeconds),
    leastBytesPerSecond: checkpointBytes / intervalSeconds,
  };
}

/** Share of the time in which a save is being written; above 1 saves pile up. */
export function overlapOf(checkpointBytes: number, intervalSeconds: number, bytesPerSecond: number): number {
  return checkpointBytes / bytesPerSecond / intervalSeconds;
}

/** `wasted`: three times what is needed and more, which training hardly notices. */
export type OverlapRegion = 'impossible' | 'slow' | 'good' | 'wasted';

/** Bandwidth beyond this many times the goal buys less than 1 % of the time where the goal is the usual 10 %. */
export const wastedFactor = 3;

/** An interval that was chosen for an overlap has it but for its last digits. */
const rounding = 1e-9;

/** @param overlap share of the time @param target share that is wanted */
export function regionOf(overlap: number, target: number): OverlapRegion {
  if (overlap > 1 + rounding) return 'impossible';
  if (overlap > target * (1 + rounding)) return 'slow';
  return overlap * wastedFactor < target ? 'wasted' : 'good';
}
