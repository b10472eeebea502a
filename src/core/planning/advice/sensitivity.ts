/** How much of the time is lost when one input is half or twice what the plan says: what is worth measuring, and what is worth buying. */
import type { PlanInputs } from '../inputs/planInputs.js';
import { saveLevels } from '../saving/levels.js';
import { restorePlan } from '../saving/restore.js';
import { savePlan, type SavePlan } from '../saving/savePlan.js';
import type { PlannedSize } from '../size/plannedSize.js';

export type VariedInput = 'bandwidth' | 'mtbf' | 'stall' | 'restart' | 'interval' | 'size';

export interface Sensitivity {
  input: VariedInput;
  /** What it is in the plan: bytes, seconds or bytes a second. */
  value: number;
  lostShareHalved: number;
  lostShareDoubled: number;
}

export interface SensitivityPlan {
  /** Of the plan: all time that does not train, with what saves under way and rarer deep saves lose. */
  lostShare: number;
  /** The widest first. */
  inputs: Sensitivity[];
}

/** An interval that is not given is the best one each time; the bandwidth is always the plan's. */
export function sensitivityPlan(inputs: PlanInputs, size: PlannedSize, save: SavePlan): SensitivityPlan {
  const fixed: PlanInputs = { ...inputs, writeBytesPerSecond: save.writeBytesPerSecond };
  const vary = (input: VariedInput, value: number, changed: (factor: number) => Partial<PlanInputs>): Sensitivity => ({
    input,
    value,
    lostShareHalved: lostShare({ ...fixed, ...changed(0.5) }, size),
    lostShareDoubled: lostShare({ ...fixed, ...changed(2) }, size),
  });
  const varied = [
    vary('bandwidth', save.writeBytesPerSecond, (factor) => ({ writeBytesPerSecond: save.writeBytesPerSecond * factor })),
    vary('mtbf', save.mtbfSeconds, (factor) => ({ mtbfSeconds: save.mtbfSeconds * factor })),
    vary('restart', inputs.restartSeconds, (factor) => ({ restartSeconds: inputs.restartSeconds * factor })),
    vary('interval', save.intervalSeconds, (factor) => ({ intervalSeconds: save.intervalSeconds * factor })),
    // Where training waits for storage the stall is the bandwidth once more.
    ...(save.stallBasis === 'storage'
      ? []
      : [vary('stall', save.stallSeconds, (factor) => ({ stallSeconds: save.stallSeconds * factor }))]),
    {
      input: 'size' as const,
      value: size.checkpointBytes,
      lostShareHalved: lostShare(fixed, scaled(size, 0.5)),
      lostShareDoubled: lostShare(fixed, scaled(size, 2)),
    },
  ];
  return { lostShare: lostShare(fixed, size), inputs: varied.sort((a, b) => swing(b) - swing(a)) };
}

export function swing({ lostShareHalved, lostShareDoubled }: Sensitivity): number {
  return Math.abs(lostShareDoubled - lostShareHalved);
}

function lostShare(inputs: PlanInputs, size: PlannedSize): number {
  const save = savePlan(inputs, size);
  const levels = saveLevels(inputs, size, save, restorePlan(inputs, size, save));
  return Math.min(1, 1 - save.shares.training + levels.furtherLossShare);
}

function scaled(size: PlannedSize, factor: number): PlannedSize {
  return { ...size, checkpointBytes: size.checkpointBytes * factor, weightBytes: size.weightBytes * factor };
}
