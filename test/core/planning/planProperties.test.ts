/**
 * What holds for every plan, whatever is given: it is never beaten by an alternative that it lists itself, more money or bandwidth never
 * trains less, and what it holds against a plan rests on values that are given. `npm run test:exhaustive -- plans` takes 100,000 plans.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Blocker } from '../../../src/core/planning/advice/feasibility.js';
import type { Risk } from '../../../src/core/planning/advice/risks.js';
import type { PlanDocument } from '../../../src/core/planning/inputs/planDocument.js';
import type { PlanInputs, PlanKey } from '../../../src/core/planning/inputs/planInputs.js';
import { costOfPoint } from '../../../src/core/planning/saving/frontier.js';
import { frugalLossShare, goodput } from '../../../src/core/planning/saving/interval.js';
import { makePlan, type StoragePlan } from '../../../src/core/planning/storagePlan.js';
import { zeroStages } from '../../../src/core/planning/training/memoryFit.js';
import { randomDocument } from '../../builders/randomPlan.js';
import { realisticDocument } from '../../builders/realisticPlan.js';
import { runs } from '../../builders/seed.js';

const anyDocument = fc.oneof({ weight: 1, arbitrary: randomDocument }, { weight: 2, arbitrary: realisticDocument });
const plans = 100_000;
/** Rounding of sums of money and of shares. */
const slack = 1 + 1e-9;

const withInputs = (document: PlanDocument, change: Partial<PlanInputs>): StoragePlan =>
  makePlan({ ...document, inputs: { ...document.inputs, ...change } });
const trainingShare = ({ sensitivity }: StoragePlan): number => 1 - sensitivity.lostShare;

/** One plan for all of them: what they ask of it is cheap beside making it. */
it('no plan is beaten by what it lists itself, and what is held against one is given', () => {
  fc.assert(
    fc.property(anyDocument, (document) => {
      const plan = makePlan(document);
      isNotBeatenByBandwidth(plan);
      isNotBeatenByInterval(plan, document);
      isNotBeatenBySharding(plan, document);
      isNotBeatenBySystem(plan);
      restsOnWhatIsGiven(plan, document);
      isHeldWhateverWasChosen(plan, document);
    }),
    runs(600, plans),
  );
});

function isNotBeatenByBandwidth({ frontier, save, recommendation }: StoragePlan): void {
  const { planned, points, cheaper } = frontier;
  expect(points).toContain(planned);
  const least = Math.min(...points.map(costOfPoint));
  // The search is by steps of a thousandth.
  if (save.bandwidthBasis === 'pays' && recommendation.better === null)
    expect(costOfPoint(planned)).toBeLessThanOrEqual(least * (1 + 2e-3));
  // What is given stays, and a bandwidth that costs clearly less is named.
  if (cheaper === null) expect(costOfPoint(planned) * 0.98).toBeLessThanOrEqual(least * slack);
  else expect(costOfPoint(cheaper)).toBe(least);
}

function isNotBeatenByInterval(plan: StoragePlan, document: PlanDocument): void {
  const { save, study, inputs, recommendation } = plan;
  if (save.intervalBasis === 'given') {
    // Where the given one stays, no free plan is clearly better for no more money.
    const free = withInputs(document, { intervalSeconds: null, intervalSteps: null });
    const isBetter = trainingShare(free) - trainingShare(plan) > 0.002 + 1e-9;
    const isDearer = costOfPoint(free.frontier.planned) > costOfPoint(plan.frontier.planned) / slack;
    if (recommendation.better === null) expect(isBetter && !isDearer).toBe(false);
    return;
  }
  const lost = study.best.goodput - study.planned.goodput;
  // No stall counts for less than a hundredth of a second.
  expect(study.hourly?.goodput ?? 0).toBeLessThanOrEqual(study.best.goodput + (isBounded(plan) ? 1 : 1e-6));
  if (save.bandwidthBasis !== 'pays') expect(lost).toBeLessThanOrEqual(frugalLossShare + 1e-9);
  // It is drawn out only where saves would else be under way for longer than is wanted.
  if (lost > 1e-9) expect(save.saveSeconds / study.best.intervalSeconds).toBeGreaterThan(inputs.overlapTarget * (1 - 1e-9));
  // No chosen interval makes saves pile up, and no shorter one is offered that does.
  if (inputs.saveMode === 'asynchronous') expect(save.saveSeconds).toBeLessThanOrEqual(save.intervalSeconds * slack);
  expect(goodput(save.intervalSeconds, study.costs)).toBe(study.planned.goodput);
}

function isBounded({ save }: StoragePlan): boolean {
  return save.intervalBasis !== 'optimum' && save.intervalBasis !== 'bandwidth';
}

function isNotBeatenBySharding({ memory, inputs }: StoragePlan, document: PlanDocument): void {
  // Adapters are another training, not another sharding.
  const stages = inputs.tuning === 'full' ? memory.rows.filter(({ way }) => way.startsWith('zero-')) : [];
  if (document.inputs.zeroStage === undefined && !memory.planned.fits) expect(stages.filter(({ fits }) => fits)).toEqual([]);
  expect(zeroStages).toContain(inputs.zeroStage);
}

/** Of the systems that are at hand, those that are enough come first. */
function isNotBeatenBySystem({ guidance }: StoragePlan): void {
  const atHand = guidance.verdicts.filter(({ isAvailable }) => isAvailable).map(({ isEnough }) => isEnough);
  expect(atHand).toEqual([...atHand].sort((a, b) => Number(b) - Number(a)));
}

describe('more never trains less', () => {
  it('bandwidth', () => {
    fc.assert(
      fc.property(anyDocument, fc.double({ min: 1, max: 16, noNaN: true }), (document, factor) => {
        const plan = makePlan(document);
        const own = document.inputs.writeBytesPerSecond ?? plan.save.writeBytesPerSecond * plan.inputs.jobs;
        if (own < 1e3 || own * factor > 1e15) return;
        const slower = withInputs(document, { writeBytesPerSecond: own });
        // A bound that slow storage cannot keep is kept by faster storage, for more saves.
        if (slower.blockers.some(({ id }) => id === 'acceptable-loss' || id === 'saves-pile-up')) return;
        if (isBounded(slower) && slower.save.intervalSeconds === slower.save.leastIntervalSeconds) return;
        const faster = withInputs(document, { writeBytesPerSecond: own * factor });
        expect(trainingShare(faster)).toBeGreaterThanOrEqual(trainingShare(slower) - wholeSaves(slower, faster) - 1e-9);
      }),
      runs(300, plans),
    );
  });

  it('budget: cheaper bandwidth, or dearer GPUs', () => {
    fc.assert(
      fc.property(anyDocument, fc.double({ min: 1, max: 16, noNaN: true }), (document, factor) => {
        const price = document.inputs.storePricePerGBps ?? 614;
        const open = { writeBytesPerSecond: null, gpuCapitalDollars: null } as const;
        const dear = withInputs(document, { ...open, storePricePerGBps: price });
        const cheap = withInputs(document, { ...open, storePricePerGBps: price / factor });
        expect(trainingShare(cheap)).toBeGreaterThanOrEqual(trainingShare(dear) - wholeSaves(dear, cheap) - ofSearch(dear));
        const gpuPricePerHour = Math.min(1e6, dear.inputs.gpuPricePerHour * factor);
        const needed = withInputs(document, { ...open, storePricePerGBps: price, gpuPricePerHour });
        expect(trainingShare(needed)).toBeGreaterThanOrEqual(trainingShare(dear) - wholeSaves(dear, needed) - ofSearch(dear));
      }),
      runs(300, plans),
    );
  });
});

/** Bandwidth is found to a thousandth, and what is lost goes with it. */
function ofSearch(plan: StoragePlan): number {
  return 1e-6 + (1 - trainingShare(plan)) * 2e-3;
}

/** Deeper levels get one of so many saves: one more or less is a step, of the loss of one interval. */
function wholeSaves(...plans: readonly StoragePlan[]): number {
  const steps = plans.map(({ levels, save }) =>
    levels.levels.reduce(
      (sum, { failureShare, everySaves }) =>
        sum + ((everySaves ?? 1) > 1 ? (failureShare * save.intervalSeconds) / save.mtbfSeconds : 0),
      0,
    ),
  );
  return Math.max(...steps);
}

const interval = ['intervalSeconds', 'intervalSteps'] as const;
const failures = ['mtbfSeconds', 'gpuMtbfSeconds', 'failureRate'] as const;
const client = [
  'clientBytesPerSecond',
  'networkBytesPerSecond',
  'fileBytesPerSecond',
  'nvmeWriteBytesPerSecond',
  'nvmeReadBytesPerSecond',
] as const;
const rate = ['writeBytesPerSecond', 'objectBytesPerSecond', 'store', 'site', ...client] as const;
const stall = ['stallSeconds', 'fixedStallSeconds', ...rate] as const;

/** Of each group at least one input is given. */
type Groups = readonly (readonly PlanKey[])[];

const blockersRestOn: Readonly<Record<Blocker['id'], Groups>> = {
  // Of what is given no sharding fits: below.
  'gpu-memory': [],
  topology: [['gpus', 'tensorParallel', 'pipelineParallel', 'dataParallel']],
  experts: [['expertParallel']],
  'host-memory': [['hostMemoryBytes'], ['saveMode']],
  'drives-full': [['nvmeCapacityBytes']],
  'store-room': [['storeCapacityBytes', 'nvmeCapacityBytes']],
  'no-drives': [['store'], ['nvmeWriteBytesPerSecond', 'nvmeReadBytesPerSecond']],
  'object-size': [['store']],
  'never-saved': [rate],
  'saves-pile-up': [interval, rate],
  'writers-network': [client],
  'acceptable-loss': [['acceptableLossSeconds'], [...interval, ...rate]],
  walltime: [['walltimeSeconds'], ['restartSeconds', 'readBytesPerSecond', ...stall]],
  'never-restored': [['writeBytesPerSecond', 'readBytesPerSecond'], failures],
  'never-finishes': [failures, ['restartSeconds', ...stall]],
};

const risksRestOn: Readonly<Record<Risk['id'], Groups>> = {
  interval: [interval],
  'slow-restore': [['writeBytesPerSecond', 'readBytesPerSecond']],
  restart: [['restartSeconds']],
  stall: [stall],
  'late-copies': [rate],
  'no-copy': [['store', 'objectStore']],
  'unknown-failures': [failures],
  'no-emergency-save': [['reclaimSeconds'], ['writeBytesPerSecond']],
};

it('nothing is held against a plan where nothing is given', () => {
  const { blockers, risks } = makePlan({ inputs: {}, measured: [], saved: [] });
  expect(blockers).toEqual([]);
  expect(risks.risks).toEqual([]);
});

function restsOnWhatIsGiven({ blockers, risks }: StoragePlan, document: PlanDocument): void {
  const isGiven = (key: PlanKey) => document.inputs[key] != null;
  for (const { id } of blockers)
    for (const group of blockersRestOn[id]) expect(group.some(isGiven), `${id} rests on ${group.join(' or ')}`).toBe(true);
  for (const { id } of risks.risks)
    for (const group of risksRestOn[id]) expect(group.some(isGiven), `${id} rests on ${group.join(' or ')}`).toBe(true);
}

/** A blocker stays whatever the plan had chosen in place of what it chose. */
function isHeldWhateverWasChosen(plan: StoragePlan, document: PlanDocument): void {
  const held = plan.blockers.map(({ id }) => id).filter((id) => !ofTopology.has(id));
  if (held.length === 0) return;
  for (const choice of choicesOf(document, plan)) {
    const other = withInputs(document, choice);
    // Where a stage leaves no room for saving in the background, it is another way of saving.
    if (other.inputs.saveMode !== plan.inputs.saveMode) continue;
    const left = other.blockers.map(({ id }) => id);
    const isRemoved = left.length < plan.blockers.length && left.every((id) => held.includes(id) || ofTopology.has(id));
    expect(isRemoved, `${held.join()} to ${left.join()} by ${JSON.stringify(choice)}`).toBe(false);
  }
}

/** Of the parallel sizes alone, which are all given. */
const ofTopology: ReadonlySet<Blocker['id']> = new Set(['topology', 'experts', 'no-drives']);

/** What the plan could have chosen of what is open: an interval, a bandwidth, what is sharded. */
function choicesOf({ inputs: given }: PlanDocument, { save }: StoragePlan): Partial<PlanInputs>[] {
  const isOpen = (...keys: PlanKey[]) => keys.every((key) => given[key] == null);
  const factors = [0.25, 0.5, 2, 4];
  return [
    ...(isOpen('intervalSeconds', 'intervalSteps')
      ? factors.map((factor) => ({
          intervalSeconds: Math.max(1e-3, save.leastIntervalSeconds, Math.min(3e9, save.intervalSeconds * factor)),
        }))
      : []),
    ...(isOpen('writeBytesPerSecond') && save.bandwidthBasis === 'pays'
      ? factors.map((factor) => ({ writeBytesPerSecond: Math.min(1e15, save.writeBytesPerSecond * factor) }))
      : []),
    ...(isOpen('zeroStage') ? zeroStages.map((zeroStage) => ({ zeroStage })) : []),
    ...(isOpen('activations') ? [{ activations: 'full' } as const] : []),
    ...(isOpen('keepLast') ? [{ keepLast: 1 }] : []),
  ];
}
