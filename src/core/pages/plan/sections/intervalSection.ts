/** How often to save, what that costs, and what would change it. */
import type { PlanDocument } from '../../../planning/inputs/planDocument.js';
import type { PlanKey } from '../../../planning/inputs/planInputs.js';
import { failureRateOf, leastScalingGpus } from '../../../planning/saving/failureRates.js';
import type { IntervalBound } from '../../../planning/saving/intervalBounds.js';
import { stopShare } from '../../../planning/saving/lostShare.js';
import { expectedSlowdown, frugalLossShare, goodput } from '../../../planning/saving/interval.js';
import type { IntervalStudy } from '../../../planning/saving/intervalStudy.js';
import type { StoragePlan } from '../../../planning/storagePlan.js';
import { stepSecondsOf } from '../../../planning/training/stepTime.js';
import { formatBytes, formatCount, shortNumber } from '../../../text/units.js';
import { decimalsOf, exactTime, percentsThatSum, shortRate, shortShare, shortTime } from '../../../text/quantities.js';
import type { PlanSection } from '../planSection.js';
import type { PageTable } from '../../table.js';
import type { Statement } from '../../statement.js';
import { bandwidthKeys, failureKeys, intervalKeys, stallKeys, statementKind, givenWords } from '../statementKind.js';
import { inSteps } from '../stepWords.js';
import { intervalCurve } from './intervalCurve.js';

export function intervalSection(plan: StoragePlan, document: PlanDocument): PlanSection {
  const other = [...intervalOfBandwidth(plan, document), ...intervalOfBound(plan, document)];
  const best = lead(plan, document);
  // The plan's own comes first where it is another one.
  const { save, study } = plan;
  const isOther = save.intervalSeconds > study.best.intervalSeconds * clearlyMore || isBounded(save.intervalBasis);
  const [first, ...more] = isOther ? [...other, best] : [best, ...other];
  return {
    id: 'interval',
    title: 'How often to save',
    lead: first,
    more: [...more, ...givenInterval(plan, document), failures(plan, document), stall(plan, document)],
    charts: [intervalCurve(plan)],
    tables: [timeTable(plan), changeTable(plan)],
    notes: [...scalingNote(plan.study), ...claims(plan)],
  };
}

/** Of an interval; less is the same in words. */
const clearlyMore = 1.05;

function lead(plan: StoragePlan, document: PlanDocument): Statement {
  const { study, save, levels } = plan;
  const { young, daly } = save.optimum;
  return {
    amount: `every ${shortTime(study.best.intervalSeconds)}`,
    text: `loses least${isBounded(save.intervalBasis) ? ' of what is allowed' : ''}: ${shortShare(study.best.goodput)} of the time trains`,
    detail: `Exact optimum ${shortTime(save.optimum.exact)} · Young ${shortTime(young)} · Daly ${shortTime(daly)}${steps(plan)}${hourly(plan)}.${lateCopies(levels.furtherLossShare)}`,
    kind: statementKind(document, [...stallKeys(plan), ...failureKeys(plan), 'restartSeconds']),
    derivation: {
      formula: 'T(τ) = M e^(R/M) (e^((τ + d)/M) − 1) ÷ τ, least at τ = M (1 + W₀(−e^(−d/M − 1)))',
      steps: [
        `d = ${exactTime(save.stallSeconds)} of stall, M = ${exactTime(save.mtbfSeconds)} between failures, R = ${exactTime(plan.inputs.restartSeconds)} to restart`,
        `Young: √(2 d M) = ${exactTime(young)}`,
        `Daly: √(2 d M) (1 + ⅓ √(d ÷ 2M) + ⅑ (d ÷ 2M)) − d = ${exactTime(daly)}`,
        `exact: τ = ${exactTime(save.optimum.exact)}, T = ${slowdown(study)}, so 1 ÷ T = ${shortShare(study.best.goodput)} trains`,
        `Meta’s formula for the plan’s interval: (1 − (R + τ/2) ÷ M) ÷ (1 + d/τ) = ${shortShare(study.metaGoodput)}`,
      ],
      source:
        'Young, CACM 17(9), 1974; Daly, FGCS 22(3), 2006, whose cost model it is; Kokolis et al., HPCA 2025. Failures are taken as independent.',
    },
  };
}

function hourly({ study }: StoragePlan): string {
  return study.hourly === null ? '; hourly saves would pile up' : `; hourly would reach ${shortShare(study.hourly.goodput)}`;
}

/** These shares are of saving, repeated work and restarting alone. */
function lateCopies(share: number): string {
  return share < 0.0005 ? '' : ` Copies that are late lose ${shortShare(share)} more.`;
}

function slowdown({ best, costs }: IntervalStudy): string {
  const value = expectedSlowdown(best.intervalSeconds, costs);
  return Number.isFinite(value) ? shortNumber(value, 5) : 'without end';
}

function steps({ inputs, save }: StoragePlan): string {
  const words = inSteps(save.optimum.exact, inputs);
  return words === null ? '' : ` · ${words}`;
}

function givenInterval(plan: StoragePlan, document: PlanDocument): Statement[] {
  const { save, study } = plan;
  if (save.intervalBasis !== 'given') return [];
  const lost = study.best.goodput - study.planned.goodput;
  return [
    {
      amount: shortShare(study.planned.goodput),
      text: `of the time trains when saving every ${shortTime(save.intervalSeconds)}, as planned`,
      detail: `${stepsOf(plan)}${
        lost < 0.001
          ? 'As good as the optimum: the curve is flat around it.'
          : `That is ${shortShare(lost)} of the time less than with the best interval.`
      }`,
      kind: statementKind(document, [...intervalKeys(plan), ...failureKeys(plan), 'restartSeconds']),
      derivation: null,
    },
  ];
}

/** `1,000 steps of 7.91 s. `, where an interval in steps made the plan's. */
function stepsOf({ inputs, save }: StoragePlan): string {
  const stepSeconds = stepSecondsOf(inputs);
  if (inputs.intervalSeconds !== null || stepSeconds === null) return '';
  const tokens = inputs.stepSeconds === null ? ', which follow from the tokens of a step and what the GPUs compute' : '';
  return `${inSteps(save.intervalSeconds, inputs) ?? ''} of ${shortTime(stepSeconds)}${tokens}. `;
}

/** Saves that are drawn out so that the storage is not always busy with them. */
function intervalOfBandwidth(plan: StoragePlan, document: PlanDocument): Statement[] {
  const { save, study, inputs } = plan;
  if (save.intervalBasis !== 'bandwidth') return [];
  const isOpen = save.bandwidthBasis === 'pays';
  const rate = shortRate(save.writeBytesPerSecond);
  const wantedSeconds = plan.size.checkpointBytes / inputs.overlapTarget / save.writeBytesPerSecond;
  return [
    {
      amount: `every ${shortTime(save.intervalSeconds)}`,
      text: `is what the plan saves: at ${rate} saves are then under way for ${shortShare(save.overlap)} of the time`,
      detail: `${isOpen ? 'Faster storage would cost more than it gives back.' : `Your limit is ${shortShare(inputs.overlapTarget)}.`} Saving every ${shortTime(study.best.intervalSeconds)} would train ${shortShare(Math.max(0, study.best.goodput - study.planned.goodput))} more of the time, and at ${rate} be under way for ${shortShare((save.overlap * save.intervalSeconds) / study.best.intervalSeconds)} of it.`,
      kind: statementKind(document, [...intervalKeys(plan), ...bandwidthKeys(plan), 'overlapTarget']),
      derivation: {
        formula: `τ = S ÷ (φ B), no longer than what trains ${shortNumber(frugalLossShare * 100)} points less than the best`,
        steps: [
          `${formatBytes(plan.size.checkpointBytes)} ÷ (${shortNumber(inputs.overlapTarget)} × ${rate}) = ${exactTime(wantedSeconds)}`,
          `the plan saves every ${exactTime(save.intervalSeconds)}`,
        ],
        source: 'demand-side model after Lockwood (VAST, 2025), and Daly’s cost model',
      },
    },
  ];
}

type Bound = IntervalBound['by'];

function isBounded(basis: StoragePlan['save']['intervalBasis']): basis is Bound {
  return basis === 'acceptable-loss' || basis === 'walltime' || basis === 'run';
}

const boundWords: Readonly<Record<Bound, { reason: string; keys: readonly PlanKey[] }>> = {
  'acceptable-loss': {
    reason: 'a failure may cost no more, with the save that is under way',
    keys: ['acceptableLossSeconds'],
  },
  walltime: { reason: 'a job trains no longer, and then saves', keys: ['walltimeSeconds'] },
  run: { reason: 'a run has five saves at least that training can go back to', keys: ['runSeconds'] },
};

/** Saves that come sooner than is best by the failures alone. */
function intervalOfBound(plan: StoragePlan, document: PlanDocument): Statement[] {
  const { save, inputs } = plan;
  if (!isBounded(save.intervalBasis)) return [];
  const { reason, keys } = boundWords[save.intervalBasis];
  const lossSeconds = inputs.acceptableLossSeconds;
  return [
    {
      amount: `every ${shortTime(save.intervalSeconds)}`,
      text: `is what the plan saves: ${reason}`,
      detail: `By the failures alone ${shortTime(save.optimum.exact)} would do.`,
      kind: statementKind(document, keys),
      derivation:
        save.intervalBasis !== 'acceptable-loss' || lossSeconds === null
          ? null
          : {
              formula: 'τ = acceptable loss − t, with t for the save that is under way',
              steps: [`${exactTime(lossSeconds)} − ${exactTime(save.saveSeconds)} = ${exactTime(save.intervalSeconds)}`],
              source: 'the most that a failure loses: τ + t, as recovery points are counted',
            },
    },
  ];
}

function failures(plan: StoragePlan, document: PlanDocument): Statement {
  const { inputs, save } = plan;
  const rate = failureRateOf(inputs.failureRate);
  const gpuMtbf = inputs.gpuMtbfSeconds ?? rate.gpuMtbfSeconds;
  const source = inputs.gpuMtbfSeconds === null ? rate.source : 'a GPU’s mean time as given';
  const isGiven = inputs.mtbfSeconds !== null;
  return {
    amount: `every ${shortTime(save.failureSeconds)}`,
    text: 'a failure ends the job, on average',
    detail: `${
      isGiven
        ? `${givenWords(document, 'mtbfSeconds')} for the whole job.`
        : `One GPU fails every ${formatCount(gpuMtbf / 3600)} hours with its share of the node; ${inputs.gpus === 1 ? 'the job has one' : `${formatCount(inputs.gpus)} of them do that together`}.`
    }${reclaims(plan)}${walltime(plan)}`,
    kind: statementKind(document, failureKeys(plan)),
    derivation: isGiven
      ? null
      : {
          formula: 'M = a GPU’s mean time ÷ GPUs',
          steps: [`${exactTime(gpuMtbf)} ÷ ${formatCount(inputs.gpus)} = ${exactTime(save.failureSeconds)}`],
          source,
        },
  };
}

function reclaims({ inputs, save }: StoragePlan): string {
  if (inputs.reclaimSeconds === null) return '';
  const often = ` Machines are taken back every ${shortTime(inputs.reclaimSeconds)} besides`;
  return save.isWarned
    ? `${often}; a save fits into the ${shortTime(inputs.graceSeconds)} of warning, so that no work is lost.`
    : `${often}, and a save does not fit into the ${shortTime(inputs.graceSeconds)} of warning: work is lost every ${shortTime(save.mtbfSeconds)}.`;
}

function walltime({ inputs, save, levels }: StoragePlan): string {
  if (inputs.walltimeSeconds === null) return '';
  return ` A job ends after ${shortTime(inputs.walltimeSeconds)}, for which it has to save, and the next one reads that and restarts: ${shortShare(stopShare(inputs, save, levels))} of the time besides.`;
}

const stallReasons = {
  'device-to-host': 'The copy from GPU to host memory; all else happens beside training.',
  storage: 'Training waits until storage has all of it.',
} as const;

function stall(plan: StoragePlan, document: PlanDocument): Statement {
  const { save } = plan;
  return {
    amount: shortTime(save.stallSeconds),
    text: 'training stands still for a save',
    detail: `${save.stallBasis === 'given' ? `${givenWords(document, 'stallSeconds')}.` : `${stallReasons[save.stallBasis]}${fixedPart(save)}`} ${shortShare(save.stallSeconds / save.intervalSeconds)} of an interval of ${shortTime(save.intervalSeconds)}.`,
    kind: statementKind(document, stallKeys(plan)),
    derivation: null,
  };
}

function fixedPart({ fixedStallSeconds }: StoragePlan['save']): string {
  return fixedStallSeconds === 0
    ? ''
    : ` ${shortTime(fixedStallSeconds)} of it are whatever the bytes: collecting state, ranks that wait for each other.`;
}

function timeTable({ save }: StoragePlan): PageTable {
  const { training, stalled, repeated, restarting } = save.shares;
  const shares = [training, stalled, repeated, restarting];
  const percents = percentsThatSum(shares, decimalsOf(shares));
  const words = ['training', 'standing still for saves', 'repeating work that failures made void', 'restarting'];
  return {
    id: 'time-shares',
    caption: `Where the time goes, saving every ${shortTime(save.intervalSeconds)}`,
    columns: [
      { label: 'time for', isNumber: false },
      { label: 'share', isNumber: true },
    ],
    rows: words.map((word, index) => [word, `${percents[index] ?? '0'} %`]),
    note: '',
  };
}

function changeTable({ study, inputs }: StoragePlan): PageTable {
  const { best, twiceTheBandwidth, halfTheMtbf, halfTheStall } = study;
  const row = (label: string, { intervalSeconds, goodput: share }: IntervalStudy['best']) => [
    label,
    shortTime(intervalSeconds),
    shortShare(share),
    difference(share - best.goodput),
  ];
  return {
    id: 'interval-changes',
    caption: 'What would change it',
    columns: [
      { label: 'change', isNumber: false },
      { label: 'best interval', isNumber: true },
      { label: 'time that trains', isNumber: true },
      { label: 'difference', isNumber: true },
    ],
    rows: [
      row('nothing', best),
      row('twice the write bandwidth', twiceTheBandwidth),
      row('half the stall', halfTheStall),
      row('half the time between failures', halfTheMtbf),
    ],
    note:
      inputs.saveMode === 'synchronous' && inputs.stallSeconds === null
        ? 'Training waits for storage, so bandwidth shortens the stall.'
        : 'Training does not wait for storage, so bandwidth changes only how much is lost when a failure comes while a save is under way.',
  };
}

function difference(share: number): string {
  if (Math.abs(share) < 5e-6) return '0';
  return `${share > 0 ? '+' : '−'}${shortNumber(Math.abs(share) * 100, 2)} points`;
}

function scalingNote({ isScalingOptimistic }: IntervalStudy): string[] {
  if (!isScalingOptimistic) return [];
  return [
    `Below ${formatCount(leastScalingGpus)} GPUs the published rate divided by GPUs is too hopeful: Meta measured a failure every 7.9 hours at 1,024 GPUs, where 1/N predicts 28.8 hours. Enter the job’s own mean time if it is known.`,
  ];
}

/** What vendors and practitioners say, judged for this job. */
function claims({ save, study }: StoragePlan): string[] {
  const at = (seconds: number) => goodput(seconds, study.costs);
  const [four, five, thirty] = [at(4 * 3600), at(300), at(1800)];
  const best = study.best.goodput;
  const isPossible = save.leastIntervalSeconds <= 300;
  const isFourRight = best - four < 0.01;
  const isRangeRight =
    best - Math.max(five, thirty) < 0.01 || (study.best.intervalSeconds >= 300 && study.best.intervalSeconds <= 1800);
  const overhead = save.stallSeconds / (4 * 3600);
  return [
    `“Every 4 hours, with saving below 5 %” (guidance that VAST quotes from NVIDIA): saving would take ${shortShare(overhead)}, and ${shortShare(four)} of the time would train${isFourRight ? ', which is within a point of the best.' : `, against ${shortShare(best)}: at a failure every ${shortTime(save.mtbfSeconds)} too much work is done twice.`}`,
    `“Every 5 to 30 minutes” (practitioners): ${isPossible ? `${shortShare(five)} and ${shortShare(thirty)} of the time would train` : `every 5 minutes saves would pile up, as one takes ${shortTime(save.saveSeconds)}`}. ${isRangeRight ? 'That holds for this job.' : study.best.intervalSeconds < 300 ? 'This job should save more often.' : 'This job need not save so often.'} Both rules are the same formula with another failure rate and another stall.`,
  ];
}
