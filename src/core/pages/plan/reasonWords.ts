/** Why a plan decides as it does, in one to six sentences. */
import type { Recommendation } from '../../planning/advice/recommendation.js';
import { slowestSold } from '../../planning/money/storageMoney.js';
import { wastedFactor } from '../../planning/saving/demand.js';
import type { StoragePlan } from '../../planning/storagePlan.js';
import { shortDollars } from '../../text/dollars.js';
import { listed, shortRate, shortShare, shortTime } from '../../text/quantities.js';
import { formatBytes, formatCount, shortNumber } from '../../text/units.js';
import { everyWords } from './headlineWords.js';
import { gpusWords, leastLostShare, lostParts } from './keyNumbers.js';
import { levelName } from './levelWords.js';

export function reasonWords(plan: StoragePlan): string[] {
  const advised = plan.advised ?? plan;
  return [
    ...waitSentence(plan),
    ...jobsSentence(plan),
    ...boundSentence(plan),
    ...(plan.blockers.length === 0 ? enoughSentence(advised) : []),
    ...betterSentence(plan),
    bandwidthSentence(advised),
    lossSentence(advised),
    ...restoreSentence(advised),
  ];
}

function waitSentence({ inputs, save }: StoragePlan): string[] {
  return inputs.saveMode === 'synchronous' ? [`Training waits ${shortTime(save.stallSeconds)} for each save.`] : [];
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
  if (intervalBasis === 'run') return [`Five saves of a run are there to go back to at least; ${byFailures}`];
  return [];
}

function betterSentence(plan: StoragePlan): string[] {
  const { recommendation, save } = plan;
  const { better } = recommendation;
  if (better === null) return [];
  const { intervalSeconds, bytesPerSecond, gainShare } = better;
  const rate = save.bandwidthBasis === 'pays' ? ` at ${shortRate(bytesPerSecond)}` : '';
  const given = everyWords(save.intervalSeconds, plan);
  return [
    `Saving ${everyWords(intervalSeconds, plan)}${rate} gives back ${shortShare(gainShare)} of the time, against ${given}.`,
  ];
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
function whatPays(plan: StoragePlan): string {
  const { save, frontier, recommendation } = plan;
  const rate = shortRate(save.writeBytesPerSecond);
  if (save.writeBytesPerSecond <= slowestSold) return `Any shared storage is fast enough: ${rate} is a line of 1 Gb/s.`;
  const { planned, twice } = frontier;
  const more =
    twice.bytesPerSecond === planned.bytesPerSecond
      ? 'the nodes that write carry little more'
      : `more would cost more than the GPU time that it saves: twice as much gives back ${shortShare(recommendation.twiceTheBandwidth.gainShare)} of the time`;
  return `That bandwidth costs about ${shortDollars(planned.storagePerMonth)} a month, ${gpusWords(plan)}; ${more}.`;
}

function whatTwiceBuys({ twiceTheBandwidth }: Recommendation): { text: string; isWorth: boolean } {
  const { gainShare, gainPerMonth, costPerMonth } = twiceTheBandwidth;
  const isWorth = gainPerMonth > costPerMonth;
  const gives = `wice the bandwidth gives back ${shortShare(gainShare)} of the time, ${shortDollars(gainPerMonth)} of GPU time a month`;
  // Of objects and of the nodes' own drives.
  if (costPerMonth === 0)
    return {
      text:
        gainShare < leastGainShare ? 'More bandwidth would give back next to nothing' : `T${gives}; no price of it is known here`,
      isWorth,
    };
  const buys = `t${gives}, for about ${shortDollars(costPerMonth)}`;
  return { text: `Faster storage would ${isWorth ? 'pay' : 'not pay'}: ${buys}`, isWorth };
}

/** Less of the time is not worth a digit. */
const leastGainShare = 0.0005;

/** All that is lost, as `sensitivity` has it: the plan has one such number. */
function lossSentence({ recommendation }: StoragePlan): string {
  const { savingAndRepeatedShare, restartingShare, lateCopiesShare } = recommendation;
  const all = savingAndRepeatedShare + restartingShare + lateCopiesShare;
  if (all < leastLostShare) return `Only ${shortShare(all)} of the time is lost to saving, repeated work and restarting.`;
  const parts = lostParts(recommendation).map(({ name, words }) => `${words} is ${name}`);
  return `Of the ${shortShare(all)} that is lost, ${listed(parts)}.`;
}

function restoreSentence({ recommendation, restore, size, inputs }: StoragePlan): string[] {
  const { restoreFactor } = recommendation;
  const { planned, broadcast } = restore;
  if (restoreFactor < 1.5 || broadcast.seconds >= planned.seconds) return [];
  const isCountedOn = planned.seconds > inputs.restartSeconds ? '; what is lost counts on that' : '';
  return [
    `Restore by letting one replica read and broadcast: ${formatBytes(size.checkpointBytes)} in ${shortTime(broadcast.seconds)} instead of ${shortNumber(restoreFactor)} times as much in ${shortTime(planned.seconds)}${isCountedOn}.`,
  ];
}
