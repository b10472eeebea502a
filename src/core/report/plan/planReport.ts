/** What `stowage plan --json` prints; also reopens as a plan. Documented in docs/plan.md. */
import type { PlanDocument } from '../../planning/inputs/planDocument.js';
import type { InputProblem, PlanInputs } from '../../planning/inputs/planInputs.js';
import type { StoragePlan } from '../../planning/storagePlan.js';
import type { PlanPage, PlanRisk } from './planSection.js';

export interface PlanReport {
  schemaVersion: 1;
  kind: 'plan';
  name: string;
  /** Every input in base units; null where the plan derives it. */
  inputs: PlanInputs;
  /** Where inputs that were told come from. */
  origins: PlanDocument['origins'];
  /** Inputs that could not be used. */
  problems: InputProblem[];
  answers: PlanAnswers;
}

export interface PlanAnswers {
  checkpointBytes: number;
  bytesPerParameter: number;
  parts: StoragePlan['size']['parts'];
  writers: StoragePlan['save']['writers'];
  saveSeconds: number;
  stallSeconds: number;
  /** Share of the time in which a save is being written. */
  overlap: number;
  region: StoragePlan['save']['region'];
  requiredBytesPerSecond: number;
  /** Below it saves pile up. */
  leastBytesPerSecond: number;
  mtbfSeconds: number;
  /** `used`: of the plan, told or the exact optimum. */
  intervalSeconds: StoragePlan['save']['optimum'] & { used: number };
  /** Where the time goes; sums to 1. */
  shares: StoragePlan['save']['shares'];
  recommendation: string[];
  impossible: PlanRisk[];
  risks: PlanRisk[];
}

export function planReport(plan: StoragePlan, page: PlanPage, document: PlanDocument, problems: InputProblem[]): PlanReport {
  return {
    schemaVersion: 1,
    kind: 'plan',
    name: document.name,
    inputs: plan.inputs,
    origins: document.origins,
    problems,
    answers: answersOf(plan, page),
  };
}

function answersOf({ size, save }: StoragePlan, { recommendation, impossible, risks }: PlanPage): PlanAnswers {
  return {
    checkpointBytes: size.checkpointBytes,
    bytesPerParameter: size.bytesPerParameter,
    parts: size.parts,
    writers: save.writers,
    saveSeconds: save.saveSeconds,
    stallSeconds: save.stallSeconds,
    overlap: save.overlap,
    region: save.region,
    requiredBytesPerSecond: save.demand.requiredBytesPerSecond,
    leastBytesPerSecond: save.demand.leastBytesPerSecond,
    mtbfSeconds: save.mtbfSeconds,
    intervalSeconds: { ...save.optimum, used: save.intervalSeconds },
    shares: save.shares,
    recommendation,
    impossible,
    risks,
  };
}
