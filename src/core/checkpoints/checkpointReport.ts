import type { PickleImport } from '../formats/pickle/imports/importList.js';
import type { HubRevision } from '../text/hubRevision.js';
import type { LayoutId } from '../text/frameworkLabels.js';
import type { IoReport } from '../bytes/countingSource.js';
import type { Evidence } from '../findings/evidence.js';
import type { FindingReport } from '../findings/finding.js';
import type { LoggedCheck } from '../findings/loggedCheck.js';
import type { ComponentId, TensorPart } from '../tensors/component.js';
import type { LoadReport } from './loadReport.js';

export interface ComponentTotals {
  /** Payload of the component's tensors as it lies on disk. */
  tensorBytes: number;
  /** Pickled objects and framing of the files that belong to this component alone. */
  otherBytes: number;
  /** Payload of the tensors, uncompressed. */
  logicalBytes: number;
  tensors: number;
  files: number;
  /** Payload by what the tensors are within the component; only where there is more than one kind. */
  parts?: Partial<Record<TensorPart, number>>;
}

/** One addend of the bytes-per-parameter sum, e.g. 4 bytes of float32 first moments. */
export interface BytesPerParameterTerm {
  component: ComponentId;
  part: TensorPart;
  /** dtypes of the tensors, largest share first. Empty for bytes that are no tensors. */
  dtypes: string[];
  bytes: number;
  bytesPerParameter: number;
  /** Where the number comes from, e.g. "62 tensors in optimizer.pt". */
  source: string;
}

export interface Topology {
  worldSize: number | null;
  dataParallel: number | null;
  tensorParallel: number | null;
  pipelineParallel: number | null;
  expertParallel: number | null;
  zeroStage: number | null;
  /** Into how many parts most of the weights are cut; absent where each tensor is whole, or files do not tell. */
  weightShards?: number;
}

export interface FileReport {
  /** Relative to the inspected path, with forward slashes. */
  path: string;
  bytes: number;
  /** What kind of file it is, e.g. `safetensors`, `torch-zip`, `json`. */
  format: string;
  /** What it is for, in the framework's words, e.g. `optimizer state`. */
  role: string;
  components: Partial<Record<ComponentId, number>>;
  /** Whose it is where each rank writes its own; a name in `ranks`. */
  rank?: string;
  /** Where a symbolic link points, when it is one. A link to a file that is listed itself counts 0 bytes. */
  link?: string;
  /** The path of another of its names where it is a hard link: on the disk both are one file. */
  sameFileAs?: string;
  /** Set for a file of training state that holds weights which no file of the model has: without it the model is lost. */
  onlyCopyOfWeights?: true;
}

export interface TensorReport {
  name: string;
  dtype: string;
  shape: number[];
  bytes: number;
  component: ComponentId;
  files: string[];
}

/**
 * `state-only`: state that loads beside a model, such as the optimizer's, and no model. `unknown`: contents that this version does not
 * list. `none`: there is no checkpoint, and nothing that should be one. `broken` comes with a finding of severity error.
 */
export type ResumeVerdict = 'complete' | 'partial' | 'weights-only' | 'state-only' | 'unknown' | 'broken' | 'none';

/** `load`: another size loads it; `convert`: after a conversion; `no`: only the size that saved it. */
export type SizeChange = 'load' | 'convert' | 'no';

export interface SizeChanges {
  dataParallel: SizeChange;
  tensorParallel: SizeChange;
  pipelineParallel: SizeChange;
}

/** Whether a job of other sizes can load the checkpoint. */
export interface Reshard {
  /** `any`: all sizes on load; `convert`: some after a conversion; `same`: some never. */
  can: 'any' | 'same' | 'convert';
  detail: string;
  changes: SizeChanges;
  /** What converts it; null where nothing is needed, or nothing does. */
  command: string | null;
  /** Sizes of the model that bound those of a job; absent where the files do not state them. */
  model?: ModelSizes;
}

/** What tensor- and pipeline-parallel ranks divide among them; null where the files do not say. */
export interface ModelSizes {
  attentionHeads: number | null;
  /** Groups of heads that share keys and values; null where each head has its own. */
  queryGroups: number | null;
  layers: number | null;
  /** Rows of the embedding; absent where a framework pads them itself. */
  vocabulary?: number | null;
}

/** Whether a job of certain sizes can go on from it. */
export interface ResumeElsewhere {
  ranks: number;
  dataParallel: number;
  tensorParallel: number;
  pipelineParallel: number;
  can: 'yes' | 'convert' | 'no' | 'unknown';
  why: string;
  command: string | null;
}

/** A pointer to the latest checkpoint that leads to none. */
export interface BrokenPointer {
  /** The pointer's file or link. */
  path: string;
  /** What it names, or should name. */
  target: string;
  fault: 'target-missing' | 'target-unfinished' | 'pointer-missing';
}

export interface ResumeReport extends Evidence {
  verdict: ResumeVerdict;
  present: ComponentId[];
  missing: { component: ComponentId; effect: string }[];
  /** Why the verdict is `broken`, or `unknown` where a file of state makes unexpected calls; finding codes. */
  blockedBy: string[];
  /** The pointer to the latest checkpoint that leads to none: the checkpoint loads by an explicit path alone. Absent where nothing can be loaded. */
  pointer?: BrokenPointer;
  /** Absent where the layout has no ranks, and where nothing can be loaded. */
  reshard?: Reshard;
  /** Sizes in the model's config, where one states them. */
  model?: ModelSizes;
  /** Present where sizes of a job were given. */
  elsewhere?: ResumeElsewhere;
}

export type ObjectKind =
  | 'dict'
  | 'list'
  | 'tuple'
  | 'set'
  | 'object'
  | 'text'
  | 'number'
  | 'boolean'
  | 'none'
  | 'bytes'
  | 'tensor'
  | 'array'
  | 'global'
  | 'reference'
  | 'omitted';

/** A node of a pickled or JSON object, as data. `text` is display text taken from the file: show it as text, never as markup. */
export interface ObjectNode {
  /** Key, attribute name or index under which the parent holds it; empty at the root. */
  key: string;
  kind: ObjectKind;
  /** Class name for an object, e.g. `argparse.Namespace`. */
  type?: string;
  /** The value of a leaf, a short description of an inner node. */
  text: string;
  /** Number of entries there are, which may be more than `children` holds. */
  count?: number;
  children?: ObjectNode[];
}

export interface ObjectReport {
  path: string;
  root: ObjectNode;
}

/** Bytes that several files hold. `basis` is `sampled` where some of them were compared, `names` where names, dtypes and shapes alone say so. */
export interface StoredTwiceItem extends Evidence {
  what: string;
  bytes: number;
  paths: string[];
  /** The framework's setting that stops it. */
  setting: string | null;
}

/** What one rank wrote. */
export interface RankReport {
  /** In the framework's words, e.g. `3` or `dp 1 · mp 0`. */
  rank: string;
  bytes: number;
  files: number;
  /** When the newest of its files was written, ISO 8601; null where the file system does not say. */
  modified: string | null;
}

/** One checkpoint of a run. */
export interface RunCheckpoint {
  /** Relative to the inspected path. */
  path: string;
  layout: LayoutId;
  step: number | null;
  bytes: number;
  files: number;
  /** When its newest file was written, ISO 8601; null where the file system does not say. */
  modified: string | null;
  verdict: ResumeVerdict;
  /** False where the save was interrupted. */
  finished: boolean;
  /** The checkpoint of the run that this one repeats, as far as both were compared: it is no step of its own. */
  copyOf?: string;
}

/** A file or a link that says which checkpoint is the latest. */
export interface RunPointer {
  path: string;
  target: string;
  exists: boolean;
  /** Present where the target is behind a link that leads out of the inspected directory: it is there, and was not read. */
  followed?: false;
}

/** The checkpoint of a run that loads, where it is not the newest. */
interface LoadedCheckpoint {
  path: string;
  /** The file or link that names it. */
  pointer: string;
}

/** A setting or position that the files state: learning rate, betas, epoch, batch size, ... */
export interface StateFact {
  /** Stable id, e.g. `learningRate`. */
  id: string;
  label: string;
  value: string;
  path: string;
  keyPath: string;
}

/** Everything that is known of one checkpoint. The panel, the command line and the exports all show this object. */
export interface CheckpointReport {
  schemaVersion: 2;
  kind: 'checkpoint';
  path: string;
  /** Of a revision in the cache of the Hugging Face Hub. */
  revision?: HubRevision;
  layout: LayoutId;
  framework: { name: string; version: string | null };
  step: number | null;
  totalBytes: number;
  parameters: {
    stored: number;
    unique: number;
    /** How `unique` was found, in one sentence. */
    source: string;
    /** Files of the save that are missing: then parameters, and bytes for each, are of what is here. Absent where none is known to be. */
    missingFiles?: number;
    /** Packed tensors of which nothing tells what they unpack to: `unique` and `stored` are without them. Absent where there are none. */
    uncountedTensors?: number;
  };
  /** totalBytes / parameters.unique, opened into its terms; null where there are no parameters. */
  bytesPerParameter: { value: number; terms: BytesPerParameterTerm[] } | null;
  components: Partial<Record<ComponentId, ComponentTotals>>;
  topology: Topology;
  /** What each rank wrote, in the ranks' order; empty where the files are nobody's in particular. */
  ranks: RankReport[];
  /** Present for a directory of checkpoints. */
  run?: {
    checkpoints: RunCheckpoint[];
    pointers: RunPointer[];
    /** Present where a pointer names an older checkpoint than the newest: the verdict is of that one. */
    loaded?: LoadedCheckpoint;
  };
  files: FileReport[];
  tensorCount: number;
  /** Present when tensors were asked for (`--tensors`); the panel pages them instead. */
  tensors?: TensorReport[];
  /** How optimizer tensors were matched to parameters, where there are optimizer tensors. */
  optimizerMatch: {
    method: 'by-name' | 'by-order-and-shape' | 'none';
    matched: number;
    total: number;
    explanation: string;
  } | null;
  /** Bytes that lie on disk more than once; each item says what that rests on. */
  storedTwice: { bytes: number; items: StoredTwiceItem[] };
  facts: StateFact[];
  objects: ObjectReport[];
  findings: FindingReport[];
  /** What was checked, and what cannot be known from headers. */
  checks: { done: string[]; notDone: string[] };
  /** Readings of all bytes that a log beside the path has; absent without any. */
  loggedChecks?: LoggedCheck[];
  resume: ResumeReport;
  /** Whether the config, the tokenizer and the tensors fit each other; absent where there is no model to load. */
  load?: LoadReport;
  pickleImports: PickleImport[];
  io: IoReport;
}
