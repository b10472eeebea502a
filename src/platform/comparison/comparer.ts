import type { SideName } from '../../core/comparison/comparedCheckpoint.js';
import type { ComparisonReport } from '../../core/comparison/comparisonReport.js';
import type { ValuesProgress } from '../../core/values/valuesReport.js';
import type { InspectionProgress } from '../../protocol/messages.js';
import type { RpcEndpoint } from '../../protocol/rpc.js';
import type { InspectionTarget } from '../inspectionTarget.js';
import type { HostFiles } from '../hostFiles.js';
import type { WorkerDeath } from '../startedWorker.js';

/** Both sides of a comparison. */
export type ComparisonTarget = Record<SideName, InspectionTarget>;

/** What a comparer answers about both of its sides. Everything but `compare` is about what was compared last. */
export interface ComparerRequests {
  /** @param params.values share of each tensor that is read of its values, 1 for all of it; null for none */
  compare(params: { values: number | null }): ComparisonReport;
  /** What was compared last, with A as B; nothing is inspected again, and no value read again. */
  swap(params: Record<string, never>): ComparisonReport;
  markdown(params: Record<string, never>): string;
  json(params: Record<string, never>): string;
}

export interface ComparerEvents {
  /** How far both inspections are together. Sent at most every 50 ms. */
  inspecting: InspectionProgress;
  readingValues: ValuesProgress;
}

/** What a comparer asks back where files of a side are reached through the host. */
export type ComparerBackRequests = {
  [K in keyof HostFiles]: (params: Parameters<HostFiles[K]>[0] & { side: SideName }) => Awaited<ReturnType<HostFiles[K]>>;
};

/** A running comparer. */
export interface Comparer {
  readonly endpoint: RpcEndpoint<ComparerRequests, Record<never, never>, ComparerEvents>;
  /** Called once when it died by itself, with what is known of the cause. Requests under way are rejected as well. */
  onDidDie(listener: (death: WorkerDeath) => void): void;
  dispose(): void;
}
