/** What `stowage estimate --json` prints and hovers, lenses and the language-model tool show of a config. Documented in docs/report.md. */
import type { ConfigKindId } from '../text/frameworkLabels.js';
import type { OptimizerId, Precision, SaveMode, Sharding } from '../configs/trainingPlan.js';
import type { SizeTermName } from './checkpointSize.js';
import type { ServingSize } from './servingSize.js';

export interface EstimateReport {
  schemaVersion: 2;
  kind: 'estimate';
  path: string;
  /** Which program's config it is. */
  config: ConfigKindId;
  /** The config evaluates, generates or serves: no checkpoint is written, and sizes of it are 0. */
  trainsNothing: boolean;
  model: EstimatedModel | null;
  /** Why no model is counted, and what gives one; null where one is. */
  missingModel: EstimatedMissingModel | null;
  /** Null where the model is not known. */
  parameters: EstimatedParameters | null;
  /** What the model takes in memory while it serves; null where its config is not known. */
  serving: ServingSize | null;
  training: EstimatedTraining;
  checkpoint: EstimatedCheckpoint;
  run: EstimatedRun;
  /** Tokens that the run reads, once tokenized; null where the config does not say how many. */
  data: EstimatedData | null;
  assumptions: { about: string; text: string; source: string }[];
  /** Keys whose values could not be used. */
  unresolved: { key: string; text: string; why: string }[];
  findings: ConfigFinding[];
}

export interface EstimatedModel {
  name: string;
  modelType: string | null;
  /**
   * `architecture`: exact, all sizes in the config; `class-defaults`: sizes that it leaves out (`defaulted`) are its class's; `shapes`: an estimate from the usual sizes;
   * `base-vocabulary`: as `architecture`, before the run adds tokens; `given`: a number in the file.
   */
  basis: 'architecture' | 'base-vocabulary' | 'class-defaults' | 'shapes' | 'given';
  /** Size keys that the config leaves out. */
  defaulted: string[];
  /** Where the model's sizes were found; null for the config itself. */
  origin: string | null;
  /** Tensors of one name and shape, the largest first. */
  tensors: { name: string; shape: number[]; copies: number; parameters: number; tied: boolean }[];
  /** Of the weights alone, as the config's dtype or quantization stores them. */
  storedBytes: number | null;
  storedAs: string | null;
}

export interface EstimatedMissingModel {
  why: 'not-set' | 'not-found' | 'unknown-architecture';
  /** As the config names it, or its architecture; null where it names none. */
  name: string | null;
  text: string;
  advice: string;
}

export interface EstimatedParameters {
  /** Tied weights in each place, of which an encoder with a decoder has up to four. */
  total: number;
  unique: number;
  /** What one token passes. */
  active: number;
  /** Null where an adapter's targets are not known. */
  trainable: number | null;
  /** Stored by publishers beside the model as it is loaded: prediction layers, scales. */
  extras: { name: string; parameters: number }[];
}

export interface EstimatedTraining {
  steps: number | null;
  epochs: number | null;
  saveIntervalSteps: number | null;
  /** Null where the config does not say. */
  saveMode: SaveMode | null;
  /** Null where all are kept, or the config does not say. */
  keep: number | null;
  /** Steps between those that stay for ever, whatever `keep` is. */
  keepEverySteps: number | null;
  sequenceLength: number | null;
  globalBatch: number | null;
  microBatch: number | null;
  accumulation: number | null;
  tokensPerStep: number | null;
  precision: Precision | null;
  optimizer: OptimizerId | null;
  /** Of an adapter; null without one. */
  adapterRank: number | null;
  /** Bits of a base model's weights that only an adapter is trained beside (QLoRA); null where they are as usual. */
  loadBits: 4 | 8 | null;
  zeroStage: number | null;
  /** What data-parallel ranks share, by a ZeRO stage, FSDP or a distributed optimizer. */
  sharding: Sharding | null;
  /** Ranks that hold one copy together; null for all of the data-parallel ones. */
  shardDegree: number | null;
  worldSize: number | null;
  gpusPerNode: number | null;
  dataParallel: number | null;
  tensorParallel: number | null;
  pipelineParallel: number | null;
  contextParallel: number | null;
  expertParallel: number | null;
}

export interface EstimatedCheckpoint {
  bytes: number | null;
  bytesPerParameter: number;
  /** What `bytesPerParameter` divides by; an adapter's checkpoint holds only its own parameters. */
  parameters: number | null;
  /** More is saved beside it that is not counted (a critic), so that its bytes and those of the run are lower bounds. */
  isAtLeast: boolean;
  terms: { name: SizeTermName; dtype: string; bytesPerParameter: number; bytes: number | null; source: string }[];
  /** What an adapter's checkpoint holds, the largest first; null without an adapter, whose base model is not saved. */
  adapter: SavedModule[] | null;
}

/** Modules of one name pattern: with an adapter's matrices, or trained and saved whole. */
export interface SavedModule {
  module: string;
  parameters: number;
  whole: boolean;
}

export interface EstimatedRun {
  /** Checkpoints that are written, what is saved at the last step included. */
  saves: number | null;
  kept: number | null;
  /** On disk at the end of the run: the kept checkpoints, `temporaryBytes` and `endBytes`. */
  bytes: number | null;
  /** The most at once: where checkpoints are deleted, the next is written before the oldest goes. */
  peakBytes: number | null;
  writtenBytes: number | null;
  /** Of the last checkpoint where it holds weights alone; null where it is like the others. */
  lastBytes: number | null;
  /** Of what is written once more when training ends, into a folder of its own; null where nothing is. */
  endBytes: number | null;
  /** Of `bytes`, those of checkpoints that only the next one replaces; null where there are none. */
  temporaryBytes: number | null;
  /** Free on the file system that the config lies on; null where that is not known. */
  freeBytes: number | null;
}

export interface EstimatedData {
  tokens: number;
  bytesPerToken: number;
  bytes: number;
}

export type ConfigFindingCode =
  | 'checkpoints-exceed-free-space'
  | 'every-checkpoint-kept'
  | 'vocabulary-exceeds-token-dtype'
  | 'sharded-weights-not-gathered'
  | 'weights-only-cannot-resume'
  | 'save-interval-refused'
  | 'fp16-weights-in-mixed-precision'
  | 'value-unusable';

export interface ConfigFinding {
  code: ConfigFindingCode;
  severity: 'error' | 'warning' | 'note';
  /** Key path in the config, joined with dots. */
  key: string;
  message: string;
  advice: string;
}

/** A report with the places in the text that it is about. */
export interface PlacedEstimate {
  report: EstimateReport;
  /** Where each finding and each value that is not resolved is, in UTF-16 units as editors count them, in the order of the report. */
  offsets: { findings: number[]; unresolved: number[] };
}
