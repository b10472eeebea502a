import * as vscode from 'vscode';
import { isObjectStoreAddress } from '../../core/files/remote/remoteScheme.js';

/** Asks for a directory of this machine: to be measured, or whose checkpoint is replayed. Null where the user thought better of it. */
export async function chooseDirectory(purpose: 'target' | 'replayOf', near: string | null): Promise<string | null> {
  const start = near === null || isObjectStoreAddress(near) ? vscode.workspace.workspaceFolders?.[0]?.uri : vscode.Uri.file(near);
  const chosen = await vscode.window.showOpenDialog({
    canSelectFolders: true,
    canSelectFiles: purpose === 'replayOf',
    canSelectMany: false,
    openLabel: purpose === 'replayOf' ? vscode.l10n.t('Replay') : vscode.l10n.t('Check'),
    title: purpose === 'replayOf' ? vscode.l10n.t('Checkpoint to Replay') : vscode.l10n.t('Directory to Check'),
    ...(start && { defaultUri: start }),
  });
  const uri = chosen?.[0];
  return uri?.scheme === 'file' ? uri.fsPath : null;
}
