import type * as vscode from 'vscode';
import type { RunState } from './report/inspectionRun.js';

/** What `activate` returns: enough for other extensions and tests to see which reports are open and how far they are. */
export interface StowageApi {
  /** How long activation took. */
  readonly activationMs: number;
  readonly onDidChangeReports: vscode.Event<void>;
  reports(): { uri: vscode.Uri; title: string; visible: boolean; state: RunState }[];
  cancel(uri: vscode.Uri): void;
  refresh(uri: vscode.Uri): void;
}
