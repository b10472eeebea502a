import * as vscode from 'vscode';
import { limits } from '../../core/bytes/limits.js';
import type { ChosenTokenizer } from '../../app/inspection/tokenizers.js';
import { RpcError } from '../../protocol/rpc.js';
import { displayPath } from '../inspectedPath.js';

/**
 * Asks for a tokenizer.json and reads it; null when the user thinks better of it.
 * @throws RpcError for a file that is too large to be one
 */
export async function chooseTokenizer(inspected: vscode.Uri): Promise<ChosenTokenizer | null> {
  const chosen = await vscode.window.showOpenDialog({
    defaultUri: vscode.Uri.joinPath(inspected, '..'),
    canSelectMany: false,
    filters: { [vscode.l10n.t('Tokenizer')]: ['json'] },
    openLabel: vscode.l10n.t('Tokenize Samples'),
    title: vscode.l10n.t('Choose the tokenizer.json of the Model'),
  });
  const [uri] = chosen ?? [];
  if (uri === undefined) return null;
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > limits.jsonBytes) throw new RpcError('limit-exceeded', vscode.l10n.t('the file is too large for a tokenizer.json'));
  return { path: displayPath(uri), bytes: await vscode.workspace.fs.readFile(uri) };
}
