import * as vscode from 'vscode';
import { fileExists } from '../fileExists.js';
import { displayPath } from '../inspectedPath.js';
import type { TextDocuments } from '../textDocuments.js';
import type { CheckpointsLine, CheckpointsView } from './checkpointsView.js';
import { isCheckpointsLine } from './checkpointsView.js';

/** What a run begins with; every key is in docs/retention.md. */
const firstPolicy = `# What stays of this run. Stowage proposes and writes scripts; it removes nothing.
keepLast: 2
keepEverySteps: 5000
minimumAgeHours: 6
`;

/**
 * "Plan Retention": what the policy of a run lets go, as Markdown, and the scripts for it where they are asked for. A run without a policy gets a
 * first one to edit.
 */
export async function retentionCommand(view: CheckpointsView, documents: TextDocuments, argument: unknown): Promise<void> {
  if (!isCheckpointsLine(argument)) return;
  const run = argument.run ?? argument;
  const policy = vscode.Uri.joinPath(run.uri, '.stowage', 'retention.yaml');
  if (!(await fileExists(policy))) await offerPolicy(policy);
  else
    await view
      .ask(run, async (endpoint) => {
        const { decision, markdown } = await endpoint.request('retention', { workspace: workspaceOf(run.uri) });
        await show(documents, run, markdown);
        const script = vscode.l10n.t('Save Scripts…');
        if ((await vscode.window.showInformationMessage(decision, script)) !== script) return;
        await saveScripts(run, await endpoint.request('retentionScripts', {}));
      })
      .catch(async (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        await vscode.window.showErrorMessage(vscode.l10n.t('Nothing is proposed: {message}', { message }));
      });
}

/** Adapters there may have a checkpoint as their base. */
function workspaceOf(uri: vscode.Uri): string | null {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  return folder === undefined ? null : displayPath(folder.uri);
}

async function offerPolicy(policy: vscode.Uri): Promise<void> {
  const create = vscode.l10n.t('Create Policy');
  const chosen = await vscode.window.showInformationMessage(vscode.l10n.t('This run has no retention policy.'), create);
  if (chosen !== create) return;
  await vscode.workspace.fs.writeFile(policy, new TextEncoder().encode(firstPolicy));
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(policy));
}

async function show(documents: TextDocuments, { uri, item }: CheckpointsLine, markdown: string): Promise<void> {
  const name = vscode.l10n.t('Retention of {name}', { name: item.label });
  const document = documents.put(`${name}.md`, uri, markdown);
  await vscode.commands.executeCommand('markdown.showPreview', document);
}

async function saveScripts({ uri }: CheckpointsLine, { move, purge }: { move: string; purge: string }): Promise<void> {
  const defaultUri = vscode.Uri.joinPath(uri, '.stowage', 'prune.sh');
  const target = await vscode.window.showSaveDialog({
    defaultUri,
    title: vscode.l10n.t('Save the scripts of the retention plan'),
  });
  if (target === undefined) return;
  const encoder = new TextEncoder();
  await vscode.workspace.fs.writeFile(target, encoder.encode(move));
  await vscode.workspace.fs.writeFile(target.with({ path: `${target.path}-purge` }), encoder.encode(purge));
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(target));
}
