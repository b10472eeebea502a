import * as vscode from 'vscode';
import { planSuffix } from '../../core/planning/inputs/planDocument.js';
import type { PlanPanelRequests } from '../../protocol/messages.js';
import { nameOf } from '../inspectedPath.js';
import { askWhere, firstFolder } from '../saveDialog.js';
import { expectPlainNames, writeWithCharts } from '../writeWithCharts.js';

type Files = Parameters<PlanPanelRequests['exportPlan']>[0];

/**
 * Asks where to and writes an export of a plan, and its charts into a folder beside it.
 * @returns the name of the file, or null
 * @throws RpcError `not-a-name` for an ending, folder or chart that is more than a name: the page must not choose where files go
 */
export async function savePlanExport(plan: vscode.Uri, { text, ending, folder, charts }: Files): Promise<string | null> {
  expectPlainNames([ending, folder, ...charts.map(({ name }) => name)]);
  // A plan without a file is in no folder.
  const start = plan.scheme === 'untitled' ? firstFolder() : vscode.Uri.joinPath(plan, '..');
  const target = await askWhere(start, `${nameOf(plan).replace(planSuffix, '')}.${ending}`, vscode.l10n.t('Export Plan'));
  if (target === null) return null;
  await writeWithCharts(target, text, folder, charts);
  return nameOf(target);
}
