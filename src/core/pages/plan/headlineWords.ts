/** The decision of a plan in one sentence: how often, where to, at what bandwidth, and what that keeps. */
import { isOfInterval } from '../../planning/advice/feasibility.js';
import { slowestSold } from '../../planning/money/storageMoney.js';
import { jobEndSeconds } from '../../planning/saving/jobEnd.js';
import type { StoragePlan } from '../../planning/storagePlan.js';
import { ordinal } from '../../text/ordinal.js';
import { shortRate, shortShare, shortTime } from '../../text/quantities.js';
import { formatCount } from '../../text/units.js';
import { blockerWords } from './blockerWords.js';
import { comesWithRoom } from './bandwidthWords.js';
import { levelName } from './levelWords.js';
import { inSteps } from './stepWords.js';

export function headlineWords(plan: StoragePlan): string {
  const blocker = plan.blockers.find((one) => !isOfInterval(one));
  if (blocker !== undefined) return `This plan cannot work as it is: ${blockerWords(blocker, plan).title}.`;
  return endsFirst(plan) ?? `Save ${howOften(plan)} ${where(plan)}${whatItKeeps(plan)}${untilFull(plan)}.`;
}

/** Of jobs that are over before they train, at what the plan assumes of their start; null elsewhere. */
function endsFirst({ inputs, save, levels }: StoragePlan): string | null {
  const { walltimeSeconds } = inputs;
  const neededSeconds = jobEndSeconds(inputs, save, levels.storeReadSeconds);
  if (walltimeSeconds === null || neededSeconds < walltimeSeconds) return null;
  const { restartSeconds } = inputs;
  const needs =
    restartSeconds < walltimeSeconds
      ? `to start, to read a save back and to save at its end takes ${shortTime(neededSeconds)}`
      : `to start again takes ${shortTime(restartSeconds)}`;
  return `A job of ${shortTime(walltimeSeconds)} trains nothing: ${needs}.`;
}

/** Where the room that there is does not last for the run. */
function untilFull({ advised, quota: own }: StoragePlan): string {
  const quota = advised === null ? own : advised.quota;
  if (quota?.fullAfterSeconds == null) return '';
  const { keptThatFit, fullAfterSeconds } = quota;
  const remedy =
    keptThatFit === null ? '' : `: keep ${keptThatFit === 1 ? 'the newest alone' : `the last ${formatCount(keptThatFit)}`}`;
  return `; the room is full after ${shortTime(fullAfterSeconds)}${remedy}`;
}

/** `every 300 steps (2.2 hours), not every 1,000 steps,`. */
function howOften(plan: StoragePlan): string {
  const { inputs, save, recommendation } = plan;
  const wanted = everyWords(recommendation.wanted.intervalSeconds, plan);
  if (recommendation.better === null) return wanted;
  return `${wanted}, not every ${inSteps(save.intervalSeconds, inputs) ?? shortTime(save.intervalSeconds)},`;
}

/** `every 300 steps (2.2 hours)`. */
export function everyWords(seconds: number, { inputs }: Pick<StoragePlan, 'inputs'>): string {
  const steps = inSteps(seconds, inputs);
  return steps === null ? `every ${shortTime(seconds)}` : `every ${steps} (${shortTime(seconds)})`;
}

function where(plan: StoragePlan): string {
  const store = levelName('shared-store', plan);
  const { saveMode } = plan.inputs;
  if (saveMode === 'synchronous') return `to ${store} while training waits`;
  const every = plan.recommendation.storeEverySaves;
  if (saveMode === 'asynchronous' || every === 1) return `to ${store}`;
  return `near the GPUs, every ${ordinal(every)} to ${store}`;
}

/** The bandwidth, and the goodput that it keeps. */
function whatItKeeps(plan: StoragePlan): string {
  const { save, recommendation } = plan;
  const { bytesPerSecond, trainingShare } = recommendation.wanted;
  const rate = shortRate(bytesPerSecond);
  const keeps = `keeps ${trainingShare < poorGoodput ? 'only ' : ''}${shortShare(trainingShare)} goodput`;
  if (save.bandwidthBasis === 'given')
    return `: your ${plan.inputs.jobs === 1 ? '' : 'share of '}${rate} ${ofGivenRate(keeps, plan)}`;
  if (save.bandwidthBasis !== 'pays') return ` at ${rate}: ${keeps}`;
  if (comesWithRoom(plan)) return `: the ${rate} that come with your room are enough, ${keeps}`;
  return bytesPerSecond <= slowestSold ? `: any shared storage is fast enough, ${keeps}` : `: needs ${rate}, ${keeps}`;
}

/** Less is said with the word only. */
const poorGoodput = 0.8;

function ofGivenRate(keeps: string, { frontier, recommendation, inputs }: StoragePlan): string {
  const { cheaper, planned } = frontier;
  const { region, overlap } = recommendation.wanted;
  if (cheaper !== null && cheaper.bytesPerSecond > planned.bytesPerSecond)
    return `${keeps}, ${shortRate(cheaper.bytesPerSecond)} would pay`;
  const isSlow = region === 'slow' && inputs.saveMode === 'asynchronous';
  return isSlow ? `${keeps}, with saves under way for ${shortShare(overlap)} of the time` : `is enough, ${keeps}`;
}
