import * as vscode from 'vscode';
import { planSuffix } from '../../core/planning/inputs/planDocument.js';
import type { PlanPanelRequests } from '../../protocol/messages.js';
import { RpcError } from '../../protocol/rpc.js';
import { nameOf } from '../inspectedPath.js';

type Files = Parameters<PlanPanelRequests['exportMarkdown']>[0];

/**
 * Asks where to and writes the Markdown, and its charts into a folder beside it.
 * @returns the name of the Markdown file, or null
 * @throws RpcError `not-a-name` for a folder or chart that is more than a name: the page must not choose where files go
 */
export async function savePlanMarkdown(plan: vscode.Uri, { markdown, folder, charts }: Files): Promise<string | null> {
  for (const name of [folder, ...charts.map((chart) => chart.name)])
    if (!/^[\p{L}\p{N}_-][\p{L}\p{N}._-]{0,120}$/u.test(name)) throw new RpcError('not-a-name', 'a chart has no plain name');
  const name = nameOf(plan).replace(planSuffix, '');
  const target = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(startOf(plan), `${name}.md`),
    filters: { Markdown: ['md'] },
    title: vscode.l10n.t('Export Plan as Markdown'),
  });
  if (target === undefined) return null;
  const encoder = new TextEncoder();
  const beside = vscode.Uri.joinPath(target, '..', folder);
  await vscode.workspace.fs.writeFile(target, encoder.encode(markdown));
  for (const chart of charts)
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(beside, chart.name), encoder.encode(chart.svg));
  return nameOf(target);
}

/** Beside the plan; a plan without a file is in no folder. */
function startOf(plan: vscode.Uri): vscode.Uri {
  if (plan.scheme !== 'untitled') return vscode.Uri.joinPath(plan, '..');
  return vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
}
