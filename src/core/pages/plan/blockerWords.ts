/** What makes a plan impossible, in words, each with the smallest change that helps. */
import type { Blocker } from '../../planning/advice/feasibility.js';
import type { StoragePlan } from '../../planning/storagePlan.js';
import { driveCopies } from '../../planning/systems/nodeDrives.js';
import { formatBytes, formatCount, shortNumber } from '../../text/units.js';
import { counted, shortRate, shortShare, shortTime } from '../../text/quantities.js';
import { roomWords } from './sections/quotaWords.js';
import type { PlanRisk } from './planSection.js';

export function blockerWords(blocker: Blocker, plan: StoragePlan): PlanRisk {
  return { id: blocker.id, ...words(blocker, plan) };
}

type Words = Omit<PlanRisk, 'id'>;

function words(blocker: Blocker, plan: StoragePlan): Words {
  switch (blocker.id) {
    case 'gpu-memory':
      return gpuMemory(blocker, plan);
    case 'topology':
      return topology(blocker);
    case 'experts':
      return {
        title: `EP ${formatCount(blocker.expertParallel)} is more than DP ${formatCount(blocker.dataParallel)}`,
        text: 'Experts are spread over data-parallel ranks, and there are fewer of these.',
        advice: `Set expert parallel to ${formatCount(blocker.dataParallel)} or less.`,
      };
    case 'host-memory':
      return hostMemory(blocker, plan);
    case 'drives-full':
      return {
        title: `A node’s part does not fit its drives`,
        text: `Two copies take ${formatBytes(blocker.neededBytes)}, and the drives have ${formatBytes(blocker.nodeBytes)}.`,
        advice: `It takes ${formatBytes(blocker.neededBytes)} of drives a node, or more nodes that write.`,
      };
    case 'store-room':
      return {
        title: 'The shared storage has no room for two checkpoints',
        text: `The last one must stay until the next is whole: ${formatBytes(blocker.neededBytes)}, and ${roomLeft(blocker, plan)}. The ${blocker.roomBytes * 2 < blocker.neededBytes ? 'first' : 'second'} save fails.`,
        advice: `Give checkpoints ${formatBytes(blocker.neededBytes)} of room at least${overfull(plan)}.`,
      };
    case 'no-drives':
      return {
        title: 'The nodes have no drives to save to',
        text: 'The storage of this plan is the nodes’ own drives, and their bandwidth is 0.',
        advice: 'Enter what the drives of one node write and read, or choose another storage.',
      };
    case 'object-size':
      return {
        title: 'A file of the checkpoint is larger than the storage takes',
        text: `The largest of ${counted(blocker.writers, 'writer')} has ${formatBytes(blocker.fileBytes)}, and an object holds ${formatBytes(blocker.largestBytes)}. The first save fails.`,
        advice: 'Let more GPUs write, or split files.',
      };
    case 'never-saved':
      return {
        title: 'The run is over before a save is',
        text: `A save takes ${shortTime(blocker.saveSeconds)} at ${shortRate(plan.save.writeBytesPerSecond)}, and the run ${shortTime(blocker.runSeconds)}.`,
        advice: `It takes more than ${shortRate(blocker.neededBytesPerSecond)} of write bandwidth.`,
      };
    case 'saves-pile-up':
      return pileUp(blocker, plan);
    case 'writers-network':
      return {
        title: 'The nodes that write cannot send so much',
        text: `Their ${driveCopies(plan.inputs) === null ? 'networks' : 'drives'} need ${shortTime(blocker.drainSeconds)} for a save, and the next comes after ${shortTime(blocker.intervalSeconds)}.`,
        advice: `${moreWriters(blocker, plan)} every ${shortTime(blocker.drainSeconds)} or less often.`,
      };
    case 'acceptable-loss':
      return acceptableLoss(blocker, plan);
    case 'walltime':
      return {
        title: 'A job ends before it has saved',
        text: `Restarting from a checkpoint and one save take ${shortTime(blocker.neededSeconds)}, and its walltime is ${shortTime(blocker.walltimeSeconds)}.`,
        advice:
          blocker.neededBytesPerSecond === null
            ? 'It takes a longer walltime, or a restart and a save that are shorter.'
            : `It takes more than ${shortRate(blocker.neededBytesPerSecond)} of bandwidth to write and to read, or a longer walltime.`,
      };
    case 'never-restored':
      return {
        title: 'Restoring takes longer than the time between failures',
        text: `Reading takes ${shortTime(blocker.readSeconds)} even if one replica reads for all, and a failure comes every ${shortTime(blocker.mtbfSeconds)}.`,
        advice: `It takes more than ${shortRate(blocker.neededBytesPerSecond)} of read bandwidth, or a level near the GPUs that most failures are recovered from.`,
      };
    case 'never-finishes':
      return neverFinishes(blocker, plan);
  }
}

function roomLeft({ roomBytes }: Extract<Blocker, { id: 'store-room' }>, { quota }: StoragePlan): string {
  return quota !== null && quota.usedBytes >= quota.capacityBytes
    ? `${roomWords(quota)} is full already`
    : `there are ${formatBytes(roomBytes)}`;
}

/** What has to go before there is any room. */
function overfull({ quota }: StoragePlan): string {
  const over = quota === null ? 0 : quota.usedBytes - quota.capacityBytes;
  return over > 0 ? `, and free the ${formatBytes(over)} that are used beyond what there is` : '';
}

function gpuMemory(blocker: Extract<Blocker, { id: 'gpu-memory' }>, { inputs }: StoragePlan): Words {
  const { neededBytes, gpuBytes, fittingStage, fittingGpus, fitsWithFullActivations } = blocker;
  const gpu = `${formatBytes(gpuBytes)}${gpuBytes === inputs.deviceMemoryBytes ? '' : ', the most of any GPU listed'}`;
  const changes = [
    ...(fittingStage === null ? [] : [`ZeRO ${fittingStage}`]),
    ...(fitsWithFullActivations ? ['full activation checkpointing'] : []),
    ...(fittingGpus === null || fittingGpus <= inputs.gpus ? [] : [`${counted(fittingGpus, 'GPU')} at ZeRO 3`]),
  ];
  return {
    title: 'Training does not fit GPU memory',
    text: `Each GPU holds ${formatBytes(neededBytes)} at ZeRO ${inputs.zeroStage}, and has ${gpu}.`,
    advice:
      changes.length === 0
        ? 'Activations alone do not fit: it takes a smaller micro-batch, shorter sequences or more tensor parallel ranks.'
        : `One of these is enough: ${changes.join('; ')}.`,
  };
}

function acceptableLoss(blocker: Extract<Blocker, { id: 'acceptable-loss' }>, { save }: StoragePlan): Words {
  const { lostSeconds, acceptableSeconds, neededBytesPerSecond } = blocker;
  const shorter = save.intervalBasis === 'given' && save.intervalSeconds >= acceptableSeconds ? 'a shorter interval, with ' : '';
  return {
    title: 'A failure can lose more work than is acceptable',
    text: `Up to ${shortTime(lostSeconds)}, the interval and the save that was under way; your limit is ${shortTime(acceptableSeconds)}.`,
    advice: `It takes ${shorter}${shortRate(neededBytesPerSecond)} of write bandwidth or more.`,
  };
}

function topology({ product, gpus, replicaGpus, fittingDataParallel }: Extract<Blocker, { id: 'topology' }>): Words {
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

function hostMemory(blocker: Extract<Blocker, { id: 'host-memory' }>, { inputs }: StoragePlan): Words {
  const { neededBytes, nodeBytes, neededIfAllWriteBytes } = blocker;
  const helps = inputs.zeroStage !== '3' && neededIfAllWriteBytes <= nodeBytes;
  return {
    title: 'A save does not fit host memory',
    text: `A writing node needs ${formatBytes(neededBytes)} for two copies of its part, and has ${formatBytes(nodeBytes)}. The first save fails.`,
    advice: helps
      ? `Let all GPUs write a share (ZeRO 3, fully parallel saving): ${formatBytes(neededIfAllWriteBytes)} a node.`
      : `It takes ${formatBytes(neededBytes)} of memory on a node, or synchronous saving, which needs no copy.`,
  };
}

function moreWriters({ neededNodes, writingNodes }: Extract<Blocker, { id: 'writers-network' }>, { save }: StoragePlan): string {
  if (neededNodes > save.topology.nodes) return 'Save';
  return `Let ${counted(neededNodes, 'node')} write instead of ${formatCount(writingNodes)}, or save`;
}

function pileUp(blocker: Extract<Blocker, { id: 'saves-pile-up' }>, { save, size }: StoragePlan): Words {
  const { overlap, breaksAtSave, neededIntervalSeconds, neededBytesPerSecond, largestBytes } = blocker;
  return {
    title: `Saves pile up: overlap ${shortShare(overlap)}`,
    text: `A save takes ${shortTime(save.saveSeconds)} at ${shortRate(save.writeBytesPerSecond)}, and the next comes after ${shortTime(save.intervalSeconds)}. What breaks first is host memory: with two buffers training stands still at save ${formatCount(breaksAtSave)}.`,
    advice: `One of these is enough, each by a factor of ${shortNumber(overlap)}: an interval of ${shortTime(neededIntervalSeconds)}, a bandwidth of ${shortRate(neededBytesPerSecond)}, or a checkpoint of ${formatBytes(largestBytes)} instead of ${formatBytes(size.checkpointBytes)}.`,
  };
}

function neverFinishes(blocker: Extract<Blocker, { id: 'never-finishes' }>, { inputs }: StoragePlan): Words {
  const { mtbfSeconds, neededSeconds, of, mostGpus } = blocker;
  const fewer =
    mostGpus >= 1 && inputs.mtbfSeconds === null ? ` or at most ${counted(mostGpus, 'GPU')} at this failure rate` : '';
  return {
    title: of === 'restart' ? 'The job fails before it is restarted' : 'The job fails before a save is over',
    text: `A failure comes every ${shortTime(mtbfSeconds)}, and ${of === 'restart' ? 'a restart' : 'a save'} takes ${shortTime(neededSeconds)}.`,
    advice: `It takes ${of === 'restart' ? 'restarts' : 'saves'} shorter than ${shortTime(mtbfSeconds)}${fewer}.`,
  };
}
