import * as vscode from 'vscode';
import { uriOfArgument } from '../inspectedPath.js';
import type { RunPanels } from './runPanels.js';

/** "Show Saves Over Time". Opens the panel of a directory: the one that is given, or one that is chosen. */
export async function showSavesCommand(panels: RunPanels, argument: unknown): Promise<void> {
  const uri = uriOfArgument(argument) ?? (await chooseFolder());
  if (uri !== undefined) panels.open(uri);
}

async function chooseFolder(): Promise<vscode.Uri | undefined> {
  const start = vscode.workspace.workspaceFolders?.[0]?.uri;
  const chosen = await vscode.window.showOpenDialog({
    canSelectFolders: true,
    canSelectFiles: false,
    canSelectMany: false,
    openLabel: vscode.l10n.t('Show'),
    title: vscode.l10n.t('Show Saves Over Time'),
    ...(start && { defaultUri: start }),
  });
  return chosen?.[0];
}
