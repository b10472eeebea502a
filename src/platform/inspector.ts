import type { ChosenTokenizer } from '../app/inspection/tokenizers.js';
import type { FoundText } from '../core/configs/configKind.js';
import type { Report } from '../core/inspection/report.js';
import type { RunItem } from '../core/pages/runs/runItems.js';
import type { ScannedValues } from '../core/pages/values/scannedValues.js';
import type { ReportedRun, RunsReport } from '../core/runs/runsReport.js';
import type { ValuesReport } from '../core/values/valuesReport.js';
import type { VerificationReport } from '../core/verification/verification.js';
import type { VerifyProgress } from '../core/verification/verifyTree.js';
import type { TensorQuery } from '../core/tensors/tensorQuery.js';
import type {
  InspectionDepth,
  InspectionProgress,
  InspectionRequests,
  ReadingProgress,
  TensorExportFormat,
} from '../protocol/messages.js';
import type { RpcEndpoint } from '../protocol/rpc.js';
import type { Comparer, ComparisonTarget } from './comparison/comparer.js';
import type { BandwidthChecker } from './bandwidth/bandwidthChecker.js';
import type { Estimator } from './estimator.js';
import type { InspectionTarget } from './inspectionTarget.js';
import type { HostFiles } from './hostFiles.js';
import type { WorkerDeath } from './startedWorker.js';

/** What an inspector answers about the runs below its path, by a listing alone. */
export interface RunsRequests {
  /** @param params.isFollowed directories that have not changed since it was last followed are not listed again */
  runs(params: { isFollowed: boolean }): RunsReport;
  /** The same as lines of a tree. */
  runItems(params: Record<string, never>): RunItem[];
  /** The save that a run writes, as far as was listed last; null where none is. */
  underWay(params: Record<string, never>): { text: string; isStalled: boolean } | null;
  /** A file of holds with one more, or without those of a checkpoint; null for a file that is not there yet. */
  editHolds(params: { text: string | null; path: string; reason: string | null }): string;
  /**
   * What the policy of the run lets go, as Markdown and in a sentence. Only of this machine's files.
   * @param params `workspace`: directory in which adapters may need a checkpoint as their base; null for none
   */
  retention(params: { workspace: string | null }): { decision: string; markdown: string };
  /** The scripts that carry out what `retention` answered last. */
  retentionScripts(params: Record<string, never>): { move: string; purge: string };
  /** Of what was listed last. */
  runsMarkdown(params: Record<string, never>): string;
  /** The text of a plan file that begins with what the saves of a run took, by its path and names in the report. */
  planOfRun(params: Pick<ReportedRun, 'path' | 'names'>): string;
}

/** What an inspector answers about the one path it was started for. Everything but `inspect` and `runs` needs a finished inspection. */
export interface InspectorRequests extends InspectionRequests, RunsRequests {
  inspect(params: InspectionDepth & { /** Tokenizes samples of raw text. */ tokenizer?: ChosenTokenizer }): Report;
  /** Inspects and answers a dataset in a few lines of Markdown, with a link to `link`; null for what is no dataset. The report stays here. */
  describeDataset(params: { link: string }): string | null;
  /** CSV as UTF-8, or an Arrow IPC file, of all tensors that match. */
  exportTensors(params: { format: TensorExportFormat; query: TensorQuery }): Uint8Array;
  markdown(params: Record<string, never>): string;
  json(params: Record<string, never>): string;
  /** Compares all bytes with every checksum that there is of them. @param params `create`: and writes a manifest beside the path; `log`: and into its log */
  verify(params: { create: boolean; log: boolean }): VerificationReport;
  /** What `verify` found last, as Markdown. */
  verificationMarkdown(params: Record<string, never>): string;
  /** Reads the values of one tensor: all of its bytes. */
  tensorValues(params: { row: number }): ValuesReport;
  /** Reads the values of all tensors. @param params `log`: and writes into the log beside the path */
  scanValues(params: { log: boolean }): ScannedValues;
  /** What `scanValues` found last, as Markdown. */
  valuesMarkdown(params: Record<string, never>): string;
  /** The text of a plan file whose numbers are the report's. */
  plan(params: Record<string, never>): string;
}

export interface InspectorEvents {
  progress: InspectionProgress;
  verifying: VerifyProgress;
  readingValues: ReadingProgress;
}

/** What an inspector asks back where its files are reached through the host. */
export type InspectorBackRequests = {
  [K in keyof HostFiles]: (params: Parameters<HostFiles[K]>[0]) => Awaited<ReturnType<HostFiles[K]>>;
};

/** A running inspector. It holds the tensor table of its report until it is disposed of. */
export interface Inspector {
  readonly endpoint: RpcEndpoint<InspectorRequests, Record<never, never>, InspectorEvents>;
  /** Called once when it died by itself, with what is known of the cause. Requests under way are rejected as well. */
  onDidDie(listener: (death: WorkerDeath) => void): void;
  dispose(): void;
}

/** Where things run: in worker threads, or within the page where there are none. */
export interface Workers {
  /** @param heapBytes of the inspector's objects at most, where it has a thread of its own */
  startInspector(target: InspectionTarget, heapBytes?: number): Inspector;
  /** Compares two paths; it holds the tables of both while it does. */
  startComparer(target: ComparisonTarget): Comparer;
  /** @param read answers files that configs of virtual file systems name */
  startEstimator(read: ReadBeside): Estimator;
  /** Null where there is no file system to measure: in a browser. */
  startBandwidthChecker: (() => BandwidthChecker) | null;
}

/** Reads a file beside a config on a virtual file system, by the key of the config. */
export type ReadBeside = (params: { key: string; path: string }) => Promise<FoundText | null>;
