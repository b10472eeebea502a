import * as vscode from 'vscode';
import { firstFolder } from '../saveDialog.js';

/** Asks for the folder of a checkpoint; undefined where the dialog is closed. */
export async function chooseCheckpoint(title: string, defaultUri: vscode.Uri = firstFolder()): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    canSelectFolders: true,
    canSelectFiles: false,
    canSelectMany: false,
    openLabel: vscode.l10n.t('Compare'),
    title,
    defaultUri,
  });
  return chosen?.[0];
}
