import { ImportTable } from '../formats/pickle/imports/importTable.js';
import type { FoundImport } from '../formats/pickle/imports/importList.js';
import type { PickleValue } from '../formats/pickle/pickleValue.js';
import type { Reshard, StateFact, Topology } from './checkpointReport.js';
import type { LayoutId } from '../text/frameworkLabels.js';
import type { Finding } from '../findings/finding.js';
import type { ComponentId } from '../tensors/component.js';
import { TensorTable } from '../tensors/tensorTable.js';
import type { RoleId } from '../files/roleLabels.js';

/** A stretch of a file. */
export interface Span {
  offset: number;
  bytes: number;
}

/** One listed file as a layout understands it. */
export interface FilePart {
  path: string;
  /** Bytes that this file counts for; 0 for a link to another listed file. */
  sizeBytes: number;
  format: string;
  /** What files of the format alone are, once it was read. */
  layout?: LayoutId;
  role: RoleId;
  /** Set where the role is that of any file of its format: nothing promises a model. */
  isRoleOfFormat?: true;
  /** What the words of the role end with: the models that the data are of. */
  roleOf?: string;
  /** What the file's bytes are when its tensors do not say otherwise. */
  component: ComponentId;
  modifiedMs: number | null;
  link?: string;
  /** True for a link to a directory whose files are listed, too. */
  isWithin?: true;
  /** See `FileEntry`. */
  fileId?: string;
  /** Whose file it is where each rank writes its own, e.g. `3` or `dp 1 · mp 0`. */
  rank?: string;
  /** What its reader compares; empty for one that takes all it finds. Absent where the file's name alone says what it is. */
  checks?: string;
  /** Set where reading failed: what an index lists of the file is missing for that reason alone. */
  isUnreadable?: true;
  /** Stretches that belong to a component without being a listed tensor. */
  claims: (Span & { component: ComponentId })[];
  unexplained: Span[];
}

/** A pickled object or a JSON file, kept to be shown and to look for settings in. */
export interface StateObject {
  path: string;
  value: { kind: 'pickle'; root: PickleValue } | { kind: 'json'; root: unknown };
}

/** Bytes that a layout knows to lie on disk twice. */
export interface Duplicate {
  what: string;
  bytes: number;
  paths: string[];
  /** The framework's setting that stops it. */
  setting: string | null;
}

/** What a layout made of a directory; the ledger, the assessment and the report are made of this. */
export interface Parts {
  layout: LayoutId;
  framework: { name: string; version: string | null };
  step: number | null;
  topology: Topology;
  tensors: TensorTable;
  /** One for each listed entry, in the listing's order: a piece's file number is an index into it. */
  files: FilePart[];
  objects: StateObject[];
  facts: StateFact[];
  /** What the files' pickles import, by full name. */
  imports: ImportTable<FoundImport>;
  findings: Finding[];
  /** Texts of the files' own metadata, by path and key. */
  metadata: Map<string, Map<string, string>>;
  /** How many parameters there are, where the files state it apart from the weights' shapes. */
  parameters?: { unique: number; source: string };
  /** What a save for resuming holds in this layout. */
  expected?: readonly ComponentId[];
  reshard?: Reshard;
  /** Components of which only counters and settings are left: they are not present. */
  remnants?: ReadonlySet<ComponentId>;
  /** True for the files beside the checkpoints of a run, which are of none. */
  isBesideRun?: true;
  duplicates: Duplicate[];
  /** Files whose names leave open what they are, and which were too many to open. */
  leftClosed: number;
  /** Positions of files whose weights are those of another file in another format or under other names. */
  copies?: ReadonlySet<number>;
  /** Positions of files that hold another model than that of the directory. */
  otherModels?: ReadonlySet<number>;
  /** Positions of files that transformers leaves closed beside those that it opens: see `unopenedFiles`. */
  unopened?: ReadonlySet<number>;
  /** Rows of weights that another model-parallel rank holds as well: see `findReplicas`. */
  replicas?: ReadonlySet<number>;
}

/** Parts in which nothing was found yet. `files` is filled as files are opened. */
export function emptyParts(files: FilePart[] = []): Parts {
  return {
    layout: 'unknown',
    framework: { name: 'unknown', version: null },
    step: null,
    topology: unknownTopology(),
    tensors: new TensorTable(),
    files,
    objects: [],
    facts: [],
    imports: new ImportTable(({ kind }) => kind),
    findings: [],
    metadata: new Map(),
    duplicates: [],
    leftClosed: 0,
  };
}

/** A topology of which nothing is known. */
export function unknownTopology(): Topology {
  return {
    worldSize: null,
    dataParallel: null,
    tensorParallel: null,
    pipelineParallel: null,
    expertParallel: null,
    zeroStage: null,
  };
}
