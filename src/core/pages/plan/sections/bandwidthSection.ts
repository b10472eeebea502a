/** What sustained write bandwidth a plan asks for, and what more of it would buy. */
import type { PlanDocument } from '../../../planning/inputs/planDocument.js';
import { monthSeconds } from '../../../planning/systems/storageSystem.js';
import { clientRateOf } from '../../../planning/saving/clientRate.js';
import type { StoragePlan } from '../../../planning/storagePlan.js';
import { bandwidthPricePerMonth } from '../../../planning/systems/bandwidthPrice.js';
import { shortDollars } from '../../../text/dollars.js';
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
    lead: plan.save.bandwidthBasis === 'pays' ? whatPays(plan, document) : lead(plan, document),
    more: [ofThePlan(plan, document), ...frugal(plan, document), perNode(plan, document)],
    charts: [bandwidthCurve(plan)],
    tables: [goalTable(plan)],
    notes: notes(plan),
  };
}

/** The rule that is judged. */
const ruleBytesPerSecondPerGpu = 1e9;

function lead(plan: StoragePlan, document: PlanDocument): Statement {
  const { inputs, save } = plan;
  const { requiredBytesPerSecond: needed, leastBytesPerSecond: least } = save.demand;
  const target = shortShare(inputs.overlapTarget);
  const perGpu = needed / save.topology.gpus;
  const verdict = perGpu < ruleBytesPerSecondPerGpu / 2 ? ': not 1 GB/s' : '';
  const below = inputs.saveMode === 'synchronous' ? 'saving takes longer than training' : 'saves pile up';
  const each = inputs.saveMode === 'multi-level' ? ' if every save goes to the shared storage' : '';
  return {
    amount: shortRate(needed),
    text: `keeps saving below ${target} of the time${each}; below ${shortRate(least)} ${below}`,
    detail: `S ÷ (${target} × ${shortTime(save.intervalSeconds)}), demand-side model. That is ${shortRate(needed / save.writers.writers)} for each writing GPU, ${shortRate(perGpu)} for each GPU of the cluster${verdict}.`,
    kind: statementKind(document, [...sizeKeys(plan), ...intervalKeys(plan)]),
    derivation: {
      formula: 'B = S ÷ (φ τ); saves pile up below S ÷ τ',
      steps: [
        `${formatBytes(plan.size.checkpointBytes)} ÷ (${shortNumber(inputs.overlapTarget)} × ${shortNumber(save.intervalSeconds, 5)} s) = ${shortRate(needed)}`,
        `${formatBytes(plan.size.checkpointBytes)} ÷ ${shortNumber(save.intervalSeconds, 5)} s = ${shortRate(least)}`,
      ],
      source:
        'demand-side model after Lockwood (VAST, 85,619 checkpoints of 40 production jobs, 2025): most model builders keep the overlap below 10 %',
    },
  };
}

/** Where training waits, no share of the time is right by itself: what is lost costs GPU time, and what shortens it costs storage. */
function whatPays(plan: StoragePlan, document: PlanDocument): Statement {
  const { inputs, save, study } = plan;
  const gpusPerHour = inputs.gpus * inputs.gpuPricePerHour;
  const perMonth = bandwidthPricePerMonth(inputs);
  const rate = save.writeBytesPerSecond;
  return {
    amount: shortRate(rate),
    text: 'is worth its money: beyond it a dollar of storage saves less than a dollar of GPU time',
    detail: `${shortDollars((rate / 1e9) * perMonth)} a month of bandwidth, beside GPUs of ${shortDollars((gpusPerHour / 3600) * monthSeconds)}. ${shortShare(study.best.goodput)} of the time trains, at twice the bandwidth ${shortShare(study.twiceTheBandwidth.goodput)}.`,
    kind: statementKind(document, [...sizeKeys(plan), ...intervalKeys(plan)]),
    derivation: {
      formula: 'least of GPUs × price × (1 − goodput(B)) + B × price of bandwidth, with the best interval for each B',
      steps: [
        `${formatCount(inputs.gpus)} GPUs × $${shortNumber(inputs.gpuPricePerHour)} an hour = $${shortNumber(gpusPerHour)} an hour`,
        `bandwidth: $${shortNumber(perMonth)} a month for a GB/s`,
        `least at ${shortRate(rate)}`,
      ],
      source: 'Daly’s cost model; prices as given or listed (see the tiers)',
    },
  };
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

function ofThePlan(plan: StoragePlan, document: PlanDocument): Statement {
  const { save, inputs } = plan;
  const isGiven = save.bandwidthBasis === 'given';
  const region = (inputs.saveMode === 'synchronous' ? waitingRegionWords : regionWords)[save.region];
  return {
    amount: shortTime(save.saveSeconds),
    text: `is what a save takes at ${shortRate(save.writeBytesPerSecond)}: ${shortShare(save.overlap)} of an interval of ${shortTime(save.intervalSeconds)}`,
    detail: `${isGiven ? `Bandwidth ${givenWords(document, 'writeBytesPerSecond').toLowerCase()}` : save.bandwidthBasis === 'pays' ? 'With what is worth its money' : 'With just what is needed'}: ${region}. Training itself stands still for ${shortTime(save.stallSeconds)} of each interval, ${shortShare(save.stallSeconds / save.intervalSeconds)}.`,
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

/** The optimum is flat, and bandwidth is not free: what half a point of time buys. */
function frugal(plan: StoragePlan, document: PlanDocument): Statement[] {
  const { frugalBytesPerSecond: rate } = plan.recommendation;
  const { frugal: rare, best } = plan.study;
  if (rate === null) return [];
  return [
    {
      amount: shortRate(rate),
      text: `is enough when saving every ${shortTime(rare.intervalSeconds)}, which trains ${shortShare(rare.goodput)} of the time instead of ${shortShare(best.goodput)}`,
      detail: 'The best interval looks at time alone, and its curve is flat: rarer saves need less storage.',
      kind: statementKind(document, [...sizeKeys(plan), ...intervalKeys(plan)]),
      derivation: {
        formula: 'B = S ÷ (φ τ), for the longest τ that trains at most half a point less than the best',
        steps: [
          `${formatBytes(plan.size.checkpointBytes)} ÷ (${shortNumber(plan.inputs.overlapTarget)} × ${shortNumber(rare.intervalSeconds, 5)} s) = ${shortRate(rate)}`,
        ],
        source: 'Daly’s cost model, solved for the interval by bisection',
      },
    },
  ];
}

function perNode({ save, inputs }: StoragePlan, document: PlanDocument): Statement {
  const perSecond = save.writeBytesPerSecond;
  const { writers } = save;
  const ofNode = perSecond / writers.writingNodes;
  const client = clientRateOf(inputs);
  const part = ofNode / client;
  const way = inputs.clientBytesPerSecond === null ? 'a node’s network' : 'a node’s way to the storage';
  return {
    amount: shortRate(ofNode),
    text: `out of ${eachOf(writers.writingNodes, 'writing node')}, ${shortRate(perSecond / writers.writers)} out of ${eachOf(writers.writers, 'writing GPU')}`,
    detail:
      part > 1
        ? `More than ${way} carries (${shortRate(client)}): let more nodes write.`
        : `${shortShare(part)} of ${way}${inputs.clientBytesPerSecond === null ? '' : `, ${shortRate(client)}`}.`,
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
