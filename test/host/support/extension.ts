import * as vscode from 'vscode';
import type { StowageApi } from '../../../src/host/api.js';
import type { RunState } from '../../../src/host/report/inspectionRun.js';
import type { CheckpointReport } from '../../../src/core/checkpoints/checkpointReport.js';
import { checkpointOf } from '../../builders/inspectCheckpoint.js';
import { commandIds } from '../../../src/host/manifest/commandIds.js';

/** Ends a hang, in words, before mocha does. */
const timeoutMs = 60_000;

/** The extension's API, activated if it was not. */
export async function stowage(): Promise<StowageApi> {
  const extension = vscode.extensions.getExtension<StowageApi>('stowage.stowage');
  if (extension === undefined) throw new Error('the extension is not installed');
  return extension.activate();
}

/** A path of the workspace that the runner made. */
export function inWorkspace(...parts: string[]): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) throw new Error('there is no workspace');
  return vscode.Uri.joinPath(folder.uri, ...parts);
}

/** Waits for an event until what is waited for holds, however long ago it came true. */
export function waitFor<T>(event: vscode.Event<unknown>, find: () => T | undefined, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    let subscription: vscode.Disposable | undefined;
    const timer = setTimeout(() => {
      subscription?.dispose();
      reject(new Error(`waited ${timeoutMs} ms for ${what}`));
    }, timeoutMs);
    const check = (): boolean => {
      const found = find();
      if (found === undefined) return false;
      clearTimeout(timer);
      subscription?.dispose();
      resolve(found);
      return true;
    };
    if (!check()) subscription = event(check);
  });
}

/** Waits until the report of a path is in one of the phases. */
export async function waitForReport(uri: vscode.Uri, phases: RunState['phase'][] = ['done', 'failed']): Promise<RunState> {
  const api = await stowage();
  const find = (): RunState | undefined => {
    const state = api.reports().find((report) => report.uri.toString() === uri.toString())?.state;
    return state !== undefined && phases.includes(state.phase) ? state : undefined;
  };
  return waitFor(api.onDidChangeReports, find, `the report of ${uri.path}`);
}

/** Runs the command on a checkpoint and waits for its report. */
export async function inspectAndWait(uri: vscode.Uri): Promise<{ report: CheckpointReport }> {
  const { report } = await inspectAnything(uri);
  return { report: checkpointOf(report) };
}

/** Runs the command on a path and waits for its report. */
export async function inspectAnything(uri: vscode.Uri): Promise<Extract<RunState, { phase: 'done' }>> {
  await vscode.commands.executeCommand(commandIds.inspect, uri);
  const state = await waitForReport(uri);
  if (state.phase !== 'done') throw new Error(`no report: ${JSON.stringify(state)}`);
  return state;
}

export async function closeAllEditors(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}
