/** How much of the time is lost when one input is half or twice what the plan says: what is worth measuring, and what is worth buying. */
import type { PlanInputs } from '../inputs/planInputs.js';
import { lostShareOfSave } from '../saving/lostShare.js';
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
  /** Of the plan. */
  lostShare: number;
  /** The widest first. */
  inputs: Sensitivity[];
}

/** An interval that is not given is the best one each time; the bandwidth is always the plan's. */
export function sensitivityPlan(inputs: PlanInputs, size: PlannedSize, save: SavePlan): SensitivityPlan {
  const own = save.writeBytesPerSecond;
  const lost = (change: Partial<PlanInputs>, bytesPerSecond = own, changedSize = size) => {
    const changed = { ...inputs, ...change };
    return lostShareOfSave(changed, changedSize, savePlan(changed, changedSize, { bytesPerSecond, basis: save.bandwidthBasis }));
  };
  const vary = (input: VariedInput, value: number, lostBy: (factor: number) => number): Sensitivity => ({
    input,
    value,
    lostShareHalved: lostBy(0.5),
    lostShareDoubled: lostBy(2),
  });
  const varied = [
    vary('bandwidth', own, (factor) => lost({}, own * factor)),
    vary('mtbf', save.failureSeconds, (factor) => lost({ mtbfSeconds: save.failureSeconds * factor })),
    vary('restart', inputs.restartSeconds, (factor) => lost({ restartSeconds: inputs.restartSeconds * factor })),
    vary('interval', save.intervalSeconds, (factor) => lost({ intervalSeconds: save.intervalSeconds * factor })),
    // Where training waits for storage the stall is the bandwidth once more.
    ...(save.stallBasis === 'storage'
      ? []
      : [vary('stall', save.stallSeconds, (factor) => lost({ stallSeconds: save.stallSeconds * factor }))]),
    vary('size', size.checkpointBytes, (factor) => lost({}, own, scaled(size, factor))),
  ];
  return { lostShare: lost({}), inputs: varied.sort((a, b) => swing(b) - swing(a)) };
}

export function swing({ lostShareHalved, lostShareDoubled }: Sensitivity): number {
  return Math.abs(lostShareDoubled - lostShareHalved);
}

function scaled(size: PlannedSize, factor: number): PlannedSize {
  return { ...size, checkpointBytes: size.checkpointBytes * factor, weightBytes: size.weightBytes * factor };
}
