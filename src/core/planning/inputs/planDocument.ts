/** A plan as it is kept in a `*.stowage-plan.json` file: the inputs that are given, and where each number comes from. */
import type { MeasuredPart } from '../size/plannedSize.js';
import type { StorageSystem } from '../systems/storageSystem.js';
import type { OwnAmounts } from './sitesFile.js';
import type { PlanInputs, PlanKey } from './planInputs.js';

/** `measured`: of files; `read`: in a config; `set`: typed; `site`: of a system in the sites file; an input without an origin is assumed. */
export interface InputOrigin {
  kind: 'measured' | 'read' | 'preset' | 'set' | 'site';
  /** Where: a file's name, a paper. */
  text: string;
}

/** A checkpoint that there is, for what a policy would keep of it. */
export interface SavedCheckpoint {
  path: string;
  step: number | null;
  bytes: number;
  /** When its newest file was written, seconds since 1970; null where the file system does not say. */
  savedAtSeconds: number | null;
  /** False where the save was interrupted. */
  isFinished: boolean;
  /** True where a pointer file names it as the latest. */
  isLatest: boolean;
}

/** What the systems of a sites file give a plan. */
export interface Supplied {
  /** Inputs that the plan does not set itself, and where each is from. */
  inputs: Partial<PlanInputs>;
  origins: Partial<Record<PlanKey, InputOrigin>>;
  /** Systems with the prices of the file, which take the place of those that are known of them; null where they are as known. */
  store: StorageSystem | null;
  objectStore: StorageSystem | null;
  /** All of the file, each as a row. */
  rows: OwnRow[];
}

export interface OwnRow {
  /** As the file has it. */
  name: string;
  system: StorageSystem;
  amounts: OwnAmounts;
}

export interface PlanDocument {
  /** What it is called: a preset's or a report's name. */
  name: string;
  /** What is given; all else has its default. */
  inputs: Partial<PlanInputs>;
  origins: Partial<Record<PlanKey, InputOrigin>>;
  /** Parts of the checkpoint that was measured; empty without one. */
  measured: MeasuredPart[];
  /** Checkpoints of the run that was measured; empty without one. */
  saved: SavedCheckpoint[];
  /** Of the sites file that goes with the plan; never written to the plan's own file. */
  supplied?: Supplied;
}

/** What a plan file declares itself as. */
export const planKind = 'stowage-plan';
export const planFileVersion = 1;
/** Of what `stowage plan --json` prints, which is read as a plan too. */
export const planReportVersion = 2;

export const planSuffix = '.stowage-plan.json';
