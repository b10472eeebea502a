/** What a plan loses, or may lose, by cause, so that the worst can be removed first. */
import type { EmergencyPlan } from '../saving/emergency.js';
import { goodput } from '../saving/interval.js';
import { smallJobFactor } from '../saving/failureRates.js';
import type { IntervalStudy } from '../saving/intervalStudy.js';
import { slowRestoreShare } from '../saving/levels.js';
import { withReclaims } from '../saving/savePlan.js';
import type { FailureClass } from '../systems/storageSystem.js';
import type { PlanParts } from './feasibility.js';
import { isAnyGiven, isMtbfGiven, isRateGiven, isStallGiven, type Given } from './given.js';
import { leastGain } from './recommendation.js';
import { lostShareOf } from '../saving/lostShare.js';

export type RiskCause =
  /** The interval is not the best one. */
  | { id: 'interval'; bestIntervalSeconds: number }
  /** Reading takes longer than the restart that the plan assumes. */
  | { id: 'slow-restore'; readSeconds: number; broadcastSeconds: number }
  | { id: 'restart'; restartSeconds: number }
  /** Standing still for saves and repeating work: both go with the root of the stall. */
  | { id: 'stall'; gainOfHalfShare: number }
  /** Saves under way, and deeper levels that are older. */
  | { id: 'late-copies'; drainLossShare: number }
  /** Nothing survives a failure of this class. */
  | { id: 'no-copy'; failure: FailureClass; secondsBetween: number }
  /** The failure rate is that of other clusters. */
  | { id: 'unknown-failures'; factor: number; goodput: number }
  /** A warning comes too late for a save. */
  | { id: 'no-emergency-save'; neededSeconds: number; lostSeconds: number };

export type Risk = RiskCause & {
  /** Of all GPU time of the run, lost or expected to be. */
  lostShare: number;
};

export interface RiskPlan {
  /** All, the worst first. */
  risks: Risk[];
  /** GPU time of the run. */
  gpuSeconds: number;
}

type RiskParts = PlanParts & { study: IntervalStudy; emergency: EmergencyPlan };

/** Less of the run is not worth removing; what would take all of it is, however rare. */
const leastRiskShare = 0.0005;

/** @param given the inputs that are set: what rests on a value that the plan chose or assumed itself is no risk, but an input to give */
export function riskPlan(parts: RiskParts, given: Given): RiskPlan {
  const { inputs } = parts;
  const risks = [
    ...intervalRisk(parts),
    ...restoreRisk(parts),
    ...timeRisks(parts, given),
    ...copyRisks(parts, given),
    ...failureRisk(parts, given),
    ...emergencyRisk(parts),
  ].filter(({ id, lostShare }) => lostShare >= (id === 'no-copy' ? Number.MIN_VALUE : leastRiskShare));
  return { risks: risks.sort((a, b) => b.lostShare - a.lostShare), gpuSeconds: inputs.gpus * inputs.runSeconds };
}

function intervalRisk({ study, save }: RiskParts): Risk[] {
  if (save.intervalBasis !== 'given') return [];
  const lostShare = study.best.goodput - study.planned.goodput;
  // As little as no other interval is advised for.
  return lostShare < leastGain ? [] : [{ id: 'interval', bestIntervalSeconds: study.best.intervalSeconds, lostShare }];
}

/** By the way that the framework takes unless it is set to another. */
function restoreRisk({ inputs, save, restore, levels }: RiskParts): Risk[] {
  // A bandwidth that the plan chose is no risk of it.
  if (inputs.readBytesPerSecond === null && inputs.writeBytesPerSecond === null) return [];
  const { planned, broadcast } = restore;
  const ofStore = levels.recoveries.filter(({ level }) => level === 'shared-store');
  const excessSeconds = Math.max(0, levels.storeReadSeconds - inputs.restartSeconds);
  const atEnds = inputs.walltimeSeconds === null ? 0 : save.shares.training * Math.min(1, excessSeconds / inputs.walltimeSeconds);
  const lostShare = Math.min(1, slowRestoreShare(ofStore, inputs, save, planned.seconds) + atEnds);
  return [{ id: 'slow-restore', readSeconds: planned.seconds, broadcastSeconds: broadcast.seconds, lostShare }];
}

function timeRisks({ inputs, save, study }: RiskParts, given: Given): Risk[] {
  const { stalled, repeated, restarting } = save.shares;
  // What a wrong interval costs is a risk of its own.
  const ofInterval = study.best.goodput - study.planned.goodput;
  const restart: Risk = { id: 'restart', restartSeconds: inputs.restartSeconds, lostShare: restarting };
  const stall: Risk = {
    id: 'stall',
    gainOfHalfShare: study.halfTheStall.goodput - study.best.goodput,
    lostShare: stalled + repeated - Math.max(0, ofInterval),
  };
  return [...(isAnyGiven(given, 'restartSeconds') ? [restart] : []), ...(isStallGiven(given, save) ? [stall] : [])];
}

function copyRisks({ inputs, save, levels }: RiskParts, given: Given): Risk[] {
  const missing = levels.recoveries.flatMap(({ failure, level, secondsBetween }): Risk[] =>
    level === null && Number.isFinite(secondsBetween) && isPlaceGiven(failure, given)
      ? [{ id: 'no-copy', failure, secondsBetween, lostShare: expectedLossOfRun(inputs.runSeconds / secondsBetween) }]
      : [],
  );
  if (!isRateGiven(given, save)) return missing;
  return [...missing, { id: 'late-copies', drainLossShare: levels.drainLossShare, lostShare: levels.furtherLossShare }];
}

/** Whether it is set where copies are; of the loss of the site, which no job makes more frequent, how often it comes as well. */
function isPlaceGiven(failure: FailureClass, given: Given): boolean {
  if (failure !== 'site') return isAnyGiven(given, 'store');
  return isAnyGiven(given, 'objectStore') && isAnyGiven(given, 'siteFailureShare');
}

/** A failure that takes all of a run comes with 1 − e^−n, and then takes half of it on average. */
function expectedLossOfRun(failuresOfRun: number): number {
  return -Math.expm1(-failuresOfRun) / 2;
}

/** Of a rate that is set, and that small jobs exceed. One that is assumed is asked for, see `actions`. */
function failureRisk(parts: RiskParts, given: Given): Risk[] {
  const range = isMtbfGiven(given) ? failureRange(parts, given) : null;
  return range === null ? [] : [{ id: 'unknown-failures', ...range }];
}

/** What more failures than the plan counts with would cost; null where nothing speaks for them. */
export function failureRange(
  { inputs, save, study, levels }: Pick<RiskParts, 'inputs' | 'save' | 'study' | 'levels'>,
  given: Given,
): { factor: number; goodput: number; lostShare: number } | null {
  const isGiven = isMtbfGiven(given);
  if (isGiven && !study.isScalingOptimistic) return null;
  const factor = Math.max(isGiven ? 1 : 2, study.isScalingOptimistic ? smallJobFactor(inputs.gpus) : 1);
  const failureSeconds = save.failureSeconds / factor;
  const mtbfSeconds = save.isWarned ? failureSeconds : withReclaims(failureSeconds, inputs.reclaimSeconds);
  const costs = { ...study.costs, mtbfSeconds };
  const lostShare = Math.max(0, study.planned.goodput - goodput(save.intervalSeconds, costs));
  // What is lost besides, to late copies and to jobs that end, stays.
  return { factor, goodput: Math.max(0, 1 - lostShareOf(inputs, save, levels) - lostShare), lostShare };
}

function emergencyRisk({ emergency, save, inputs }: RiskParts): Risk[] {
  const { best } = emergency;
  // Bandwidth that is not given is no risk: the answer says how much an emergency save needs.
  // Nor are warnings where machines are not taken back.
  if (best.fits || save.bandwidthBasis !== 'given' || inputs.reclaimSeconds === null) return [];
  const lostSeconds = save.intervalSeconds / 2;
  return [
    {
      id: 'no-emergency-save',
      neededSeconds: best.neededSeconds,
      lostSeconds,
      lostShare: Math.min(1, lostSeconds / inputs.reclaimSeconds),
    },
  ];
}
