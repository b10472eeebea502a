import type { EstimateChanges } from '../app/estimates/estimateChanges.js';
import type { ConfigFact } from '../core/estimates/assessConfig.js';
import type { EstimateReport, PlacedEstimate } from '../core/estimates/estimateReport.js';
import type { FoundText } from '../core/configs/configKind.js';
import type { Span } from '../core/configs/document/configNode.js';
import type { EstimateLinks } from '../core/pages/estimate/estimateHover.js';
import type { RpcEndpoint } from '../protocol/rpc.js';
import type { WorkerDeath } from './startedWorker.js';
import type { RootPaths } from './readableRoots.js';

/** Where a config lies: in a folder of this machine, or on one of the editor's file systems. */
export type ConfigPlace =
  { kind: 'local'; folder: string; /** Where files may be that it names. */ rootPaths: RootPaths } | { kind: 'virtual' };

/** A config that was estimated. Its parsed form stays with the estimator, under its key. */
export interface EstimatedConfig {
  /** `8.03 B parameters · checkpoint …`; empty where there is nothing to say. */
  lens: string;
  /** Whether it is of checkpoints, for which storage is planned. */
  isSaved: boolean;
  /** What will hurt, with places in the text. */
  facts: ConfigFact[];
}

/** What an estimator answers. Texts are estimated once, under a key that the others take. */
export interface EstimatorRequests {
  /** Null for what is no config of a model or a training run. */
  estimate(params: { key: string; path: string; place: ConfigPlace; text: string }): EstimatedConfig | null;
  /** The card over a place of the text; null where no key is that the estimate rests on. */
  card(params: { key: string; offset: number; links: EstimateLinks }): { text: string; span: Span } | null;
  /** The whole estimate; null for what is no config. */
  report(params: { key: string }): PlacedEstimate | null;
  /** The same with values in place of the config's. @throws InputError */
  changed(params: { key: string; changes: EstimateChanges }): EstimateReport | null;
  /** The whole estimate as Markdown; null for what is no config. */
  page(params: { key: string; changes?: EstimateChanges }): string | null;
  /** The text of a plan file whose numbers are the config's; null for what is no config. */
  plan(params: { key: string }): string | null;
  forget(params: { key: string }): void;
}

/** What an estimator asks back for a config on a virtual file system. */
export interface EstimatorBackRequests {
  read(params: { key: string; path: string }): FoundText | null;
}

/** Estimates configs while they are edited. */
export interface Estimator {
  readonly endpoint: RpcEndpoint<EstimatorRequests, Record<never, never>, Record<never, never>>;
  /** Called once when it died by itself. */
  onDidDie(listener: (death: WorkerDeath) => void): void;
  dispose(): void;
}
