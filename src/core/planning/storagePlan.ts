/** From the inputs of a plan to all of its answers. Pure and quick: the panel makes a plan for every key that is pressed. */
import { actionsOf, type PlanAction } from './advice/actions.js';
import { blockersOf, type Blocker } from './advice/feasibility.js';
import { betterPlan, recommendationOf, type Recommendation } from './advice/recommendation.js';
import { riskPlan, type RiskPlan } from './advice/risks.js';
import { sensitivityPlan, type SensitivityPlan } from './advice/sensitivity.js';
import type { PlanDocument } from './inputs/planDocument.js';
import { fitPresetReplica } from './inputs/presetReplica.js';
import { planKeys, standardInputs, type PlanInputs, type PlanKey } from './inputs/planInputs.js';
import { keepingCost, type KeepingCost } from './keeping/cost.js';
import { deletion, type Deletion } from './keeping/deletion.js';
import { objectRequests, type ObjectRequests } from './keeping/objectRequests.js';
import { advisedKeep, growthOf, quotaOf, type Growth, type Quota } from './keeping/quota.js';
import { boughtGpuPricePerHour } from './money/gpuMoney.js';
import { keptThatFit, peakIn, retention, type Retention } from './keeping/retention.js';
import { chooseBandwidth } from './saving/bandwidthChoice.js';
import { emergencyPlan, type EmergencyPlan } from './saving/emergency.js';
import { bandwidthFrontier, type BandwidthFrontier } from './saving/frontier.js';
import { intervalStudy, type IntervalStudy } from './saving/intervalStudy.js';
import { saveLevels, type SaveLevels } from './saving/levels.js';
import { usualObjectRate } from './saving/objectRate.js';
import { restorePlan, type RestorePlan } from './saving/restore.js';
import { fitSaving } from './saving/saveModeFit.js';
import { savePlan, type SavePlan } from './saving/savePlan.js';
import { frameworkInputs } from './settings/frameworkDefaults.js';
import { planSettings, type PlanSettings } from './settings/planSettings.js';
import { plannedSize, type PlannedSize } from './size/plannedSize.js';
import { guidance, type Guidance } from './systems/guidance.js';
import { siteInputs } from './systems/siteDefaults.js';
import { furtherStoreOf, objectSystemOf, systemOf, type PlanStores } from './systems/storageSystems.js';
import { tierPlan, type TierRow } from './systems/tierPlan.js';
import { dataFeed, type DataFeed } from './training/dataFeed.js';
import { gpuInputs } from './training/gpuModels.js';
import { secondsOfRun } from './training/stepTime.js';
import { fitToMemory } from './training/memoryFit.js';
import { trainingMemory, type TrainingMemory } from './training/memory.js';
import { offload, type Offload } from './training/offload.js';

/** All that a plan answers. Each part is the work of the function of its name. */
export interface StoragePlan {
  /** Every input, given or the default. */
  inputs: PlanInputs;
  size: PlannedSize;
  save: SavePlan;
  study: IntervalStudy;
  frontier: BandwidthFrontier;
  restore: RestorePlan;
  levels: SaveLevels;
  emergency: EmergencyPlan;
  /** To paste; null without a framework. */
  settings: PlanSettings | null;
  retention: Retention;
  /** The room that there is; null where as much is bought as is needed. */
  quota: Quota | null;
  /** By quarters of a year, where nothing is removed. */
  growth: Growth[];
  cost: KeepingCost;
  /** Of one checkpoint to the object store: the storage itself where that is one; null without any. */
  requests: ObjectRequests | null;
  /** Of the checkpoints that there are; null without any. */
  deletion: Deletion | null;
  tiers: TierRow[];
  guidance: Guidance;
  feed: DataFeed;
  memory: TrainingMemory;
  offload: Offload;
  sensitivity: SensitivityPlan;
  /** What makes the plan impossible, in the order in which it would be met. */
  blockers: Blocker[];
  risks: RiskPlan;
  recommendation: Recommendation;
  /** The most important first; at most three. */
  actions: PlanAction[];
  /** The plan that is advised where that is not the one of the given interval: what to do, room and settings are its. Null where it is the same. */
  advised: StoragePlan | null;
}

/** @param document inputs that were checked, as readPlanFile and presets give them. Never throws. */
export function makePlan(
  document: Pick<PlanDocument, 'inputs' | 'measured' | 'saved' | 'supplied'> & Partial<Pick<PlanDocument, 'origins'>>,
): StoragePlan {
  const { supplied } = document;
  const given = fitPresetReplica({ ...supplied?.inputs, ...document.inputs }, document.origins);
  const open = completeInputs(given);
  const stores = { store: supplied?.store ?? systemOf(open.store), further: furtherOf(open, supplied?.objectStore ?? null) };
  const size = plannedSize(open, document.measured);
  const save = savePlan(open, size, chooseBandwidth(open, size));
  const restore = restorePlan(open, size, save);
  const levels = saveLevels(open, size, save, restore);
  const inputs = given.keepLast == null ? { ...open, keepLast: keptThatFit(open, size, save, levels) ?? open.keepLast } : open;
  const kept = retention(inputs, size, save, levels);
  const cost = keepingCost(inputs, size, save, kept, { restore, levels, stores });
  const feed = dataFeed(inputs, save.topology.nodes, save.demand.requiredBytesPerSecond);
  // Rows of full training save the whole model.
  const wholeBytes =
    size.basis === 'adapters' ? plannedSize({ ...inputs, tuning: 'full' }).checkpointBytes : size.checkpointBytes;
  const memory = trainingMemory(inputs, save.topology, wholeBytes);
  const objects = objectSystemOf(inputs);
  const objectSeconds = objects?.id === inputs.store ? save.saveSeconds : size.checkpointBytes / inputs.objectBytesPerSecond;
  const parts = { inputs, size, save, restore, levels, study: intervalStudy(inputs, size, save) };
  const better = betterPlan(parts);
  const frontier = bandwidthFrontier(better?.inputs ?? inputs, size, better?.save ?? save, peakIn(kept, 'store'));
  const emergency = emergencyPlan(inputs, size, levels);
  const recommendation = recommendationOf({ ...parts, frontier, better });
  const sensitivity = sensitivityPlan(inputs, size, save);
  const blockers = blockersOf({ ...parts, memory }, given);
  const quota = quotaOf(inputs, size, save, levels, kept);
  const isMeasured = document.origins?.writeBytesPerSecond?.kind === 'measured';
  return {
    ...parts,
    frontier,
    emergency,
    settings: planSettings(inputs, levels, recommendation.wanted.intervalSeconds, advisedKeep(inputs, quota)),
    retention: kept,
    quota,
    growth: growthOf(size, kept),
    cost,
    requests: objects?.objects == null ? null : objectRequests(size, save.writers, objects.objects, objectSeconds),
    deletion: deletion(document.saved, inputs),
    tiers: tierPlan(inputs, size, levels, kept, cost, stores),
    guidance: guidance(inputs, size, save, kept, { given: document.inputs, own: supplied?.rows ?? [], stores }),
    feed,
    memory,
    offload: offload(inputs, save.topology, memory.perParameter, feed.tokensPerSecond),
    sensitivity,
    blockers,
    risks: riskPlan({ ...parts, emergency }, given),
    recommendation,
    actions: actionsOf({ ...parts, frontier, emergency, quota, recommendation, sensitivity, blockers }, given, isMeasured),
    advised: better === null ? null : makePlan({ ...document, inputs: withInterval(inputs, document.inputs, better.save, save) }),
  };
}

/** The given inputs with the interval left to the plan: of more saves no more stay for ever, and no more are exported. */
function withInterval(
  { keepEvery, exportEvery }: PlanInputs,
  { intervalSeconds: _seconds, intervalSteps: _steps, ...given }: Partial<PlanInputs>,
  better: SavePlan,
  planned: SavePlan,
): Partial<PlanInputs> {
  const scaled = (every: number) => Math.max(1, Math.round((every * planned.intervalSeconds) / better.intervalSeconds));
  return {
    ...given,
    ...(keepEvery === 0 ? {} : { keepEvery: scaled(keepEvery) }),
    ...(exportEvery === 0 ? {} : { exportEvery: scaled(exportEvery) }),
  };
}

/** The object store behind the storage, with its own prices where the sites file has some. */
function furtherOf(inputs: PlanInputs, own: PlanStores['further']): PlanStores['further'] {
  const further = furtherStoreOf(inputs);
  return further === null ? null : (own ?? further);
}

/** Defaults for what is not given, as far as training fits GPU memory with them; the length of a run follows from its steps where these have a length. */
export function completeInputs(given: Partial<PlanInputs>): PlanInputs {
  const values: Record<string, unknown> = {
    ...standardInputs,
    ...gpuInputs(given.gpu),
    ...siteInputs(given),
    ...frameworkInputs(given.framework),
  };
  for (const key of planKeys) if (given[key] !== undefined) values[key] = given[key];
  values['gpuPricePerHour'] =
    boughtGpuPricePerHour(values as Record<PlanKey, unknown> as PlanInputs) ?? values['gpuPricePerHour'];
  const fitting = fitToMemory(given, values as Record<PlanKey, unknown> as PlanInputs);
  const toObjects = given.objectBytesPerSecond ?? usualObjectRate(fitting);
  const reaching = { ...fitting, objectBytesPerSecond: toObjects };
  const inputs = { ...reaching, ...fitSaving(given, reaching) };
  if (given.runSeconds != null) return inputs;
  return { ...inputs, runSeconds: secondsOfRun(inputs) ?? inputs.runSeconds };
}
