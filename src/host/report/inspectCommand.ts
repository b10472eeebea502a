import * as vscode from 'vscode';
import { datasetAround } from '../../app/inspection/datasetAround.js';
import { indexNames } from '../../core/datasets/indexFiles.js';
import { readablePattern } from '../../core/files/readableFiles.js';
import { editorFiles } from '../editorFiles.js';
import { editorIds } from '../ids.js';
import { nameOf, reportRoot, uriOfArgument } from '../inspectedPath.js';
import type { ReportSession } from './reportSession.js';
import type { ReportSessions } from './reportSessions.js';

/**
 * "Inspect Checkpoint or Dataset". From a context menu it gets the clicked resource (of several selected ones the clicked one
 * comes first and is taken); from the palette it gets nothing and asks.
 */
export async function inspectCommand(sessions: ReportSessions, resource: unknown): Promise<void> {
  await openReport(sessions, resource);
}

/** Shows the report of what a menu was opened for, or of what is chosen; undefined where nothing is. */
export async function openReport(sessions: ReportSessions, resource: unknown): Promise<ReportSession | undefined> {
  const uri = uriOfArgument(resource) ?? (await askForTarget());
  return uri === undefined ? undefined : sessions.open(await rootAround(uri));
}

/** For the index file of a dataset and for a part of a checkpoint the folder around it; everything else as it is. */
async function rootAround(uri: vscode.Uri): Promise<vscode.Uri> {
  return reportRoot(vscode.Uri.parse(await datasetAround(editorFiles, uri.toString()), true));
}

/** The file in front counts when it may be part of a checkpoint and its report is not what is in front; else a folder is asked for. */
async function askForTarget(): Promise<vscode.Uri | undefined> {
  const active = activeResource();
  if (active !== undefined) return active;
  const start = vscode.workspace.workspaceFolders?.[0]?.uri;
  const chosen = await vscode.window.showOpenDialog({
    canSelectFolders: true,
    canSelectFiles: false,
    canSelectMany: false,
    openLabel: vscode.l10n.t('Inspect'),
    title: vscode.l10n.t('Inspect Checkpoint or Dataset'),
    ...(start && { defaultUri: start }),
  });
  return chosen?.[0];
}

function activeResource(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputCustom && ownEditors.has(input.viewType)) return undefined;
  if (!(input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText)) return undefined;
  const name = nameOf(input.uri);
  return readablePattern.test(name) || indexNames.includes(name) ? input.uri : undefined;
}

const ownEditors = new Set<string>(Object.values(editorIds));
