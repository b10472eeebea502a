import * as vscode from 'vscode';
import { nameOf } from '../inspectedPath.js';
import { askWhere } from '../saveDialog.js';

export type ExportKind = 'json' | 'csv' | 'arrow';

/**
 * Asks where to and writes there what `produce` makes; nothing is made when the user thinks better of it.
 * @returns the name of the written file, or null
 */
export async function saveExport(
  inspected: vscode.Uri,
  kind: ExportKind,
  produce: () => Promise<Uint8Array>,
): Promise<string | null> {
  // Beside the checkpoint, never inside: a file more in there would change what is inspected.
  const beside = vscode.Uri.joinPath(inspected, '..');
  const title = kind === 'json' ? vscode.l10n.t('Save Report as JSON') : vscode.l10n.t('Save Tensors');
  const target = await askWhere(beside, `${nameOf(inspected)}.${suffixes[kind]}`, title);
  if (target === null) return null;
  await vscode.workspace.fs.writeFile(target, await produce());
  return nameOf(target);
}

const suffixes: Record<ExportKind, string> = { json: 'report.json', csv: 'tensors.csv', arrow: 'tensors.arrow' };
