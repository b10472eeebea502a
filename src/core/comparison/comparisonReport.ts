/** Two checkpoints side by side, as `stowage compare` reports them. A is the left one: what is `added` is in B alone. */
import type { IoReport } from '../bytes/countingSource.js';
import type { CheckpointReport, ResumeVerdict, Topology } from '../checkpoints/checkpointReport.js';
import type { FindingReport } from '../findings/finding.js';
import type { ComponentId, TensorPart } from '../tensors/component.js';
import type { LayoutId } from '../text/frameworkLabels.js';

/** One of both values of a difference; `a` or `b` is null where that side has none. */
export interface Sides<Value> {
  a: Value;
  b: Value;
}

/** What a side is. */
export interface ComparedSide {
  path: string;
  /** True where a single file was named, not the directory that it is in. */
  isFile: boolean;
  layout: LayoutId;
  framework: CheckpointReport['framework'];
  step: number | null;
  totalBytes: number;
  parameters: Pick<CheckpointReport['parameters'], 'stored' | 'unique'>;
  files: number;
  topology: Topology;
  resume: ResumeVerdict;
}

export interface TensorForm {
  dtype: string;
  shape: number[];
}

export interface NamedForm extends TensorForm {
  name: string;
}

/** A tensor that both have, with another dtype or shape. Of fused tensors both shapes are that of the one that holds the others. */
export interface ChangedTensor extends Sides<TensorForm> {
  /** As A stores it. */
  name: string;
}

/** Tensors of both sides that hold the same weights, several of them on one side at least: query, key and value, or all layers of a stack. */
export interface FusedTensors extends Sides<string[]> {
  /** How many there are; the lists have the first `limits.comparedFusedNames`. */
  counts: Sides<number>;
}

/** What the names of one side have and those of the other lack. */
export interface NameLevel {
  side: 'a' | 'b';
  /** `language_model.`; several levels where there are any. */
  level: string;
  /** What both have before it, as `model.`; empty at the beginning of the names. */
  before: string;
  /** How many names. */
  names: number;
}

/** A tensor that one side alone stores, as the other has it under the name that it is tied to. */
export interface TensorTie {
  /** The side that stores it. */
  side: 'a' | 'b';
  name: string;
  /** What it is tied to, as that side stores it. */
  to: string;
  /** Both have the same bytes of a file, or config.json sets `tie_word_embeddings`: then its values may be others, which `--values` compares. */
  by: 'storage' | 'config';
}

/**
 * Tensors of the model, each name once. A list has at most `limits.comparedDifferences` entries, in the order of the side that it is of; how many there
 * are is in `counts`.
 */
export interface TensorDifferences {
  /** Equal in name, dtype and shape, and those that two frameworks name and shape differently. Fused ones count once. Values are another matter: see `values`. */
  same: number;
  added: NamedForm[];
  removed: NamedForm[];
  /** Equal but for the name. Absent from it are names that differ because two layouts write them differently: these tensors are `same`. */
  renamed: { from: string; to: string }[];
  /** What all renamed ones differ by, where that is one thing. */
  level?: NameLevel;
  changed: ChangedTensor[];
  /** They are no difference: each is in `same`, or with other dtypes in `changed`. */
  fused: FusedTensors[];
  fusedCount: number;
  /** Tensors that one side alone stores and that are tied to one that both have. They are in no list of differences. */
  tied: number;
  /** Each of `tied`, at most 512: present where there are any. */
  ties?: TensorTie[];
  /** Files in which a side has tensors a second time, which are in no list: present where there are any. Their values are not compared. */
  copies?: Sides<string[]>;
  counts: { added: number; removed: number; renamed: number; changed: number };
  /** Which tensors of each side were compared; null where that side has none with names. */
  of: Sides<'weights' | 'masterWeights' | null>;
}

/** Bytes of a component with the containers that are its own, and its tensors. */
export interface ComponentSize {
  bytes: number;
  tensors: number;
}

/** What is known of a side's optimizer. */
export interface OptimizerSide {
  /** As the files name it, such as `AdamW`; null where they do not. */
  kind: string | null;
  bytes: number;
  tensors: number;
  /** How many tensors there are of each part: first moments, second moments, others. */
  parts: Partial<Record<TensorPart, number>>;
  /** Entries of `param_groups`; null where the files do not state it. */
  groups: number | null;
  /** Parameters by whose names moments are stored; null where they are stored by numbers. */
  namedParameters: number | null;
}

export interface OptimizerDifferences extends Sides<OptimizerSide | null> {
  /** Parameters of which one side alone has moments; empty where a side has no names. At most `limits.comparedDifferences` each. */
  onlyA: string[];
  onlyB: string[];
  counts: { onlyA: number; onlyB: number };
  /** Present where values were read and both have tensors of its state by one name. */
  values?: OptimizerValues;
}

/** The values of the moments, and of other state of an optimizer, master weights with it. */
export interface OptimizerValues {
  tensors: number;
  equal: number;
  different: number;
  /** Those that differ the most, in the order of A; at most `limits.comparedDifferences`. */
  differences: ValueDifference[];
  notRead: { name: string; reason: string }[];
  notReadCount: number;
}

/** A setting, position or size that differs. Texts are as the files write them. */
export interface SettingDifference extends Sides<string | null> {
  /** The id of a fact (`learningRate`), or a dotted key of a config (`rope_scaling.factor`). */
  name: string;
  /** `state` for facts of the training state, `topology` for sizes of the job, `config` for keys of JSON files. */
  kind: 'state' | 'topology' | 'config';
  /** In words, for those that have any: `learning rate`. */
  label: string;
  /** The file that states it, relative to each side. */
  files: Sides<string | null>;
}

export type FileState = 'same' | 'changed' | 'added' | 'removed';

/** A file of the tokenizer that one side or both have. */
export interface TokenizerFileDifference {
  name: string;
  state: FileState;
  /** Bytes; null where the side has none. */
  sizes: Sides<number | null>;
}

export interface FileDifferences {
  /** False between two layouts, whose files have nothing to do with each other, unless one side is a single file that the other has. */
  areMatched: boolean;
  /** Of equal path and size. Contents are not compared. */
  sameSize: number;
  added: { path: string; bytes: number }[];
  removed: { path: string; bytes: number }[];
  resized: ({ path: string } & Sides<number>)[];
  counts: { added: number; removed: number; resized: number };
}

/** Something that another checkpoint changes for the job that resumes from it. */
export interface ResumeChange {
  id:
    | 'step'
    | 'learningRate'
    | 'optimizer-setting'
    | 'model-setting'
    | 'unused-argument'
    | 'scheduler'
    | 'batch'
    | 'run-length'
    | 'precision'
    | 'seed'
    | 'verdict'
    | 'missing-state'
    | 'more-state'
    | 'ranks'
    | 'optimizer'
    | 'tensors'
    | 'tokenizer'
    | 'data-position'
    | 'layout';
  /** In one sentence, with the fact that it rests on. */
  sentence: string;
  a: string | null;
  b: string | null;
}

/** What was left out, and why. */
export interface NotCompared {
  what: 'tensors' | 'optimizer' | 'config' | 'tokenizer' | 'values' | 'steps';
  /** Null where it is because of both. */
  side: 'a' | 'b' | null;
  reason: string;
}

/** What was found on one side, or of both together where `side` is null. */
export interface ComparisonFinding extends FindingReport {
  side: 'a' | 'b' | null;
}

/** Two tensors of equal shape, element by element; d is b - a. */
export interface ValueDifference {
  /** As A stores it. */
  name: string;
  /** As B stores it, where that is another name. */
  nameInB?: string;
  elements: number;
  /** Those that were read: fewer of a sample. */
  compared: number;
  /** Whether all numbers that were read are equal; NaN equals NaN here, and 0 equals -0. */
  isEqual: boolean;
  /** The largest |d| and the mean of all that are finite on both sides; null where none is. */
  maxAbs: number | null;
  meanAbs: number | null;
  /** Of both as vectors; null where the norm of one is 0 or not finite. */
  cosine: number | null;
  /** |b - a| / |a| with the 2-norm; the denominator is that of A. Null where that is 0 or not finite. */
  relativeL2: number | null;
  /** Elements that are NaN or infinite on either side and not alike; they are in no sum. */
  notFinite: number;
  /** Elements that are NaN or infinite on each side, alike or not. */
  notFiniteIn: Sides<number>;
  /** Present where the number of rows alone differs: of the first ones, which both have, are all other members. */
  rows?: { common: number } & Sides<number>;
  /** True where values differ and one side is the other, rounded: each difference comes from that. */
  isRounded?: true;
  /** The type that it was rounded to, which the side may store in a wider one. */
  roundedTo?: string;
  /** True where codes are stored whose scales are elsewhere: then there are no distances. */
  areCodes?: true;
}

/** The tensors of a layer together, or all that are in none. */
export interface LayerDifference {
  /** `layers.3`; empty for what is in no layer. */
  layer: string;
  tensors: number;
  equal: number;
  elements: number;
  maxAbs: number | null;
  meanAbs: number | null;
  cosine: number | null;
  relativeL2: number | null;
}

/** What was found of all values together; present with `values`. */
export interface ValuesCompared {
  tensors: number;
  equal: number;
  different: number;
  /** Of these tensors those of which the first rows alone were compared, as one side has more. Present where there are any. */
  resized?: number;
  /** In the order of A. */
  layers: LayerDifference[];
  /** How many layers there are. */
  layerCount: number;
  /** Null where everything was read. */
  sample: { share: number; seed: number } | null;
  /** Pairs without numbers, and why. */
  notRead: { name: string; reason: string }[];
  notReadCount: number;
  bytesRead: number;
}

/** One step of two runs. */
export interface ComparedStep {
  step: number;
  paths: Sides<string | null>;
  bytes: Sides<number | null>;
}

/** Two runs by the steps of their checkpoints. */
export interface RunDifferences {
  both: number[];
  onlyA: number[];
  onlyB: number[];
  counts: { both: number; onlyA: number; onlyB: number };
  /** In order, at most `limits.comparedDifferences`. */
  steps: ComparedStep[];
  /** The first step that both have at which the sizes differ; null where none does. */
  firstOtherSize: number | null;
  /** The first step that both have at which learning rates differ, where the files state them; null where none does. */
  firstOtherLearningRate: number | null;
  /** The first of these steps at which settings differ, and which, by their ids and in words; null where none do. */
  firstOtherSettings: { step: number; names: string[]; labels: string[] } | null;
  /** Steps that both have of which settings were compared: the first ones, up to the first other learning rate. */
  settingSteps: number;
}

export interface ComparisonReport {
  kind: 'comparison';
  schemaVersion: 2;
  a: ComparedSide;
  b: ComparedSide;
  /** No difference was found. Where values were asked for, all of tensors and of the optimizer were read; else `notCompared` says what was compared. */
  isSame: boolean;
  tensors: TensorDifferences;
  /** Those that either side has; a side without one has 0 bytes of it. */
  components: Partial<Record<ComponentId, Sides<ComponentSize>>>;
  optimizer: OptimizerDifferences;
  /** Those that differ, at most `limits.comparedDifferences`. */
  settings: SettingDifference[];
  settingCount: number;
  tokenizer: TokenizerFileDifference[];
  files: FileDifferences;
  /** What a job that resumes from B finds other than one that resumes from A; empty where nothing is known to be. */
  resume: ResumeChange[];
  /** Present for two directories with several checkpoints. */
  run?: RunDifferences;
  /** Present where values were read; at most `limits.comparedDifferences`, those with the largest `relativeL2`, in the order of A. */
  values?: ValueDifference[];
  valuesCompared?: ValuesCompared;
  /** Damage and missing files of each side, which its differences may come from; then what the values show. */
  findings: ComparisonFinding[];
  notCompared: NotCompared[];
  /** Of both inspections and what was read for the comparison. */
  io: IoReport;
}
