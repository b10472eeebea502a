/** What to do, in words: a title that says it, why, and lines to paste. */
import type { PlanAction } from '../../planning/advice/actions.js';
import type { StoragePlan } from '../../planning/storagePlan.js';
import { capitalized } from '../../text/capitalized.js';
import { shortDollars } from '../../text/dollars.js';
import { eachOf, shortRate, shortShare, shortTime } from '../../text/quantities.js';
import { formatBytes, formatCount, shortNumber } from '../../text/units.js';
import { warningFor } from '../../planning/saving/gracePeriod.js';
import { checkCode, checkRule } from './checkCommand.js';
import { blockerWords } from './blockerWords.js';
import { everyWords } from './headlineWords.js';
import { noneFaster } from './keyNumbers.js';
import { keepWords } from './keepWords.js';
import { comesWithRoom } from './bandwidthWords.js';
import { levelName } from './levelWords.js';
import type { PlanStep } from './planSection.js';
import { momentWords, roomWords } from './sections/quotaWords.js';
import { inSteps } from './stepWords.js';

/** @param nowMs when the run begins; null without a clock */
export function actionWords(action: PlanAction, plan: StoragePlan, nowMs: number | null): PlanStep {
  return { id: action.id, ...words(action, plan, nowMs) };
}

type Words = Omit<PlanStep, 'id'>;

function words(action: PlanAction, plan: StoragePlan, nowMs: number | null): Words {
  switch (action.id) {
    case 'unblock':
      return unblock(action.blocker, plan);
    case 'interval':
      return interval(plan);
    case 'provide':
      return provide(action.bytesPerSecond, plan);
    case 'other-bandwidth':
      return otherBandwidth(action, plan);
    case 'job-end':
      return jobEnd(action.neededSeconds, plan);
    case 'warning':
      return warning(action, plan);
    case 'copy-off':
      return copyOff(action, plan);
    case 'room':
      return room(action.fullAfterSeconds, plan, nowMs);
    case 'broadcast':
      return broadcast(plan);
    case 'save-mode':
      return saveMode(action);
    case 'shorten-restart':
    case 'shorten-stall':
      return shorter(action, plan);
    case 'measure-failures':
      return failures(action, plan);
    case 'ask-price':
      return {
        title: `Ask what ${shortRate(action.bytesPerSecond)} would cost`,
        text: `It gives back ${shortDollars(action.gainPerMonth)} of GPU time a month. No price of bandwidth is known for this storage: enter it to have both weighed.`,
      };
    case 'keep-bandwidth':
      return keepBandwidth(plan);
    case 'measure-bandwidth':
      return {
        title: `Check that ${levelName('shared-store', plan)} takes ${shortRate(plan.save.writeBytesPerSecond)}`,
        text: `It has not been measured.${checkRule(plan)}`,
        ...checkCode(plan),
      };
  }
}

function unblock(index: number, plan: StoragePlan): Words {
  const blocker = plan.blockers[index];
  if (blocker === undefined) return { title: '', text: '' };
  const { title, advice } = blockerWords(blocker, plan);
  return { title: `Unblock: ${title.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`, text: advice };
}

const modeWords = {
  synchronous: 'Training waits for each save',
  asynchronous: 'In the background',
  'multi-level': 'Near the GPUs first',
} as const;

function interval(plan: StoragePlan): Words {
  const { inputs, settings, recommendation } = plan;
  const seconds = recommendation.wanted.intervalSeconds;
  const lacking = (has: boolean | undefined): string =>
    has === false ? `, which ${settings?.framework ?? ''} has no setting for` : '';
  const mode = `${modeWords[inputs.saveMode]}${lacking(settings?.savesInBackground)}`;
  const keep = `${keepWords(plan)}${lacking(settings?.deletes && settings.keepsEvery)}`;
  const isInSteps = inSteps(seconds, inputs) !== null;
  const missing = [...(settings === null ? ['the framework'] : []), ...(isInSteps ? [] : ['the time of a step'])];
  const dropped =
    inputs.intervalSteps !== null && !isInSteps
      ? ` Your ${formatCount(inputs.intervalSteps)} steps count once that is known.`
      : '';
  const hint = missing.length === 0 ? '' : ` Enter ${missing.join(' and ')} to have the lines to paste.`;
  return {
    title: `Save ${everyWords(seconds, plan)}`,
    text: `${mode}; ${keep}.${hint}${dropped}`,
    ...(settings === null || !isInSteps ? {} : { code: { language: settings.language, text: settings.text } }),
  };
}

function provide(bytesPerSecond: number, plan: StoragePlan): Words {
  const { save, inputs } = plan;
  const node = shortRate(bytesPerSecond / save.writers.writingNodes);
  const each = eachOf(save.writers.writingNodes, 'node that writes', 'nodes that write');
  const ofJobs = inputs.jobs === 1 ? '' : ` for each of ${formatCount(inputs.jobs)} jobs`;
  const rate = `${shortRate(bytesPerSecond)} on ${levelName('shared-store', plan)}${ofJobs}`;
  return {
    title: comesWithRoom(plan) ? `Check that the room brings ${rate}` : `Provide ${rate}, and check it`,
    text: `${node} from ${each}: a save then takes ${shortTime(save.saveSeconds)}. More would cost more than the GPU time that it saves.${checkRule(plan)}`,
    ...checkCode(plan),
  };
}

function otherBandwidth({ other }: Extract<PlanAction, { id: 'other-bandwidth' }>, { frontier }: StoragePlan): Words {
  const { planned } = frontier;
  const rate = shortRate(other.bytesPerSecond);
  const lost = shortDollars(Math.abs(planned.lostPerMonth - other.lostPerMonth));
  const paid = shortDollars(Math.abs(other.storagePerMonth - planned.storagePerMonth));
  return other.bytesPerSecond > planned.bytesPerSecond
    ? {
        title: `Buy storage of ${rate}`,
        text: `It costs ${paid} more a month and gives back ${lost} of GPU time: ${shortShare(other.trainingShare)} goodput instead of ${shortShare(planned.trainingShare)}.`,
      }
    : {
        title: `Pay for ${rate} alone`,
        text: `That is ${paid} less a month, and loses ${lost} of GPU time: ${shortShare(other.trainingShare)} goodput instead of ${shortShare(planned.trainingShare)}.`,
      };
}

/** The longest warning that `sbatch --signal` takes. */
const longestSignalSeconds = 65_535;

function jobEnd(neededSeconds: number, { inputs, levels }: StoragePlan): Words {
  const seconds = Math.min(longestSignalSeconds, Math.ceil(warningFor(neededSeconds) / 10) * 10);
  return {
    title: 'Save before each job ends',
    text: `A job ends after ${shortTime(inputs.walltimeSeconds ?? 0)}, and its last save takes ${shortTime(neededSeconds)}; the next one reads it in ${shortTime(levels.storeReadSeconds)}. Slurm then signals what srun has started: have the trainer save on it, as what is trained after the last save is trained again.`,
    code: { language: 'bash', text: `#SBATCH --signal=USR1@${seconds}` },
  };
}

function warning({ fits, isAssumed, neededSeconds }: Extract<PlanAction, { id: 'warning' }>, plan: StoragePlan): Words {
  const { inputs, emergency } = plan;
  const takes = `A save takes ${shortTime(neededSeconds)}`;
  const tooFew = neededSeconds <= inputs.graceSeconds ? ', too few to notice the warning and finish a step' : '';
  const every = `A machine is taken back every ${shortTime(inputs.reclaimSeconds ?? 0)}.`;
  if (fits)
    return {
      title: 'Save when a machine’s warning comes',
      text: `${every} ${takes} of the ${shortTime(inputs.graceSeconds)} that there are: only the restart is lost. Have the trainer save on the signal${isAssumed ? `, and check the ${shortRate(plan.save.writeBytesPerSecond)} first: it is assumed` : ''}.`,
    };
  const needed = emergency.neededBytesPerSecond;
  const remedies = [
    ...(inputs.saveMode !== 'multi-level' && plan.save.topology.nodes > 1
      ? ['keep the last saves in a neighbour’s memory (multi-level)']
      : []),
    needed === null ? 'ask for a longer warning' : `provide ${shortRate(needed)}`,
  ];
  const remedy = `${capitalized(remedies.join(', or '))}.`;
  return {
    title: 'Make a save fit into a machine’s warning',
    text: `${every} ${takes}, and there are ${shortTime(inputs.graceSeconds)}${tooFew}: work since the last save is lost. ${remedy}`,
  };
}

function copyOff(action: Extract<PlanAction, { id: 'copy-off' }>, plan: StoragePlan): Words {
  const { level, everySaves, drainSeconds, failureShare } = action;
  const which = everySaves === 1 ? 'each save' : `every ${formatCount(everySaves)} saves`;
  return {
    title: `Copy ${which} to ${levelName(level, plan)}`,
    text: `${levelName('shared-store', plan)} is lost with its node: after ${shortShare(failureShare)} of failures training goes on from the copy. It takes ${shortTime(drainSeconds)}, in the background.`,
  };
}

function room(seconds: number, plan: StoragePlan, nowMs: number | null): Words {
  const { quota } = plan;
  return {
    title: roomTitle(quota?.keptThatFit ?? null, plan.retention.kept.forever + plan.retention.kept.exports > 0),
    text: `${quota === null ? 'The storage' : roomWords(quota)} is full at ${momentWords(seconds, plan, nowMs)}.`,
  };
}

/** @param keptThatFit null where not even one of the newest fits */
function roomTitle(keptThatFit: number | null, staysForever: boolean): string {
  if (keptThatFit === null) return staysForever ? 'Keep fewer for ever, or get more room' : 'Get more room';
  return `Keep ${keptThatFit === 1 ? 'the newest alone' : `the last ${formatCount(keptThatFit)}`}, or get more room`;
}

function broadcast({ restore, size, recommendation }: StoragePlan): Words {
  const { planned, broadcast: other } = restore;
  return {
    title: 'Restore by one replica that reads and broadcasts',
    text: `${formatBytes(size.checkpointBytes)} in ${shortTime(other.seconds)} instead of ${shortNumber(recommendation.restoreFactor)} times as much in ${shortTime(planned.seconds)}; what is lost counts on that.`,
  };
}

function saveMode({ saveMode: mode, gainShare, gainPerMonth }: Extract<PlanAction, { id: 'save-mode' }>): Words {
  const gain = `gives back ${shortShare(gainShare)} of the time, ${shortDollars(gainPerMonth)} a month.`;
  return mode === 'asynchronous'
    ? { title: 'Save in the background', text: `Training then waits for the copy to host memory alone, which ${gain}` }
    : { title: 'Keep the last saves near the GPUs', text: `Memory of a neighbour first, then storage (multi-level), ${gain}` };
}

function failures({ factor, goodput }: Extract<PlanAction, { id: 'measure-failures' }>, plan: StoragePlan): Words {
  const many = `With ${shortNumber(factor, 2)} times as many${factor === 2 ? '' : ', after what Meta measured at 1,024 GPUs'}`;
  return {
    title: 'Enter how often jobs fail on this cluster',
    text: `A failure every ${shortTime(plan.save.failureSeconds)} is assumed, as published of another one. ${many}, ${shortShare(goodput)} of the time would train.`,
  };
}

function shorter({ id, gainShare }: Extract<PlanAction, { gainShare: number }>, { inputs, save }: StoragePlan): Words {
  const gain = `Half of it gives back ${shortShare(gainShare)} of the time.`;
  return id === 'shorten-restart'
    ? {
        title: `Shorten the restart of ${shortTime(inputs.restartSeconds)}`,
        text: `${gain} Keep spare nodes, detect hangs early, restore from a level near the GPUs.`,
      }
    : {
        title: `Shorten the stall of ${shortTime(save.stallSeconds)}`,
        text: `${gain} Copy to pinned host memory, in parts between the steps.`,
      };
}

function keepBandwidth({ recommendation, frontier, save }: StoragePlan): Words {
  const { gainShare, gainPerMonth, costPerMonth } = recommendation.twiceTheBandwidth;
  const isOffered = frontier.twice.bytesPerSecond !== frontier.planned.bytesPerSecond;
  return {
    title: 'Buy no faster storage for this job',
    text: isOffered
      ? `Twice the bandwidth gains ${shortShare(gainShare)} goodput, ${shortDollars(gainPerMonth)} of GPU time a month${costPerMonth > 0 ? `, for ${shortDollars(costPerMonth)}` : ''}.`
      : `${capitalized(noneFaster(save.bandwidthBasis))}.`,
  };
}
