import type { ClusterPlace } from '../core/planning/cluster/clusterCommands.js';
import type { ClusterOutputs } from '../core/planning/cluster/clusterFacts.js';
import type { CheckErrorCode } from '../core/bandwidth/checkError.js';
import type { CheckPreview } from '../core/bandwidth/checkPreview.js';
import type { CheckSettings } from '../core/bandwidth/checkSettings.js';
import type { CheckProgress } from '../core/bandwidth/measurement.js';
import type { BandwidthReport } from '../core/bandwidth/bandwidthReport.js';
import type { SideName } from '../core/comparison/comparedCheckpoint.js';
import type { ComparisonReport } from '../core/comparison/comparisonReport.js';
import type { Report } from '../core/inspection/report.js';
import type { EstimateReport, PlacedEstimate } from '../core/estimates/estimateReport.js';
import type { WhatIfChanges } from '../core/pages/estimate/whatIf.js';
import type { HeatMap } from '../core/pages/values/heatMap.js';
import type { ScannedValues } from '../core/pages/values/scannedValues.js';
import type { SliceGrid } from '../core/pages/values/sliceGrid.js';
import type { ReportedRun, RunsReport } from '../core/runs/runsReport.js';
import type { VerificationReport } from '../core/verification/verification.js';
import type { VerifyProgress } from '../core/verification/verifyTree.js';
import type { ValuesProgress, ValuesReport } from '../core/values/valuesReport.js';
import type { ModulePage, TensorDetail, TensorFacets, TensorPage, TensorQuery } from '../core/tensors/tensorQuery.js';

/** How far an inspection is. Sent at most every 50 ms. */
export interface InspectionProgress {
  filesDone: number;
  filesTotal: number;
  bytesRead: number;
  /** The file that is being read, relative to the root. */
  file: string;
  /** While raw text is sampled: places that were looked at, and how many there are. */
  sampling?: { placesDone: number; placesTotal: number };
}

/** An inspection that gave no report at all (the path cannot be read, or it was cancelled). */
export interface InspectionFailure {
  code: string;
  message: string;
  path: string;
}

/** How far an inspection goes beyond headers. */
export interface InspectionDepth {
  /** Of a dataset: read the lengths of all samples, however many there are. */
  allLengths?: boolean;
  /** Of several things in one directory this one. */
  part?: string;
}

/** What the inspection worker answers; the host passes the same questions on from the webview. */
export interface InspectionRequests {
  tensorPage(params: { query: TensorQuery; from: number; count: number }): TensorPage;
  modulePage(params: { query: TensorQuery; toggled: string[]; from: number; count: number }): ModulePage;
  tensorFacets(params: Record<string, never>): TensorFacets;
  tensorDetail(params: { row: number }): TensorDetail;
  /** A part of the matrix of a tensor's last two axes: `rows` and `columns` from `index` on, which has the first index of each axis. */
  tensorGrid(params: { row: number; index: number[]; rows: number; columns: number }): SliceGrid | NoSlice;
  /** The whole matrix as a picture, or rows and columns of it. */
  tensorHeatMap(params: { row: number; index: number[] }): HeatMap | NoSlice;
}

/** Why there is no slice of a tensor, as a sentence. */
export interface NoSlice {
  why: string;
}

/** How far reading values is: of one tensor by its row, of all of them where that is null. Sent at most every 50 ms. */
export interface ReadingProgress extends ValuesProgress {
  row: number | null;
}

/** What is known of the bytes of what a panel shows. Progress is sent at most every 50 ms. */
export type VerificationState = ReadingState<VerificationReport, VerifyProgress>;

/** What is known of the values of all tensors of what a panel shows. Progress is sent at most every 50 ms. */
export type ValuesState = ReadingState<ScannedValues, ValuesProgress>;

/** What is known of the values of one tensor, by its row; of none where that is null. Progress is sent at most every 50 ms. */
export interface TensorValuesState {
  row: number | null;
  state: ReadingState<ValuesReport, ValuesProgress>;
}

/** A reading of all bytes: not asked for, under way, or what came of it. */
export type ReadingState<Report, Progress> =
  | { kind: 'none' }
  | { kind: 'running'; progress: Progress | null }
  | { kind: 'done'; report: Report }
  | { kind: 'failed'; message: string };

export type TensorExportFormat = 'csv' | 'arrow';

/** Requests from the report panel to the host. */
export interface ReportPanelRequests extends InspectionRequests {
  /** Copies the report as Markdown to the clipboard. */
  copyMarkdown(params: Record<string, never>): null;
  /** Compares all bytes with every checksum that there is of them. @param params `create`: and writes a manifest beside the path */
  verify(params: { create: boolean }): null;
  cancelVerification(params: Record<string, never>): null;
  /** Copies what the last verification found as Markdown to the clipboard. */
  copyVerification(params: Record<string, never>): null;
  /** Reads the values of all tensors. */
  scanValues(params: Record<string, never>): null;
  cancelValues(params: Record<string, never>): null;
  /** Reads the values of one tensor: all of its bytes. Ends the reading of another one. */
  readTensorValues(params: { row: number }): null;
  cancelTensorValues(params: Record<string, never>): null;
  /** Copies what the last scan found as Markdown to the clipboard. */
  copyValues(params: Record<string, never>): null;
  /** Copies text that the user selected in the panel (rows as TSV, a path, a number). */
  copyText(params: { text: string }): null;
  /** Asks where to and saves the report as JSON. Answers the file name, or null when the user thought better of it. */
  saveJson(params: Record<string, never>): string | null;
  /** Asks where to and saves all tensors that match the query. */
  saveTensors(params: { format: TensorExportFormat; query: TensorQuery }): string | null;
  /** Opens a file of the checkpoint; in the hex editor at the offset, where one is installed. */
  openFile(params: { path: string; offsetBytes: number | null }): null;
  /** Shows what was inspected in the Explorer, or in the system's file manager where it is outside of the workspace. */
  reveal(params: Record<string, never>): null;
  /** Opens the report of a checkpoint of the run, or of a part of the collection, by its path in the report; `part` where several share one. */
  inspectCheckpoint(params: { path: string; part?: string }): null;
  /** Opens a plan whose numbers are the report's. */
  plan(params: Record<string, never>): null;
  /** Opens a bandwidth check where the next checkpoint would be saved. */
  checkBandwidth(params: Record<string, never>): null;
  /** Asks for another checkpoint and opens the comparison with it. */
  compare(params: Record<string, never>): null;
  /** Inspects the same path again; of a dataset all lengths, where that is asked for. */
  /** @param moreMemory twice as much as before, for one that ended with `out-of-memory` */
  refresh(params: InspectionDepth & { moreMemory?: boolean }): null;
  /** Asks for a tokenizer.json and inspects again with it. Answers its name, or null when the user thought better of it. */
  chooseTokenizer(params: Record<string, never>): string | null;
  cancel(params: Record<string, never>): null;
}

/** What a panel shows that is given back after the window was reloaded: its page keeps the address with its view. */
export interface RestoredPanelEvents {
  /** Sent first. */
  source: { uri: string };
}

/** Events from the host to the report panel. */
export interface ReportPanelEvents extends RestoredPanelEvents {
  /** The inspection has begun; the panel shows its frame. */
  started: { path: string; name: string };
  progress: InspectionProgress;
  verification: VerificationState;
  /** A command outside of the page asked for a tab. */
  showTab: { tab: 'integrity' };
  values: ValuesState;
  tensorValues: TensorValuesState;
  report: { name: string; report: Report };
  failed: InspectionFailure;
  /** Copies of the table in which a context menu was opened. */
  copyFromTable: { extent: 'cell' | 'row' | 'rows' };
}

/** Events from the panel to the host. `ready` comes first; the host sends nothing before it. */
export interface ReportPanelSignals {
  ready: Record<string, never>;
}

/** A chart as a file beside a text. */
export interface ChartFile {
  name: string;
  svg: string;
}

/** Requests from the plan panel to the host. The page reads and computes the plan itself; the host keeps its text. */
export interface PlanPanelRequests {
  /** The plan's text after a change. */
  change(params: { text: string }): null;
  /** Saves the plan's file; asks where to, the first time. */
  save(params: Record<string, never>): null;
  /** Shows the plan's file as text. */
  openText(params: Record<string, never>): null;
  /** Asks where to and writes the text there, charts into `folder` beside it. Answers the file's name, or null. */
  exportPlan(params: { text: string; ending: string; folder: string; charts: ChartFile[] }): string | null;
  /** Asks for the name of a Kubernetes storage class or volume; null where none is given. */
  askVolume(params: { hint: string }): string | null;
  /** Asks whether to run the commands that read a cluster's facts, and runs them; null where they were not run. */
  readCluster(params: Record<string, never>): { place: ClusterPlace; outputs: ClusterOutputs } | null;
  copyText(params: { text: string }): null;
}

/** Events from the host to the plan panel. */
export interface PlanPanelEvents {
  /** The plan's file as it is now; sent first, and whenever something but this panel has changed it. */
  plan: { text: string; fileName: string };
  /** Whether there are changes that are not saved, and what the file is called now. */
  file: { fileName: string; isChanged: boolean };
}

/** Events from the plan panel to the host. `ready` comes first. */
export interface PlanPanelSignals {
  ready: Record<string, never>;
}

/** Requests from the panel of an estimate to the host. */
export interface EstimatePanelRequests extends Pick<ReportPanelRequests, 'copyMarkdown' | 'copyText' | 'plan' | 'reveal'> {
  /** Shows the config, at an offset of its text in UTF-16 units where one is given. */
  openConfig(params: { offset: number | null }): null;
  /** The estimate with values in place of the config's; null for what is no config any more. */
  whatIf(params: { changes: WhatIfChanges }): EstimateReport | null;
}

/** Events from the host to the panel of an estimate. */
export interface EstimatePanelEvents extends RestoredPanelEvents, Pick<ReportPanelEvents, 'copyFromTable'> {
  /** The estimate as the config is now; null for what is no config of a model or a training run. */
  estimate: { name: string; path: string; estimate: PlacedEstimate | null };
  /** The config could not be read. */
  failed: { name: string; path: string; message: string };
}

/** Events from the panel of an estimate to the host. `ready` comes first. */
export interface EstimatePanelSignals {
  ready: Record<string, never>;
}

/** Requests from the panel of runs to the host. */
export interface RunPanelRequests extends Pick<
  ReportPanelRequests,
  'copyMarkdown' | 'copyText' | 'reveal' | 'checkBandwidth' | 'inspectCheckpoint'
> {
  /** Opens the panel of one run of several, by its path in the report. */
  openRun(params: { path: string }): null;
  /** Opens a plan that begins with what the saves of a run took. */
  plan(params: Pick<ReportedRun, 'path' | 'names'>): null;
  /** Lists again. */
  refresh(params: Record<string, never>): null;
  /** Lists again whenever files are written, or no more. */
  follow(params: { isFollowed: boolean }): null;
}

/** Events from the host to the panel of runs. */
export interface RunPanelEvents extends RestoredPanelEvents, Pick<ReportPanelEvents, 'copyFromTable'> {
  runs: { name: string; path: string; report: RunsReport; isFollowed: boolean; underWay: string };
  failed: { name: string; path: string; message: string };
}

/** Events from the panel of runs to the host. `ready` comes first. */
export interface RunPanelSignals {
  ready: Record<string, never>;
}

/** A comparison of headers and small files, with how far both inspections are together. Cancelled where it is `none`. */
export type ComparisonState = ReadingState<ComparisonReport, InspectionProgress>;

/** The same with values, which are read when that is asked for. */
export type ComparedValuesState = ReadingState<ComparisonReport, ValuesProgress>;

/** Requests from the panel of a comparison to the host. */
export interface ComparePanelRequests extends Pick<ReportPanelRequests, 'copyMarkdown' | 'copyText' | 'saveJson'> {
  /** Puts A on the right and B on the left, and compares again. */
  swapSides(params: Record<string, never>): null;
  /** Compares again. */
  refresh(params: Record<string, never>): null;
  cancel(params: Record<string, never>): null;
  /** Opens the report of a side. */
  inspectSide(params: { side: SideName }): null;
  /** Reads the values of all tensors that both have. @param params `share`: of each tensor, above 0 and up to 1 */
  compareValues(params: { share: number }): null;
  cancelValues(params: Record<string, never>): null;
}

/** Events from the host to the panel of a comparison. */
export interface ComparePanelEvents extends RestoredPanelEvents, Pick<ReportPanelEvents, 'copyFromTable'> {
  /** What is compared; sent before anything of it, also after the sides were swapped. */
  sides: Record<SideName, { name: string; path: string }> & { readsValues: boolean };
  comparison: ComparisonState;
  values: ComparedValuesState;
}

/** Events from the panel of a comparison to the host. `ready` comes first. */
export interface ComparePanelSignals {
  ready: Record<string, never>;
}

export type BandwidthExport = 'report.json' | 'report.md' | 'history.json' | 'history.csv';

/** Where a check stands. */
export type CheckState =
  | { phase: 'before' }
  | { phase: 'running'; progress: CheckProgress[] }
  | { phase: 'done'; report: BandwidthReport }
  | { phase: 'failed'; failure: CheckFailure };

/** A check that gave no report. */
export interface CheckFailure {
  code: CheckErrorCode;
  /** Of core or the system, in plain words. */
  detail: string;
}

/** Requests from the bandwidth panel to the host. */
export interface BandwidthPanelRequests {
  /** What a check with these settings would write and where; nothing is written. Ends the showing of an earlier result. */
  preview(params: { settings: CheckSettings }): CheckPreview;
  /** Asks a second time where that is due, then measures. Answers false where the user thought better of it. */
  start(params: { settings: CheckSettings }): boolean;
  cancel(params: Record<string, never>): null;
  /** Asks for a directory: to be measured, or whose checkpoint is replayed. Null where the user thought better of it. */
  chooseDirectory(params: { purpose: 'target' | 'replayOf' }): string | null;
  /** Removes what an earlier check left behind; the path is one that a preview has named. */
  removeLeft(params: { path: string }): null;
  /** Opens a plan by the text of its file. */
  plan(params: { text: string }): null;
  /** Asks where to and saves a text: a report, its charts into `folder` beside it, or all results of the directory. Answers the file's name, or null. */
  save(params: { what: BandwidthExport; text: string; folder: string; charts: ChartFile[] }): string | null;
  copyText(params: { text: string }): null;
}

/** Events from the host to the bandwidth panel. */
export interface BandwidthPanelEvents {
  /** Sent first, also to a page that was hidden and is shown again: what the check begins with, or how far it is. */
  opened: { settings: CheckSettings; state: CheckState };
  progress: CheckProgress;
  done: { report: BandwidthReport };
  failed: CheckFailure;
  /** Earlier results of the same directory, the newest last, as they were kept: not all of them may be reports. */
  history: { reports: unknown[] };
}

/** Events from the bandwidth panel to the host. `ready` comes first. */
export interface BandwidthPanelSignals {
  ready: Record<string, never>;
}
