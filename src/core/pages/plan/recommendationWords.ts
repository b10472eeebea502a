/** A plan in two to five sentences. */
import type { Recommendation } from '../../planning/advice/recommendation.js';
import { wastedFactor } from '../../planning/saving/demand.js';
import type { PlanInputs } from '../../planning/inputs/planInputs.js';
import { slowestSold } from '../../planning/money/storageMoney.js';
import type { StoragePlan } from '../../planning/storagePlan.js';
import { levelName } from './levelWords.js';
import { counted, listed, percentsThatSum, shortRate, shortShare, shortTime } from '../../text/quantities.js';
import { shortDollars } from '../../text/dollars.js';
import { formatBytes, formatCount, shortNumber } from '../../text/units.js';
import type { PlanRisk } from './planSection.js';
import { inSteps } from './stepWords.js';

/** @param impossible what the plan cannot do, which stands above these sentences */
export function recommendationWords(plan: StoragePlan, impossible: readonly PlanRisk[]): string[] {
  return [
    ...(impossible.length === 0 ? [] : ['This plan cannot work as it is; what follows holds once that is changed.']),
    saveSentence(plan),
    ...jobsSentence(plan),
    ...boundSentence(plan),
    ...(impossible.length === 0 ? enoughSentence(plan) : []),
    ...betterSentence(plan),
    bandwidthSentence(plan),
    lossSentence(plan.recommendation),
    ...restoreSentence(plan),
  ];
}

function saveSentence(plan: StoragePlan): string {
  const { inputs, save, recommendation } = plan;
  const often = every(save.intervalSeconds, inputs);
  const rate = shortRate(save.writeBytesPerSecond);
  const store = levelName('shared-store', plan);
  if (recommendation.saveTo === 'shared-store')
    return `Save to ${store} at ${rate} ${often}; training waits ${shortTime(save.stallSeconds)} each time.`;
  const { storeEverySaves } = recommendation;
  const drained = storeEverySaves > 1 ? `drain one of ${counted(storeEverySaves, 'save')} to ${store}` : 'drain';
  return `Save to host memory ${often} and ${drained} at ${rate}.`;
}

/** What is at hand goes before what would be bought. */
function enoughSentence(plan: StoragePlan): string[] {
  const { guidance, save } = plan;
  const store = levelName('shared-store', plan);
  const own = guidance.verdicts.find(({ system }) => system.name === store);
  const isKnown = save.bandwidthBasis === 'given' || save.bandwidthBasis === 'objects';
  const isFast = save.region === 'good' || save.region === 'wasted';
  if (own === undefined || !own.isEnough || !isKnown || !isFast) return [];
  return [`No other storage has to be bought for this plan: ${own.system.name} is at hand and enough.`];
}

function every(seconds: number, inputs: PlanInputs): string {
  const steps = inSteps(seconds, inputs);
  return `every ${shortTime(seconds)}${steps === null ? '' : ` (${steps})`}`;
}

function jobsSentence({ inputs, save }: StoragePlan): string[] {
  if (inputs.jobs === 1) return [];
  return [
    `That is one of ${formatCount(inputs.jobs)} jobs: together they write ${shortRate(save.writeBytesPerSecond * inputs.jobs)}.`,
  ];
}

/** Why saves come sooner than failures alone ask for. */
function boundSentence({ save, inputs }: StoragePlan): string[] {
  const { intervalBasis, optimum } = save;
  const { acceptableLossSeconds, walltimeSeconds } = inputs;
  const byFailures = `by the failures alone ${shortTime(optimum.exact)} would do.`;
  if (intervalBasis === 'acceptable-loss' && acceptableLossSeconds !== null)
    return [`A failure may cost ${shortTime(acceptableLossSeconds)} of work; ${byFailures}`];
  if (intervalBasis === 'walltime' && walltimeSeconds !== null)
    return [`A job ends after ${shortTime(walltimeSeconds)}; ${byFailures}`];
  return [];
}

function betterSentence({ recommendation, save, inputs }: StoragePlan): string[] {
  const { better } = recommendation;
  if (better === null) return [];
  const { intervalSeconds, bytesPerSecond, gainShare } = better;
  const rate = save.bandwidthBasis === 'pays' ? ` at ${shortRate(bytesPerSecond)}` : '';
  const often = every(intervalSeconds, inputs);
  return [`Better: ${often}${rate}, which gives back ${shortShare(gainShare)} of the time.`];
}

function bandwidthSentence(plan: StoragePlan): string {
  const { recommendation, inputs, save } = plan;
  const { region, overlap, neededBytesPerSecond: needed } = recommendation;
  const own = save.writeBytesPerSecond;
  const target = shortShare(inputs.overlapTarget);
  if (save.bandwidthBasis === 'pays') return whatPays(plan);
  const whose = whoseWords[save.bandwidthBasis];
  if (own * 1.001 < needed && (region === 'slow' || region === 'impossible'))
    return `The ${shortRate(own)} ${whose} keep saves under way for ${shortShare(overlap)} of the time: ${shortRate(needed)} would keep that below ${target}.`;
  const more = whatTwiceBuys(recommendation);
  return own > needed * wastedFactor && !more.isWorth
    ? `${more.text}, and ${shortRate(needed)} is all that ${target} of overlap asks for.`
    : `${more.text}.`;
}

const whoseWords = {
  given: 'that there are',
  nodes: 'that the nodes carry',
  limit: 'that one account or file system takes',
  objects: 'that reach the object store',
} as const;

/** The bandwidth that the plan chose, in money. */
function whatPays({ save, frontier, inputs, recommendation }: StoragePlan): string {
  const rate = shortRate(save.writeBytesPerSecond);
  if (save.writeBytesPerSecond <= slowestSold) return `Any shared storage is fast enough: ${rate} is a line of 1 Gb/s.`;
  const { planned, twice, worthGpus } = frontier;
  const worth = `as much as ${shortNumber(worthGpus)} of the ${formatCount(inputs.gpus)} GPUs`;
  const more =
    twice.bytesPerSecond === planned.bytesPerSecond
      ? 'the nodes that write carry little more'
      : `more would cost more than the GPU time that it saves: twice as much gives back ${shortShare(recommendation.twiceTheBandwidth.gainShare)} of the time`;
  return `That bandwidth costs about ${shortDollars(planned.storagePerMonth)} a month, ${worth}; ${more}.`;
}

function whatTwiceBuys({ twiceTheBandwidth }: Recommendation): { text: string; isWorth: boolean } {
  const { gainShare, gainPerMonth, costPerMonth } = twiceTheBandwidth;
  const isWorth = gainPerMonth > costPerMonth;
  const gives = `wice the bandwidth gives back ${shortShare(gainShare)} of the time, ${shortDollars(gainPerMonth)} of GPU time a month`;
  // Of objects and of the nodes' own drives.
  if (costPerMonth === 0)
    return {
      text:
        gainShare < leastGainShare
          ? 'More bandwidth would give back next to nothing'
          : `T${gives}; bandwidth alone is not sold here`,
      isWorth,
    };
  const buys = `t${gives}, for about ${shortDollars(costPerMonth)}`;
  return { text: `Faster storage would ${isWorth ? 'pay' : 'not pay'}: ${buys}`, isWorth };
}

/** Less of the time is not worth a digit. */
const leastGainShare = 0.0005;

/** All that is lost, as `sensitivity` has it: the plan has one such number. */
function lossSentence(recommendation: Recommendation): string {
  const { savingAndRepeatedShare, restartingShare, lateCopiesShare } = recommendation;
  const all = savingAndRepeatedShare + restartingShare + lateCopiesShare;
  if (all < 0.001) return `Only ${shortShare(all)} of the time is lost to saving, repeated work and restarting.`;
  const parts = [
    { share: savingAndRepeatedShare, name: 'saving and repeated work' },
    { share: restartingShare, name: 'restarting' },
    ...(lateCopiesShare < leastLateCopies ? [] : [{ share: lateCopiesShare, name: 'copies that are late' }]),
  ];
  const percents = all < 0.02 ? parts.map(({ share }) => shortShare(share)) : percentsThatSum(parts.map(({ share }) => share));
  return `Of the ${shortShare(all)} that is lost, ${listed(parts.map(({ name }, index) => `${percents[index] ?? '0'} is ${name}`))}.`;
}

/** Less has no digit beside percentages with one decimal. */
const leastLateCopies = 0.0005;

function restoreSentence({ recommendation, restore, size, inputs }: StoragePlan): string[] {
  const { restoreFactor } = recommendation;
  const { planned, broadcast } = restore;
  if (restoreFactor < 1.5 || broadcast.seconds >= planned.seconds) return [];
  const isCountedOn = planned.seconds > inputs.restartSeconds ? '; what is lost counts on that' : '';
  return [
    `Restore by letting one replica read and broadcast: ${formatBytes(size.checkpointBytes)} in ${shortTime(broadcast.seconds)} instead of ${shortNumber(restoreFactor)} times as much in ${shortTime(planned.seconds)}${isCountedOn}.`,
  ];
}
