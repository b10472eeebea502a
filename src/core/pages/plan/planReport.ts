/** What `stowage plan --json` prints; also reopens as a plan. Documented in docs/plan.md. */
import { planReportVersion, type PlanDocument } from '../../planning/inputs/planDocument.js';
import { inputOrigin } from '../../planning/inputs/inputOrigin.js';
import { planKeys, type InputProblem, type PlanInputs } from '../../planning/inputs/planInputs.js';
import type { Quota } from '../../planning/keeping/quota.js';
import type { StoragePlan } from '../../planning/storagePlan.js';
import { toJson } from '../../text/json.js';
import type { KeyNumber, PlanPage, PlanRisk, PlanStep } from './planSection.js';

export interface PlanReport {
  schemaVersion: typeof planReportVersion;
  kind: 'plan';
  name: string;
  /** Every input in base units; null where the plan derives it. */
  inputs: PlanInputs;
  /** Where inputs that are given come from. */
  origins: PlanDocument['origins'];
  /** Inputs that could not be used. */
  problems: InputProblem[];
  answers: PlanAnswers;
}

/** The numbers that others ask for first, then all that the page shows. */
export interface PlanAnswers extends Omit<
  StoragePlan,
  'inputs' | 'size' | 'save' | 'blockers' | 'risks' | 'recommendation' | 'actions' | 'quota' | 'advised'
> {
  quota: DatedQuota | null;
  /** Of the interval that is advised in place of the given one, which the first page is about; null where that is the same. */
  advised: AdvisedAnswers | null;
  checkpointBytes: number;
  weightBytes: number;
  bytesPerParameter: number;
  parts: StoragePlan['size']['parts'];
  topology: StoragePlan['save']['topology'];
  writers: StoragePlan['save']['writers'];
  saveSeconds: number;
  stallSeconds: number;
  /** Share of the time in which a save is being written. */
  overlap: number;
  region: StoragePlan['save']['region'];
  requiredBytesPerSecond: number;
  /** Below it saves pile up. */
  leastBytesPerSecond: number;
  writeBytesPerSecond: number;
  readBytesPerSecond: number;
  mtbfSeconds: number;
  /** `used`: of the plan, given or the exact optimum. */
  intervalSeconds: StoragePlan['save']['optimum'] & { used: number };
  /** Where the time goes; sums to 1. */
  shares: StoragePlan['save']['shares'];
  /** The numbers behind the headline and what is to be done. */
  decision: StoragePlan['recommendation'];
  headline: string;
  numbers: KeyNumber[];
  actions: PlanStep[];
  recommendation: string[];
  impossible: PlanRisk[];
  risks: PlanRisk[];
}

/** With the moments at which it is full for a run that begins now, as ISO 8601; null where that is never, or no clock is known. */
export interface DatedQuota extends Quota {
  fullAt: string | null;
  fullIfKeptAt: string | null;
}

function originsOf(document: PlanDocument): PlanDocument['origins'] {
  const known = planKeys.map((key) => [key, inputOrigin(document, key)] as const);
  return Object.fromEntries(known.filter(([, origin]) => origin !== undefined));
}

export function planReport(plan: StoragePlan, page: PlanPage, document: PlanDocument, problems: InputProblem[]): PlanReport {
  return {
    schemaVersion: planReportVersion,
    kind: 'plan',
    name: document.name,
    inputs: plan.inputs,
    origins: originsOf(document),
    problems,
    answers: answersOf(plan, page),
  };
}

/** As JSON: a storage system by its id, as what is known of it is no answer of the plan; null for what never ends. */
export function planToJson(report: PlanReport): string {
  const idOfSystem = (key: string, value: unknown): unknown =>
    key === 'system' && typeof value === 'object' && value !== null && 'id' in value ? value.id : value;
  return `${toJson(report, idOfSystem)}\n`;
}

function dated(quota: Quota, { madeAtMs }: PlanPage): DatedQuota {
  const after = (seconds: number | null): string | null => {
    const date = madeAtMs === null || seconds === null ? null : new Date(madeAtMs + seconds * 1000);
    return date === null || Number.isNaN(date.getTime()) ? null : date.toISOString();
  };
  return { ...quota, fullAt: after(quota.fullAfterSeconds), fullIfKeptAt: after(quota.fullIfKeptAfterSeconds) };
}

/** What follows from the interval that is advised. */
export type AdvisedAnswers = Pick<
  StoragePlan,
  'restore' | 'levels' | 'emergency' | 'retention' | 'growth' | 'cost' | 'requests' | 'tiers' | 'guidance' | 'sensitivity'
> & { intervalSeconds: number; quota: DatedQuota | null };

function advisedAnswers(plan: StoragePlan, page: PlanPage): AdvisedAnswers {
  const { restore, levels, emergency, retention, growth, cost, requests, tiers, guidance, sensitivity, quota, save } = plan;
  const more = { restore, levels, emergency, retention, growth, cost, requests, tiers, guidance, sensitivity };
  return { intervalSeconds: save.intervalSeconds, ...more, quota: quota === null ? null : dated(quota, page) };
}

function answersOf(plan: StoragePlan, page: PlanPage): PlanAnswers {
  const { inputs: _inputs, size, save, blockers: _blockers, recommendation: decision, quota, advised, ...more } = plan;
  return {
    checkpointBytes: size.checkpointBytes,
    weightBytes: size.weightBytes,
    bytesPerParameter: size.bytesPerParameter,
    parts: size.parts,
    topology: save.topology,
    writers: save.writers,
    saveSeconds: save.saveSeconds,
    stallSeconds: save.stallSeconds,
    overlap: save.overlap,
    region: save.region,
    requiredBytesPerSecond: save.demand.requiredBytesPerSecond,
    leastBytesPerSecond: save.demand.leastBytesPerSecond,
    writeBytesPerSecond: save.writeBytesPerSecond,
    readBytesPerSecond: save.readBytesPerSecond,
    mtbfSeconds: save.mtbfSeconds,
    intervalSeconds: { ...save.optimum, used: save.intervalSeconds },
    shares: save.shares,
    ...more,
    settings: (advised ?? plan).settings,
    advised: advised === null ? null : advisedAnswers(advised, page),
    quota: quota === null ? null : dated(quota, page),
    decision,
    headline: page.headline,
    numbers: page.numbers,
    actions: page.actions,
    recommendation: page.recommendation,
    impossible: page.impossible,
    risks: page.risks,
  };
}
