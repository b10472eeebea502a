import * as vscode from 'vscode';
import { RpcError } from '../../protocol/rpc.js';

/**
 * Shows a file or folder in the Explorer, or in the system's file manager where it is outside of the workspace.
 * @throws RpcError for what neither of the two shows
 */
export async function reveal(uri: vscode.Uri): Promise<null> {
  const plain = uri.with({ query: '', fragment: '' });
  if (vscode.workspace.getWorkspaceFolder(plain) !== undefined) await vscode.commands.executeCommand('revealInExplorer', plain);
  else if (plain.scheme === 'file') await vscode.commands.executeCommand('revealFileInOS', plain);
  else throw new RpcError('not-listed', vscode.l10n.t('it is outside of the workspace'));
  return null;
}
