import type { PickleValue } from '../formats/pickle/pickleValue.js';
import type { LayoutId, StateFact, Topology } from '../report/checkpointReport.js';
import type { Finding } from '../report/finding.js';
import type { ComponentId } from '../tensors/component.js';
import type { TensorTable } from '../tensors/tensorTable.js';

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
  role: string;
  /** What the file's bytes are when its tensors do not say otherwise. */
  component: ComponentId;
  link?: string;
  /** Stretches that belong to a component without being a listed tensor. */
  claims: (Span & { component: ComponentId })[];
  unexplained: Span[];
}

/** A pickled object or a JSON file, kept to be shown and to look for settings in. */
export interface StateObject {
  path: string;
  value: { kind: 'pickle'; root: PickleValue } | { kind: 'json'; root: unknown };
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
  /** Files that name each pickled global. */
  imports: Map<string, Set<string>>;
  findings: Finding[];
  /** Texts of the files' own metadata, by path and key. */
  metadata: Map<string, Map<string, string>>;
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
