/** Does a save fit between the warning and the end: of a job that is stopped, of a machine that is taken back. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { PlannedSize } from '../size/plannedSize.js';
import type { LevelId, SaveLevel, SaveLevels } from './levels.js';

/** How long a warning is, where it is usual. */
export interface GracePeriod {
  id: string;
  label: string;
  seconds: number;
  source: string;
}

export const gracePeriods: readonly GracePeriod[] = [
  {
    id: 'aws-spot',
    label: 'AWS spot instance',
    seconds: 120,
    source: 'Amazon EC2 user guide, Spot Instance interruption notices',
  },
  { id: 'gcp-spot', label: 'Google Cloud spot VM', seconds: 30, source: 'Compute Engine documentation, Spot VMs' },
  {
    id: 'azure-spot',
    label: 'Azure spot VM',
    seconds: 30,
    source: 'Azure documentation, Scheduled Events: Preempt, at least 30 s',
  },
  {
    id: 'slurm',
    label: 'Slurm, KillWait as shipped',
    seconds: 30,
    source: 'slurm.conf: KillWait; sbatch --signal asks for a longer one',
  },
  {
    id: 'kubernetes',
    label: 'Kubernetes pod, as shipped',
    seconds: 30,
    source: 'Kubernetes documentation, terminationGracePeriodSeconds',
  },
];

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
  /** Write bandwidth of the shared storage that fits the grace period; null where the copy alone takes longer. */
  neededBytesPerSecond: number | null;
}

export function emergencyPlan(inputs: PlanInputs, size: PlannedSize, { levels }: SaveLevels): EmergencyPlan {
  const copySeconds = levels.find(({ id }) => id === 'host-memory')?.stallSeconds ?? 0;
  const saves = levels.map((level) => emergencySave(level, copySeconds, inputs.graceSeconds, size.checkpointBytes));
  const lasting = saves.filter(({ level, outlivesTheMachine }) => outlivesTheMachine && level !== 'object-store');
  const quickest = [...(lasting.length > 0 ? lasting : saves)].sort((a, b) => a.neededSeconds - b.neededSeconds);
  const left = inputs.graceSeconds - copySeconds;
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
    fits: neededSeconds <= graceSeconds,
    largestBytes: largestThatFits(neededSeconds, graceSeconds, bytes),
    outlivesTheMachine: level.survives.includes('node'),
  };
}

/** Copy and write both take as long as there are bytes; null where nothing is waited for. */
export function largestThatFits(neededSeconds: number, graceSeconds: number, bytes: number): number | null {
  return neededSeconds === 0 ? null : bytes * (graceSeconds / neededSeconds);
}
