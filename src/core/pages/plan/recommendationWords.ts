/** A plan in two to five sentences. */
import type { Recommendation } from '../../planning/advice/recommendation.js';
import { wastedFactor } from '../../planning/saving/demand.js';
import type { StoragePlan } from '../../planning/storagePlan.js';
import { levelName } from './levelWords.js';
import { counted, listed, percentsThatSum, shortRate, shortShare, shortTime } from '../../text/quantities.js';
import { formatBytes, shortNumber } from '../../text/units.js';
import type { PlanRisk } from './planSection.js';
import { inSteps } from './stepWords.js';

/** @param impossible what the plan cannot do, which stands above these sentences */
export function recommendationWords(plan: StoragePlan, impossible: readonly PlanRisk[]): string[] {
  const { recommendation } = plan;
  return [
    ...(impossible.length === 0 ? [] : ['This plan cannot work as it is; what follows holds once that is changed.']),
    saveSentence(plan),
    bandwidthSentence(plan),
    lossSentence(recommendation),
    ...frugalSentence(plan),
    ...restoreSentence(plan),
  ].slice(0, 5);
}

function saveSentence(plan: StoragePlan): string {
  const { inputs, save, recommendation } = plan;
  const { saveTo, intervalSeconds, worseIntervalSeconds, storeEverySaves, neededBytesPerSecond, givenBytesPerSecond } =
    recommendation;
  const time = (seconds: number): string => {
    const steps = inSteps(seconds, inputs);
    return `every ${shortTime(seconds)}${steps === null ? '' : ` (${steps})`}`;
  };
  const often = `${time(intervalSeconds)}${worseIntervalSeconds === null ? '' : ` instead of ${time(worseIntervalSeconds)}`}`;
  const rate = shortRate(givenBytesPerSecond ?? neededBytesPerSecond);
  if (saveTo === 'shared-store')
    return `Save to ${levelName('shared-store', inputs)} at ${rate} ${often}; training waits ${shortTime(save.stallSeconds)} each time.`;
  const drained =
    storeEverySaves > 1 ? `drain one of ${counted(storeEverySaves, 'save')} to ${levelName('shared-store', inputs)}` : 'drain';
  return `Save to host memory ${often} and ${drained} at ${rate}.`;
}

/** Less than this of the time is almost nothing. */
const leastGain = 0.005;

function bandwidthSentence({ recommendation, inputs, save }: StoragePlan): string {
  const {
    region,
    givenBytesPerSecond: given,
    neededBytesPerSecond: needed,
    twiceTheBandwidthShare: gain,
    overlap,
  } = recommendation;
  const target = shortShare(inputs.overlapTarget);
  if (given !== null && given * 1.001 < needed && (region === 'slow' || region === 'impossible'))
    return `The ${shortRate(given)} that there are keep saves under way for ${shortShare(overlap)} of the time: ${shortRate(needed)} would keep that below ${target}.`;
  if (save.bandwidthBasis === 'pays')
    return `More bandwidth would cost more than the GPU time that it saves: twice as much gives back ${shortShare(gain)} of the time.`;
  const buys =
    gain < leastGain
      ? `Faster storage would buy almost nothing: twice the bandwidth gives back ${shortShare(gain)} of the time`
      : `Faster storage would pay: twice the bandwidth gives back ${shortShare(gain)} of the time`;
  if (gain < leastGain && given !== null && given > needed * wastedFactor)
    return `${buys}, and ${shortRate(needed)} is all that ${target} of overlap asks for.`;
  return `${buys}.`;
}

/** All that is lost, as `sensitivity` has it: the plan has one such number. */
function lossSentence(recommendation: Recommendation): string {
  const { savingAndRepeatedShare, restartingShare, lateCopiesShare, worseIntervalSeconds } = recommendation;
  const all = savingAndRepeatedShare + restartingShare + lateCopiesShare;
  const now = worseIntervalSeconds === null ? '' : ' with the interval as given';
  if (all < 0.001) return `Only ${shortShare(all)} of the time is lost${now} to saving, repeated work and restarting.`;
  const parts = [
    { share: savingAndRepeatedShare, name: 'saving and repeated work' },
    { share: restartingShare, name: 'restarting' },
    ...(lateCopiesShare < leastLateCopies ? [] : [{ share: lateCopiesShare, name: 'copies that are late' }]),
  ];
  const percents = all < 0.02 ? parts.map(({ share }) => shortShare(share)) : percentsThatSum(parts.map(({ share }) => share));
  return `Of the ${shortShare(all)} that is lost${now}, ${listed(parts.map(({ name }, index) => `${percents[index] ?? '0'} is ${name}`))}.`;
}

/** Less has no digit beside percentages with one decimal. */
const leastLateCopies = 0.0005;

/** Slower than any storage that checkpoints are saved to. */
const leastBoughtBytesPerSecond = 1e9;

function frugalSentence({ recommendation, study }: StoragePlan): string[] {
  const { frugalBytesPerSecond: rate } = recommendation;
  if (rate === null || recommendation.neededBytesPerSecond < leastBoughtBytesPerSecond) return [];
  return [
    `To buy less, save every ${shortTime(study.frugal.intervalSeconds)}: ${shortRate(rate)} is enough, and ${shortShare(study.frugal.goodput)} of the time trains instead of ${shortShare(study.best.goodput)}.`,
  ];
}

function restoreSentence({ recommendation, restore, size }: StoragePlan): string[] {
  const { restoreFactor } = recommendation;
  if (restoreFactor < 1.5 || restore.broadcast.seconds >= restore.planned.seconds) return [];
  return [
    `Restore by letting one replica read and broadcast: ${formatBytes(size.checkpointBytes)} in ${shortTime(restore.broadcast.seconds)} instead of ${shortNumber(restoreFactor)} times as much in ${shortTime(restore.planned.seconds)}.`,
  ];
}
