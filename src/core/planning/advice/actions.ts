/**
 * What to do, the most important first: set the interval, provide what the plan counts on, then what gives back most. Worded in
 * core/pages/plan.
 */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { Quota } from '../keeping/quota.js';
import { slowestSold } from '../money/storageMoney.js';
import { chooseBandwidth, dollarsPerSecond } from '../saving/bandwidthChoice.js';
import type { EmergencyPlan } from '../saving/emergency.js';
import type { BandwidthFrontier, FrontierPoint } from '../saving/frontier.js';
import type { IntervalStudy } from '../saving/intervalStudy.js';
import { slowRestoreShare, type LevelId } from '../saving/levels.js';
import { lostShareOf, lostShareOfSave } from '../saving/lostShare.js';
import { fitsHost } from '../saving/saveModeFit.js';
import { savePlan } from '../saving/savePlan.js';
import { monthSeconds } from '../systems/storageSystem.js';
import { settingsOf } from '../settings/frameworkSettings.js';
import { systemOf } from '../systems/storageSystems.js';
import { isOfInterval, type Blocker, type PlanParts } from './feasibility.js';
import { isRateGiven, type Given } from './given.js';
import { leastGain, type Recommendation } from './recommendation.js';
import { failureRange } from './risks.js';
import type { SensitivityPlan } from './sensitivity.js';

export type PlanAction =
  /** Remove a blocker: its place in the list of blockers. */
  | { id: 'unblock'; blocker: number }
  /** Set the interval, and the other settings of saving. */
  | { id: 'interval' }
  /** Provide the bandwidth that the plan chose. */
  | { id: 'provide'; bytesPerSecond: number }
  /** Another bandwidth than the one that is given costs less with its GPU time. */
  | { id: 'other-bandwidth'; other: FrontierPoint }
  /** Save before a job ends at its walltime: the last save has to begin that much earlier. */
  | { id: 'job-end'; neededSeconds: number }
  /** Save when a warning comes that a machine is taken back; whether the bandwidth is assumed. */
  | { id: 'warning'; fits: boolean; isAssumed: boolean; neededSeconds: number }
  /** The storage goes with a node: saves have to be copied to a level that does not. */
  | { id: 'copy-off'; level: LevelId; everySaves: number; drainSeconds: number; failureShare: number }
  /** The room is used up while the run goes on. */
  | { id: 'room'; fullAfterSeconds: number }
  /** Restore by reading once; what is lost counts on it. */
  | { id: 'broadcast' }
  /** Another way of saving loses less, for less money. */
  | { id: 'save-mode'; saveMode: PlanInputs['saveMode']; gainShare: number; gainPerMonth: number }
  /** Half the restart or half the stall gives back that much. */
  | { id: 'shorten-restart' | 'shorten-stall'; gainShare: number }
  /** The failure rate is assumed: with that many times more failures less trains. */
  | { id: 'measure-failures'; factor: number; goodput: number; lostShare: number }
  /** More bandwidth would give back time, and what it costs is not known. */
  | { id: 'ask-price'; gainShare: number; gainPerMonth: number; bytesPerSecond: number }
  /** Buy nothing: what is there is enough. */
  | { id: 'keep-bandwidth' }
  /** The bandwidth has not been measured. */
  | { id: 'measure-bandwidth' };

export interface ActionParts extends PlanParts {
  frontier: BandwidthFrontier;
  study: IntervalStudy;
  emergency: EmergencyPlan;
  quota: Quota | null;
  recommendation: Recommendation;
  sensitivity: SensitivityPlan;
  blockers: readonly Blocker[];
}

/** As many as are read at once. */
const mostActions = 3;

/** @param given the inputs that are set @param isMeasured whether the write bandwidth was measured */
export function actionsOf(parts: ActionParts, given: Given, isMeasured: boolean): PlanAction[] {
  // Another interval is an action of its own.
  const unblocking = parts.blockers.flatMap((blocker, index): PlanAction[] =>
    isOfInterval(blocker) ? [] : [{ id: 'unblock', blocker: index }],
  );
  const needed = [
    ...unblocking.slice(0, mostActions - 1),
    { id: 'interval' } as const,
    ...saidToEnd(parts),
    ...copiedOff(parts),
    ...provided(parts),
    ...warned(parts, given),
    ...roomy(parts),
    ...broadcast(parts),
  ];
  const gaining = [...otherMode(parts), ...failures(parts, given), ...shorter(parts), ...unpriced(parts, given)].sort(
    (a, b) => gainOf(b) - gainOf(a),
  );
  const keeping = keptBandwidth(parts, given);
  // What is provided is checked at once.
  const isToCheck = !isMeasured && !needed.some(({ id }) => id === 'provide');
  const measuring: PlanAction[] = isToCheck ? [{ id: 'measure-bandwidth' }] : [];
  // A rate that is not given decides more than what is gained under it.
  const isAssumed = parts.save.bandwidthBasis !== 'pays' && !isRateGiven(given, parts.save);
  const gained = isAssumed ? [...measuring, ...gaining] : gaining;
  return [...needed, ...gained, ...keeping, ...(isAssumed ? [] : measuring)].slice(0, mostActions);
}

/** Of a bandwidth that is given: where no other costs less with its GPU time, as far as prices are known. */
function keptBandwidth({ save, frontier, recommendation }: ActionParts, given: Given): PlanAction[] {
  if (!isRateGiven(given, save) || frontier.cheaper !== null) return [];
  const isWorthAsking = !frontier.isPriced && recommendation.twiceTheBandwidth.gainShare >= leastGain;
  return isWorthAsking ? [] : [{ id: 'keep-bandwidth' }];
}

type Gaining = Extract<PlanAction, { id: 'save-mode' | 'measure-failures' | 'shorten-restart' | 'shorten-stall' | 'ask-price' }>;

/** Bandwidth that is given, where no purchase of more can be weighed. */
function unpriced({ save, frontier, recommendation }: ActionParts, given: Given): Gaining[] {
  const { gainShare, gainPerMonth } = recommendation.twiceTheBandwidth;
  if (frontier.isPriced || gainShare < leastGain || !isRateGiven(given, save)) return [];
  return [{ id: 'ask-price', gainShare, gainPerMonth, bytesPerSecond: frontier.twice.bytesPerSecond }];
}

/** What another way of saving gives back is there for the asking; what more failures would cost may not be so. */
function gainOf(action: Gaining): number {
  return action.id === 'measure-failures' ? action.lostShare / 2 : action.gainShare;
}

function provided({ save, frontier }: ActionParts): PlanAction[] {
  if (frontier.cheaper !== null) return [{ id: 'other-bandwidth', other: frontier.cheaper }];
  const { bandwidthBasis, writeBytesPerSecond: bytesPerSecond } = save;
  return bandwidthBasis === 'pays' && bytesPerSecond > slowestSold ? [{ id: 'provide', bytesPerSecond }] : [];
}

function saidToEnd({ inputs, save }: ActionParts): PlanAction[] {
  return inputs.walltimeSeconds === null ? [] : [{ id: 'job-end', neededSeconds: Math.max(save.stallSeconds, save.saveSeconds) }];
}

function warned({ inputs, save, emergency }: ActionParts, given: Given): PlanAction[] {
  if (inputs.reclaimSeconds === null) return [];
  const isAssumed = save.bandwidthBasis !== 'pays' && !isRateGiven(given, save);
  return [{ id: 'warning', fits: save.isWarned, isAssumed, neededSeconds: emergency.best.neededSeconds }];
}

/** Storage that is lost with a node has the save of a failure of one elsewhere, if anywhere: what has none is a risk of its own. */
function copiedOff({ inputs, levels }: ActionParts): PlanAction[] {
  if (systemOf(inputs.store).survives.includes('node')) return [];
  const { level: id } = levels.recoveries.find(({ failure }) => failure === 'node') ?? { level: null };
  const level = levels.levels.find((one) => one.id === id);
  if (level?.everySaves == null || level.id === 'shared-store') return [];
  const { everySaves, drainSeconds, failureShare } = level;
  return [{ id: 'copy-off', level: level.id, everySaves, drainSeconds, failureShare }];
}

function roomy({ quota }: ActionParts): PlanAction[] {
  return quota?.fullAfterSeconds == null ? [] : [{ id: 'room', fullAfterSeconds: quota.fullAfterSeconds }];
}

/** Less of the time is not worth a line. */
const leastRestoreShare = 0.0002;

function broadcast({ inputs, save, restore, levels, recommendation }: ActionParts): PlanAction[] {
  const { planned, broadcast: other } = restore;
  if (recommendation.restoreFactor < 1.5 || other.seconds >= planned.seconds) return [];
  const lostBy = (seconds: number) => slowRestoreShare(levels.recoveries, inputs, save, seconds);
  return lostBy(planned.seconds) - lostBy(other.seconds) < leastRestoreShare ? [] : [{ id: 'broadcast' }];
}

/** Whoever waits for storage may save in the background; whoever drains late copies may keep the last ones near the GPUs. */
function otherMode({ inputs, size, save, levels }: ActionParts): Gaining[] {
  const saveMode = inputs.saveMode === 'synchronous' ? 'asynchronous' : 'multi-level';
  if (settingsOf(inputs.framework)?.savesInBackground === false) return [];
  if (inputs.saveMode === 'multi-level' || (saveMode === 'multi-level' && save.topology.nodes < 2)) return [];
  const other: PlanInputs = { ...inputs, saveMode, stallSeconds: saveMode === 'asynchronous' ? null : inputs.stallSeconds };
  if (!fitsHost(other)) return [];
  const otherSave = savePlan(other, size, chooseBandwidth(other, size));
  const [lost, lostByOther] = [lostShareOf(inputs, save, levels), lostShareOfSave(other, size, otherSave)];
  const gainPerMonth =
    (dollarsPerSecond(inputs, save.writeBytesPerSecond, lost) -
      dollarsPerSecond(other, otherSave.writeBytesPerSecond, lostByOther)) *
    monthSeconds;
  const gainShare = lost - lostByOther;
  return gainPerMonth > 0 && gainShare >= leastGain ? [{ id: 'save-mode', saveMode, gainShare, gainPerMonth }] : [];
}

function failures(parts: ActionParts, given: Given): Gaining[] {
  const range = failureRange(parts, given);
  return range === null || range.lostShare < leastGain ? [] : [{ id: 'measure-failures', ...range }];
}

/** Where half of a restart or of a stall is worth a line: the stall not where another way of saving shortens it. */
function shorter({ inputs, sensitivity }: ActionParts): Gaining[] {
  const ids = { restart: 'shorten-restart', stall: 'shorten-stall' } as const;
  return sensitivity.inputs.flatMap(({ input, lostShareHalved }): Gaining[] => {
    const gainShare = sensitivity.lostShare - lostShareHalved;
    const isOpen = input === 'restart' || (input === 'stall' && inputs.saveMode !== 'synchronous');
    return isOpen && gainShare >= leastGain ? [{ id: ids[input], gainShare }] : [];
  });
}
