import * as vscode from 'vscode';
import type { BandwidthExport } from '../../protocol/messages.js';
import { nameOf } from '../inspectedPath.js';

/**
 * Asks where to and writes there.
 * @param target that was measured; nothing is put into it unasked
 * @returns the name of the written file, or null
 */
export async function saveCheckExport(target: string, what: BandwidthExport, text: string): Promise<string | null> {
  const [, extension = 'json'] = what.split('.');
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
  const name = nameOf(vscode.Uri.file(target)).replace(/[^\p{L}\p{N}._-]+/gu, '-');
  const chosen = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder, `${name}.bandwidth-${what}`),
    filters: { [filterNames[extension] ?? extension]: [extension] },
    title: what.startsWith('history') ? vscode.l10n.t('Save Results') : vscode.l10n.t('Save Result'),
  });
  if (chosen === undefined) return null;
  await vscode.workspace.fs.writeFile(chosen, new TextEncoder().encode(text));
  return nameOf(chosen);
}

const filterNames: Readonly<Record<string, string>> = { json: 'JSON', csv: 'CSV', md: 'Markdown' };
