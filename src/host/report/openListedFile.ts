import * as vscode from 'vscode';
import { RpcError } from '../../protocol/rpc.js';
import { foreignIds } from '../ids.js';
import { nameOf } from '../inspectedPath.js';

const textExtensions = new Set([
  'json',
  'jsonl',
  'txt',
  'md',
  'yaml',
  'yml',
  'toml',
  'py',
  'jinja',
  'csv',
  'tsv',
  'log',
  'cfg',
  'ini',
]);

/** Above this the cursor is not placed: finding a byte offset needs the whole text. */
const longestTextBytes = 8 * 1024 * 1024;

/**
 * Opens a file of the inspected folder: text in the text editor, all else in the hex editor where one is installed.
 * @param listed the paths of the report; anything else is refused with RpcError `not-listed`
 * @param path relative to the inspected folder, with forward slashes
 */
export async function openListedFile(
  inspected: vscode.Uri,
  listed: readonly string[],
  path: string,
  offsetBytes: number | null,
): Promise<void> {
  if (!listed.includes(path)) throw new RpcError('not-listed', 'the report has no such file');
  const stats = await vscode.workspace.fs.stat(inspected);
  const isFolder = (stats.type & vscode.FileType.Directory) !== 0;
  // A file that was inspected by itself has its companions beside it.
  const folder = isFolder ? inspected : vscode.Uri.joinPath(inspected, '..');
  const uri = !isFolder && path === nameOf(inspected) ? inspected : vscode.Uri.joinPath(folder, ...path.split('/'));
  if (textExtensions.has(path.slice(path.lastIndexOf('.') + 1).toLowerCase())) await openText(uri, offsetBytes);
  else await openBinary(uri, offsetBytes);
}

async function openText(uri: vscode.Uri, offsetBytes: number | null): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await vscode.window.showTextDocument(document, { preview: true });
  const bytes = offsetBytes === null ? undefined : new TextEncoder().encode(document.getText().slice(0, longestTextBytes));
  if (bytes === undefined || offsetBytes === null || offsetBytes > bytes.length) return;
  const position = document.positionAt(new TextDecoder().decode(bytes.subarray(0, offsetBytes)).length);
  editor.selection = new vscode.Selection(position, position);
  editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenter);
}

async function openBinary(uri: vscode.Uri, offsetBytes: number | null): Promise<void> {
  if (vscode.extensions.getExtension(foreignIds.hexEditorExtension) !== undefined) {
    await vscode.commands.executeCommand('vscode.openWith', uri, foreignIds.hexEditor);
    if (offsetBytes !== null) {
      vscode.window.setStatusBarMessage(
        vscode.l10n.t('Stowage: the place is at byte offset {0}', `0x${offsetBytes.toString(16)}`),
        15_000,
      );
    }
    return;
  }
  const find = vscode.l10n.t('Find Hex Editor');
  const where = offsetBytes === null ? '' : ` ${vscode.l10n.t('The place is at byte offset {0}.', offsetBytes)}`;
  const answer = vscode.window.showInformationMessage(
    `${vscode.l10n.t('This is a binary file. Install the Hex Editor extension to look at its bytes.')}${where}`,
    find,
  );
  // The panel's request is done once the message is shown: it may stay open for long.
  void answer.then((chosen) => {
    if (chosen === find)
      void vscode.commands.executeCommand('workbench.extensions.search', `@id:${foreignIds.hexEditorExtension}`);
  });
}
