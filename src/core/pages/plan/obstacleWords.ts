/** What makes a plan impossible, in words, each with the smallest change that helps. */
import type { Obstacle } from '../../planning/advice/feasibility.js';
import type { StoragePlan } from '../../planning/storagePlan.js';
import { formatCount } from '../../text/units.js';
import { counted, shortBytes, shortNumber, shortRate, shortShare, shortTime } from '../../text/quantities.js';
import type { PlanRisk } from './planSection.js';

export function obstacleWords(obstacle: Obstacle, plan: StoragePlan): PlanRisk {
  return { id: obstacle.id, ...words(obstacle, plan) };
}

type Words = Omit<PlanRisk, 'id'>;

function words(obstacle: Obstacle, plan: StoragePlan): Words {
  switch (obstacle.id) {
    case 'topology':
      return topology(obstacle);
    case 'experts':
      return {
        title: `EP ${formatCount(obstacle.expertParallel)} is more than DP ${formatCount(obstacle.dataParallel)}`,
        text: 'Experts are spread over data-parallel ranks, and there are fewer of these.',
        advice: `Set expert parallel to ${formatCount(obstacle.dataParallel)} or less.`,
      };
    case 'host-memory':
      return hostMemory(obstacle, plan);
    case 'drives-full':
      return {
        title: `A node’s part does not fit its drives`,
        text: `Two copies take ${shortBytes(obstacle.neededBytes)}, and the drives have ${shortBytes(obstacle.nodeBytes)}.`,
        advice: `It takes ${shortBytes(obstacle.neededBytes)} of drives a node, or more nodes that write.`,
      };
    case 'store-room':
      return {
        title: 'The shared storage has no room for two checkpoints',
        text: `The last one must stay until the next is whole: ${shortBytes(obstacle.neededBytes)}, and there are ${shortBytes(obstacle.roomBytes)}. The second save fails.`,
        advice: `Give checkpoints ${shortBytes(obstacle.neededBytes)} of room.`,
      };
    case 'saves-pile-up':
      return pileUp(obstacle, plan);
    case 'writers-network':
      return {
        title: 'The nodes that write cannot send so much',
        text: `Their networks need ${shortTime(obstacle.drainSeconds)} for a save, and the next comes after ${shortTime(obstacle.intervalSeconds)}.`,
        advice: `${moreWriters(obstacle, plan)} every ${shortTime(obstacle.drainSeconds)} or less often.`,
      };
    case 'never-restored':
      return {
        title: 'Restoring takes longer than the time between failures',
        text: `Reading takes ${shortTime(obstacle.readSeconds)} even if one replica reads for all, and a failure comes every ${shortTime(obstacle.mtbfSeconds)}.`,
        advice: `It takes more than ${shortRate(obstacle.neededBytesPerSecond)} of read bandwidth, or a level near the GPUs that most failures are recovered from.`,
      };
    case 'never-finishes':
      return neverFinishes(obstacle, plan);
  }
}

function topology({ product, gpus, replicaGpus, fittingDataParallel }: Extract<Obstacle, { id: 'topology' }>): Words {
  const advice =
    fittingDataParallel !== null
      ? `Set data parallel to ${formatCount(fittingDataParallel)}, or leave it to be derived.`
      : `Set GPUs to ${formatCount(product)}: one replica takes ${counted(replicaGpus, 'GPU')}.`;
  return {
    title: `TP × PP × DP is ${formatCount(product)}, not ${counted(gpus, 'GPU')}`,
    text: product > gpus ? 'There are too few GPUs for it; the job would not start.' : 'Some GPUs would have nothing to do.',
    advice,
  };
}

function hostMemory(obstacle: Extract<Obstacle, { id: 'host-memory' }>, { inputs }: StoragePlan): Words {
  const { neededBytes, nodeBytes, neededIfAllWriteBytes } = obstacle;
  const helps = inputs.zeroStage !== '3' && neededIfAllWriteBytes <= nodeBytes;
  return {
    title: 'A save does not fit host memory',
    text: `A writing node needs ${shortBytes(neededBytes)} for two copies of its part, and has ${shortBytes(nodeBytes)}. The first save fails.`,
    advice: helps
      ? `Let all GPUs write a share (ZeRO 3, fully parallel saving): ${shortBytes(neededIfAllWriteBytes)} a node.`
      : `It takes ${shortBytes(neededBytes)} of memory on a node, or synchronous saving, which needs no copy.`,
  };
}

function moreWriters({ neededNodes, writingNodes }: Extract<Obstacle, { id: 'writers-network' }>, { save }: StoragePlan): string {
  if (neededNodes > save.topology.nodes) return 'Save';
  return `Let ${counted(neededNodes, 'node')} write instead of ${formatCount(writingNodes)}, or save`;
}

function pileUp(obstacle: Extract<Obstacle, { id: 'saves-pile-up' }>, { save, size }: StoragePlan): Words {
  const { overlap, breaksAtSave, neededIntervalSeconds, neededBytesPerSecond, largestBytes } = obstacle;
  const text =
    breaksAtSave === null
      ? `A save takes ${shortTime(save.saveSeconds)} at ${shortRate(save.writeBytesPerSecond)}, and training goes on for ${shortTime(save.intervalSeconds)} between two.`
      : `A save takes ${shortTime(save.saveSeconds)} at ${shortRate(save.writeBytesPerSecond)}, and the next comes after ${shortTime(save.intervalSeconds)}. What breaks first is host memory: with two buffers training stands still at save ${formatCount(breaksAtSave)}.`;
  return {
    title:
      breaksAtSave === null
        ? `Training waits longer than it trains: overlap ${shortShare(overlap)}`
        : `Saves pile up: overlap ${shortShare(overlap)}`,
    text,
    advice: `One of these is enough, each by a factor of ${shortNumber(overlap)}: an interval of ${shortTime(neededIntervalSeconds)}, a bandwidth of ${shortRate(neededBytesPerSecond)}, or a checkpoint of ${shortBytes(largestBytes)} instead of ${shortBytes(size.checkpointBytes)}.`,
  };
}

function neverFinishes(obstacle: Extract<Obstacle, { id: 'never-finishes' }>, { inputs }: StoragePlan): Words {
  const { mtbfSeconds, neededSeconds, of, mostGpus } = obstacle;
  const fewer =
    mostGpus >= 1 && inputs.mtbfSeconds === null ? ` or at most ${counted(mostGpus, 'GPU')} at this failure rate` : '';
  return {
    title: of === 'restart' ? 'The job fails before it is restarted' : 'The job fails before a save is over',
    text: `A failure comes every ${shortTime(mtbfSeconds)}, and ${of === 'restart' ? 'a restart' : 'a save'} takes ${shortTime(neededSeconds)}.`,
    advice: `It takes ${of === 'restart' ? 'restarts' : 'saves'} shorter than ${shortTime(mtbfSeconds)}${fewer}.`,
  };
}
