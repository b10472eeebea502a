import * as vscode from 'vscode';
import { askForAddress } from './askForAddress.js';
import { shownAddress, uriOfAddress } from './remoteUri.js';

/** "Open Remote Folder in Explorer…": adds a folder of a store to the workspace, where its files are opened and its folders inspected. */
export async function openRemoteFolderCommand(argument: unknown): Promise<void> {
  const text = typeof argument === 'string' ? argument : await askForAddress(vscode.l10n.t('Open Remote Folder in Explorer'));
  if (text === undefined) return;
  const uri = uriOfAddress(text);
  if (/^https?$/.test(uri.scheme)) {
    void vscode.window.showInformationMessage(vscode.l10n.t('A web server has no folders: inspect a file of it by its address.'));
    return;
  }
  const count = vscode.workspace.workspaceFolders?.length ?? 0;
  vscode.workspace.updateWorkspaceFolders(count, 0, { uri: uri.with({ query: '' }), name: shownAddress(uri) ?? text });
}
