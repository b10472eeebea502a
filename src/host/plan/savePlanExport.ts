import * as vscode from 'vscode';
import { planSuffix } from '../../core/planning/inputs/planDocument.js';
import type { PlanPanelRequests } from '../../protocol/messages.js';
import { RpcError } from '../../protocol/rpc.js';
import { nameOf } from '../inspectedPath.js';
import { askWhere, firstFolder } from '../saveDialog.js';

type Files = Parameters<PlanPanelRequests['exportPlan']>[0];

/** The name of a file on every system: of one segment, not hidden, without characters that Windows refuses. */
const plainName = /^(?!\.)[^/\\:*?"<>|\p{C}]{1,121}$/u;

/**
 * Asks where to and writes an export of a plan, and its charts into a folder beside it.
 * @returns the name of the file, or null
 * @throws RpcError `not-a-name` for an ending, folder or chart that is more than a name: the page must not choose where files go
 */
export async function savePlanExport(plan: vscode.Uri, { text, ending, folder, charts }: Files): Promise<string | null> {
  for (const name of [ending, folder, ...charts.map((chart) => chart.name)])
    if (!plainName.test(name)) throw new RpcError('not-a-name', 'a file has no plain name');
  // A plan without a file is in no folder.
  const start = plan.scheme === 'untitled' ? firstFolder() : vscode.Uri.joinPath(plan, '..');
  const target = await askWhere(start, `${nameOf(plan).replace(planSuffix, '')}.${ending}`, vscode.l10n.t('Export Plan'));
  if (target === null) return null;
  const encoder = new TextEncoder();
  const beside = vscode.Uri.joinPath(target, '..', folder);
  await vscode.workspace.fs.writeFile(target, encoder.encode(text));
  for (const chart of charts)
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(beside, chart.name), encoder.encode(chart.svg));
  return nameOf(target);
}
