import type * as vscode from 'vscode';
import type { RunsReport } from '../core/runs/runsReport.js';
import type { CheckState, ComparisonState, VerificationState } from '../protocol/messages.js';
import type { RunState } from './report/inspectionRun.js';

/** What can be seen of bandwidth checks. None is started from here: that is for whoever sees what would be written. */
export interface BandwidthApi {
  readonly onDidChange: vscode.Event<void>;
  panels(): { target: string; title: string; state: CheckState }[];
}

/** What can be seen of runs. */
export interface RunsApi {
  readonly onDidFind: vscode.Event<void>;
  /** Of the Checkpoints view. */
  found(): { uri: vscode.Uri; label: string; checkpoints: string[] }[];
  readonly onDidList: vscode.Event<void>;
  /** What the panel of a directory lists; null before it has. */
  listed(uri: vscode.Uri): RunsReport | null;
  follow(uri: vscode.Uri, isFollowed: boolean): void;
}

/** What can be seen of comparisons. */
export interface ComparisonsApi {
  /** One has ended. */
  readonly onDidChange: vscode.Event<void>;
  panels(): { a: vscode.Uri; b: vscode.Uri; title: string; state: ComparisonState }[];
}

/** What `activate` returns: enough for other extensions and tests to see which reports are open and how far they are. */
export interface StowageApi {
  /** How long activation took. */
  readonly activationMs: number;
  readonly onDidChangeReports: vscode.Event<void>;
  reports(): { uri: vscode.Uri; title: string; visible: boolean; state: RunState; verification: VerificationState }[];
  cancel(uri: vscode.Uri): void;
  refresh(uri: vscode.Uri): void;
  readonly runs: RunsApi;
  readonly comparisons: ComparisonsApi;
  /** Open panels of bandwidth checks; null where nothing can be measured. */
  readonly bandwidth: BandwidthApi | null;
}
