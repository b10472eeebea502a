/** Does a save fit between the warning and the end. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { PlannedSize } from '../size/plannedSize.js';
import { saveTimeIn } from './gracePeriod.js';
import type { LevelId, SaveLevel, SaveLevels } from './levels.js';

export interface EmergencySave {
  level: LevelId;
  /** The stall of the copy to host memory, and the write behind it. */
  neededSeconds: number;
  fits: boolean;
  /** The largest checkpoint of the same topology that does; null where any does. */
  largestBytes: number | null;
  /** Is it still there when the machine is gone. */
  outlivesTheMachine: boolean;
}

export interface EmergencyPlan {
  graceSeconds: number;
  /** As the plan's levels are ordered. */
  saves: EmergencySave[];
  /** The quickest that outlives the machine; the object store only where there is no other. */
  best: EmergencySave;
  /** Write bandwidth of the shared storage under which a save fits; null where the copy alone takes longer. */
  neededBytesPerSecond: number | null;
}

export function emergencyPlan(inputs: PlanInputs, size: PlannedSize, { levels }: SaveLevels): EmergencyPlan {
  const copySeconds = levels.find(({ id }) => id === 'host-memory')?.stallSeconds ?? 0;
  const saves = levels.map((level) => emergencySave(level, copySeconds, inputs.graceSeconds, size.checkpointBytes));
  const lasting = saves.filter(({ level, outlivesTheMachine }) => outlivesTheMachine && level !== 'object-store');
  const quickest = [...(lasting.length > 0 ? lasting : saves)].sort((a, b) => a.neededSeconds - b.neededSeconds);
  const left = saveTimeIn(inputs.graceSeconds) - copySeconds;
  return {
    graceSeconds: inputs.graceSeconds,
    saves,
    best: quickest[0] as EmergencySave,
    neededBytesPerSecond: left > 0 ? size.checkpointBytes / left : null,
  };
}

function emergencySave(level: SaveLevel, copySeconds: number, graceSeconds: number, bytes: number): EmergencySave {
  const neededSeconds = level.id === 'host-memory' ? copySeconds : copySeconds + level.drainSeconds;
  return {
    level: level.id,
    neededSeconds,
    fits: neededSeconds <= saveTimeIn(graceSeconds),
    largestBytes: largestThatFits(neededSeconds, graceSeconds, bytes),
    outlivesTheMachine: level.survives.includes('node'),
  };
}

/** Copy and write both take as long as there are bytes; null where nothing is waited for. */
export function largestThatFits(neededSeconds: number, graceSeconds: number, bytes: number): number | null {
  return neededSeconds === 0 ? null : bytes * (saveTimeIn(graceSeconds) / neededSeconds);
}
