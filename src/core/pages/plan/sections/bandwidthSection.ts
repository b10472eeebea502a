/** What sustained write bandwidth a plan asks for, and what more of it would buy. */
import type { PlanDocument } from '../../../planning/inputs/planDocument.js';
import { clientRateOf } from '../../../planning/saving/clientRate.js';
import type { StoragePlan } from '../../../planning/storagePlan.js';
import { driveRateOf } from '../../../planning/systems/nodeDrives.js';
import { formatBytes, formatCount, shortNumber } from '../../../text/units.js';
import { counted, eachOf, shortRate, shortShare, shortTime, shortTimes } from '../../../text/quantities.js';
import type { PlanSection } from '../planSection.js';
import type { PageTable } from '../../table.js';
import type { Statement } from '../../statement.js';
import { intervalKeys, sizeKeys, statementKind, givenWords } from '../statementKind.js';
import { bandwidthCurve } from './bandwidthCurve.js';

export function bandwidthSection(plan: StoragePlan, document: PlanDocument): PlanSection {
  return {
    id: 'bandwidth',
    title: 'Write bandwidth',
    lead: needed(plan, document),
    more: [ofThePlan(plan, document), perNode(plan, document), ...ofAllJobs(plan, document)],
    charts: [bandwidthCurve(plan)],
    tables: [goalTable(plan)],
    notes: notes(plan),
  };
}

/** The rule that is judged. */
const ruleBytesPerSecondPerGpu = 1e9;

/** What keeps saves within the wanted share of the time. */
function needed(plan: StoragePlan, document: PlanDocument): Statement {
  const { inputs, save } = plan;
  const { requiredBytesPerSecond: rate, leastBytesPerSecond: least } = save.demand;
  const target = shortShare(inputs.overlapTarget);
  const perGpu = rate / save.topology.gpus;
  const verdict = perGpu < ruleBytesPerSecondPerGpu / 2 ? ': not 1 GB/s' : '';
  const below = inputs.saveMode === 'synchronous' ? 'saving takes longer than training' : 'saves pile up';
  const each = inputs.saveMode === 'multi-level' ? ' if every save goes to the shared storage' : '';
  return {
    amount: shortRate(rate),
    text: `keeps saving below ${target} of the time${each}; below ${shortRate(least)} ${below}`,
    detail: `S ÷ (${target} × ${shortTime(save.intervalSeconds)}), demand-side model. That is ${shortRate(rate / save.writers.writers)} for each writing GPU, ${shortRate(perGpu)} for each GPU of the cluster${verdict}.`,
    kind: statementKind(document, [...sizeKeys(plan), ...intervalKeys(plan)]),
    derivation: {
      formula: 'B = S ÷ (φ τ); saves pile up below S ÷ τ',
      steps: [
        `${formatBytes(plan.size.checkpointBytes)} ÷ (${shortNumber(inputs.overlapTarget)} × ${shortNumber(save.intervalSeconds, 5)} s) = ${shortRate(rate)}`,
        `${formatBytes(plan.size.checkpointBytes)} ÷ ${shortNumber(save.intervalSeconds, 5)} s = ${shortRate(least)}`,
      ],
      source:
        'demand-side model after Lockwood (VAST, 85,619 checkpoints of 40 production jobs, 2025): most model builders keep the overlap below 10 %',
    },
  };
}

/** What the storage has to do where each job has its share. */
function ofAllJobs({ inputs, save }: StoragePlan, document: PlanDocument): Statement[] {
  const { jobs } = inputs;
  if (jobs === 1) return [];
  return [
    {
      amount: shortRate(save.demand.requiredBytesPerSecond * jobs),
      text: `keep ${formatCount(jobs)} such jobs below ${shortShare(inputs.overlapTarget)} of the time each, all saving at once`,
      detail: `This plan is of one of them, with its share: ${shortRate(save.writeBytesPerSecond)} of ${shortRate(save.writeBytesPerSecond * jobs)}.`,
      kind: statementKind(document, ['jobs']),
      derivation: null,
    },
  ];
}

const regionWords = {
  impossible: 'saves pile up',
  slow: 'more than is wanted: saves compete with training',
  good: 'as wanted',
  wasted: 'more bandwidth than pays back',
} as const;

/** Where training waits, what is overlap elsewhere is time lost: more bandwidth always helps a little. */
const waitingRegionWords = {
  impossible: 'saving takes longer than training',
  slow: 'more than is wanted',
  good: 'as wanted',
  wasted: 'more bandwidth than the goal asks for, though it shortens the stall',
} as const;

const basisWords = {
  given: '',
  pays: 'With what is worth its money',
  nodes: 'With all that the nodes carry',
  limit: 'With all that one account or file system takes',
  objects: 'With what reaches the object store',
} as const;

function ofThePlan(plan: StoragePlan, document: PlanDocument): Statement {
  const { save, inputs } = plan;
  const isGiven = save.bandwidthBasis === 'given';
  const region = (inputs.saveMode === 'synchronous' ? waitingRegionWords : regionWords)[save.region];
  return {
    amount: shortTime(save.saveSeconds),
    text: `is what a save takes at ${shortRate(save.writeBytesPerSecond)}: ${shortShare(save.overlap)} of an interval of ${shortTime(save.intervalSeconds)}`,
    detail: `${isGiven ? `Bandwidth ${givenWords(document, 'writeBytesPerSecond').toLowerCase()}` : basisWords[save.bandwidthBasis]}: ${region}. Training itself stands still for ${shortTime(save.stallSeconds)} of each interval, ${shortShare(save.stallSeconds / save.intervalSeconds)}.`,
    kind: statementKind(document, [
      ...sizeKeys(plan),
      ...intervalKeys(plan),
      ...(isGiven ? (['writeBytesPerSecond'] as const) : []),
    ]),
    derivation: {
      formula: 'T = S ÷ B, φ = T ÷ τ',
      steps: [
        `${formatBytes(plan.size.checkpointBytes)} ÷ ${shortRate(save.writeBytesPerSecond)} = ${shortTime(save.saveSeconds)}`,
        `${shortTime(save.saveSeconds)} ÷ ${shortTime(save.intervalSeconds)} = ${shortShare(save.overlap)}`,
      ],
      source: 'demand-side model after Lockwood (VAST, 2025)',
    },
  };
}

/** What limits a node. */
function wayOf({ inputs }: StoragePlan): string {
  if (inputs.clientBytesPerSecond !== null) return 'a node’s way to the storage';
  if (driveRateOf(inputs, 'write') !== null) return 'what a node’s drives take';
  return clientRateOf(inputs) < inputs.networkBytesPerSecond ? 'what the storage takes from one client' : 'a node’s network';
}

function perNode(plan: StoragePlan, document: PlanDocument): Statement {
  const { save, inputs } = plan;
  const perSecond = save.writeBytesPerSecond;
  const { writers } = save;
  const ofNode = perSecond / writers.writingNodes;
  const client = clientRateOf(inputs);
  const part = ofNode / client;
  const way = wayOf(plan);
  return {
    amount: shortRate(ofNode),
    text: `out of ${eachOf(writers.writingNodes, 'writing node')}, ${shortRate(perSecond / writers.writers)} out of ${eachOf(writers.writers, 'writing GPU')}`,
    detail: `${shortShare(part)} of ${way}, ${shortRate(client)}.`,
    kind: statementKind(document, ['gpus', 'gpusPerNode', 'zeroStage']),
    derivation: null,
  };
}

function goalTable({ size, save }: StoragePlan): PageTable {
  const rows = [1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01].map((overlap) => {
    const rate = size.checkpointBytes / (overlap * save.intervalSeconds);
    return [
      shortShare(overlap),
      shortRate(rate),
      shortTime(overlap * save.intervalSeconds),
      shortRate(rate / save.writers.writers),
      shortRate(rate / save.writers.writingNodes),
      shortRate(rate / save.topology.gpus),
    ];
  });
  return {
    id: 'bandwidth-goals',
    caption: 'Bandwidth for other goals',
    columns: [
      { label: 'overlap', isNumber: true },
      { label: 'needed', isNumber: true },
      { label: 'a save takes', isNumber: true },
      { label: 'a writing GPU', isNumber: true },
      { label: 'a writing node', isNumber: true },
      { label: 'a GPU of the cluster', isNumber: true },
    ],
    rows,
    note: `For an interval of ${shortTime(save.intervalSeconds)}.`,
  };
}

function notes({ inputs, save, study, levels }: StoragePlan): string[] {
  const needed = save.demand.requiredBytesPerSecond;
  const rule = ruleBytesPerSecondPerGpu * save.topology.gpus;
  const factor = rule / needed;
  const { gpus } = save.topology;
  const who =
    save.writers.writers === gpus
      ? 'All of them write'
      : `Of ${counted(gpus, 'GPU')} only ${formatCount(save.writers.writers)} write`;
  const writers = `${who}, for ${shortShare(Math.min(1, save.overlap))} of the time.`;
  const judged =
    factor >= 2
      ? `${shortTimes(factor)} what this plan needs. ${writers}`
      : factor > 0.5
        ? `about what this plan needs. ${writers}`
        : `less than this plan needs, as a checkpoint is large for so few GPUs. ${writers}`;
  return [
    `“1 GB/s for every GPU in the cluster” would be ${shortRate(rule)}: ${judged}`,
    'How often a job saves decides the bandwidth; a larger model on more GPUs is written by more of them. “Hundreds of GB/s, well below 1 TB/s” is a drain in the background; TB/s are needed only where training waits for the storage.',
    ...(inputs.saveMode === 'synchronous' && inputs.stallSeconds === null
      ? [
          `Training waits while a save is written, so the overlap is time lost. With the best interval ${shortShare(study.best.goodput)} of the time trains, at twice the bandwidth ${shortShare(study.twiceTheBandwidth.goodput)}.`,
        ]
      : []),
    ...(levels.drainLossShare > 0
      ? [
          `A failure while a save is still being written falls back one save further. At ${shortRate(save.writeBytesPerSecond)} that costs another ${shortShare(levels.drainLossShare)} of the time, at twice the bandwidth ${shortShare(levels.drainLossShare / 2)}: what faster storage is worth here.`,
        ]
      : []),
  ];
}
