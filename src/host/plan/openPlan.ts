import * as vscode from 'vscode';
import { fileExists } from '../fileExists.js';
import { planSuffix } from '../../core/planning/inputs/planDocument.js';
import { editorIds } from '../ids.js';

/** Opens a plan that lies in no file yet, as a document that is asked to be saved. */
export async function openPlan(text: string): Promise<void> {
  const uri = await unusedUri(nameIn(text));
  await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(uri, new vscode.Position(0, 0), text);
  await vscode.workspace.applyEdit(edit);
  await vscode.commands.executeCommand('vscode.openWith', uri, editorIds.planEditor);
}

/** What the plan is about, as far as it may be a file's name. */
function nameIn(text: string): string {
  const { name, preset } = JSON.parse(text) as { name?: unknown; preset?: unknown };
  const named = [name, preset].find((value) => typeof value === 'string' && value !== '') as string | undefined;
  const plain = (named ?? '')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60);
  return plain === '' ? 'checkpoint' : plain;
}

/**
 * `NAME.stowage-plan.json` in the first folder of the workspace, where saving offers to put it, or `NAME-2…` while another of that name
 * is open or lies there: the editor refuses a new document in place of a file.
 */
async function unusedUri(name: string): Promise<vscode.Uri> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
  const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
  for (let number = 1; ; number += 1) {
    const file = vscode.Uri.joinPath(folder, `${number === 1 ? name : `${name}-${number}`}${planSuffix}`);
    const uri = vscode.Uri.from({ scheme: 'untitled', path: file.path });
    if (!open.has(uri.toString()) && !(await fileExists(file))) return uri;
  }
}
