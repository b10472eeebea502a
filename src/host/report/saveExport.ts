import * as vscode from 'vscode';
import { nameOf } from '../inspectedPath.js';

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
  const target = await vscode.window.showSaveDialog({
    // Beside the checkpoint, never inside: a file more in there would change what is inspected.
    defaultUri: vscode.Uri.joinPath(inspected, '..', `${nameOf(inspected)}.${suffixes[kind]}`),
    filters: { [filterNames[kind]]: [kind] },
    title: kind === 'json' ? vscode.l10n.t('Save Report as JSON') : vscode.l10n.t('Save Tensors'),
  });
  if (target === undefined) return null;
  await vscode.workspace.fs.writeFile(target, await produce());
  return nameOf(target);
}

const suffixes: Record<ExportKind, string> = { json: 'report.json', csv: 'tensors.csv', arrow: 'tensors.arrow' };
const filterNames: Record<ExportKind, string> = { json: 'JSON', csv: 'CSV', arrow: 'Apache Arrow' };
