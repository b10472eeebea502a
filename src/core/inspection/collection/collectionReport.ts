import type { IoReport } from '../../bytes/countingSource.js';
import type { ResumeVerdict } from '../../checkpoints/checkpointReport.js';
import type { LoadReport } from '../../checkpoints/loadReport.js';
import type { CountReport, DatasetLayoutId } from '../../datasets/datasetReport.js';
import type { Severity } from '../../findings/defineFinding.js';
import type { FindingReport } from '../../findings/finding.js';
import type { LoggedCheck } from '../../findings/loggedCheck.js';
import type { CollectionLayoutId, LayoutId } from '../../text/frameworkLabels.js';
import type { CacheReport, RevisionReport } from '../hubCache/cacheReport.js';
import type { HubRevision } from '../../text/hubRevision.js';
import type { PartName } from './partName.js';

/** What every part of a collection has. */
interface PartFacts {
  /** Relative to the inspected path: inspected by itself, it gives the report of this part. */
  path: string;
  /** What tells it from parts that share its path. */
  name: PartName;
  totalBytes: number;
  files: number;
  /** Bytes that its files take on the disk; null where the file system does not say. */
  allocatedBytes: number | null;
  /** Who owns its files; null where that is not known, or where they are of several. */
  owner: string | null;
  /** Of the file that was written last; null where no file has a time. */
  modifiedMs: number | null;
  findings: Partial<Record<Severity, number>>;
  /** Each code once. */
  findingCodes: string[];
  /** Of a revision in the cache of the Hugging Face Hub. */
  revision?: RevisionReport;
}

export type PartLoad = Pick<LoadReport, 'framework' | 'architecture' | 'verdict' | 'why'>;

export interface CheckpointPart extends PartFacts {
  kind: 'checkpoint';
  layout: LayoutId;
  /** Of a run the newest. */
  step: number | null;
  /** Of a run; 1 for a single checkpoint. */
  checkpoints: number;
  /** Distinct parameters of the weights. */
  parameters: number;
  verdict: ResumeVerdict;
  /** Whether it loads; the tables are in its own report. Absent where it has no load check. */
  load?: PartLoad;
}

export interface DatasetPart extends PartFacts {
  kind: 'dataset';
  layout: DatasetLayoutId;
  samples: CountReport | null;
  tokens: CountReport | null;
  verdict: null;
}

export type CollectionPart = CheckpointPart | DatasetPart;

/** Several things under one directory: runs, models, data sets. Each has a report of its own. */
export interface CollectionReport {
  schemaVersion: 2;
  kind: 'collection';
  path: string;
  /** Absent where the directory has no layout of its own. */
  layout?: CollectionLayoutId;
  /** Where all of it is one revision in the cache of the Hugging Face Hub. */
  revision?: HubRevision;
  /** Sum over the parts and what is beside them; of a cache over `cache.usage`, as revisions share blobs. */
  totalBytes: number;
  allocatedBytes: number | null;
  /** The largest first. */
  parts: CollectionPart[];
  /** Files that belong to no part. */
  other: { bytes: number; files: number };
  /** Where there are repositories of the cache of the Hugging Face Hub. */
  cache?: CacheReport;
  /** Of the directory as a whole. Those of a part are in its own report. */
  findings: FindingReport[];
  checks: { done: string[]; notDone: string[] };
  /** Readings of all bytes, of the directory or of parts of it, that logs beside them have; absent without any. */
  loggedChecks?: LoggedCheck[];
  io: IoReport;
}
