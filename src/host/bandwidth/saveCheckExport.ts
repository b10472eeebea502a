import * as vscode from 'vscode';
import type { BandwidthPanelRequests } from '../../protocol/messages.js';
import { nameOf } from '../inspectedPath.js';
import { askWhere, firstFolder } from '../saveDialog.js';
import { expectPlainNames, writeWithCharts } from '../writeWithCharts.js';

/**
 * Asks where to and writes there.
 * @param target that was measured; nothing is put into it unasked
 * @returns the name of the written file, or null
 * @throws RpcError `not-a-name`
 */
export async function saveCheckExport(
  target: string,
  { what, text, folder, charts }: Parameters<BandwidthPanelRequests['save']>[0],
): Promise<string | null> {
  expectPlainNames([folder, ...charts.map((chart) => chart.name)]);
  const name = nameOf(vscode.Uri.file(target)).replace(/[^\p{L}\p{N}._-]+/gu, '-');
  const title = what.startsWith('history') ? vscode.l10n.t('Save Results') : vscode.l10n.t('Save Result');
  const chosen = await askWhere(firstFolder(), `${name}.bandwidth-${what}`, title);
  if (chosen === null) return null;
  await writeWithCharts(chosen, text, folder, charts);
  return nameOf(chosen);
}
