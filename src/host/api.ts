import type * as vscode from 'vscode';
import type { CheckState } from '../protocol/messages.js';
import type { RunState } from './report/inspectionRun.js';

/** What can be seen of bandwidth checks. None is started from here: that is for whoever sees what would be written. */
export interface BandwidthApi {
  readonly onDidChange: vscode.Event<void>;
  panels(): { target: string; title: string; state: CheckState }[];
}

/** What `activate` returns: enough for other extensions and tests to see which reports are open and how far they are. */
export interface StowageApi {
  /** How long activation took. */
  readonly activationMs: number;
  readonly onDidChangeReports: vscode.Event<void>;
  reports(): { uri: vscode.Uri; title: string; visible: boolean; state: RunState }[];
  cancel(uri: vscode.Uri): void;
  refresh(uri: vscode.Uri): void;
  /** Open panels of bandwidth checks; null where nothing can be measured. */
  readonly bandwidth: BandwidthApi | null;
}
