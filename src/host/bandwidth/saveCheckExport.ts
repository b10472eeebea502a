import * as vscode from 'vscode';
import type { BandwidthExport } from '../../protocol/messages.js';
import { nameOf } from '../inspectedPath.js';
import { askWhere, firstFolder } from '../saveDialog.js';

/**
 * Asks where to and writes there.
 * @param target that was measured; nothing is put into it unasked
 * @returns the name of the written file, or null
 */
export async function saveCheckExport(target: string, what: BandwidthExport, text: string): Promise<string | null> {
  const name = nameOf(vscode.Uri.file(target)).replace(/[^\p{L}\p{N}._-]+/gu, '-');
  const title = what.startsWith('history') ? vscode.l10n.t('Save Results') : vscode.l10n.t('Save Result');
  const chosen = await askWhere(firstFolder(), `${name}.bandwidth-${what}`, title);
  if (chosen === null) return null;
  await vscode.workspace.fs.writeFile(chosen, new TextEncoder().encode(text));
  return nameOf(chosen);
}
