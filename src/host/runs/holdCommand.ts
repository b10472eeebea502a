import * as vscode from 'vscode';
import type { CheckpointsLine, CheckpointsView } from './checkpointsView.js';
import { isCheckpointsLine } from './checkpointsView.js';

/** "Hold Checkpoint…": no retention policy lets it go until the hold is taken back. Written to `.stowage/holds.yaml` of its run. */
export async function holdCommand(view: CheckpointsView, argument: unknown): Promise<void> {
  if (!isCheckpointsLine(argument)) return;
  const reason = await askReason(argument);
  if (reason !== undefined) await edit(view, argument, reason);
}

/** "Take Back Hold". */
export async function releaseCommand(view: CheckpointsView, argument: unknown): Promise<void> {
  if (isCheckpointsLine(argument)) await edit(view, argument, null);
}

async function askReason({ item }: CheckpointsLine): Promise<string | undefined> {
  const own = vscode.l10n.t('Other…');
  const title = vscode.l10n.t('Hold {name}', { name: item.label });
  const reasons = [
    { label: 'golden', description: vscode.l10n.t('a checkpoint that others start from') },
    { label: 'milestone', description: vscode.l10n.t('a point of the run to keep') },
    { label: 'legal', description: vscode.l10n.t('must not be removed') },
    { label: own },
  ];
  const chosen = await vscode.window.showQuickPick(reasons, { title });
  if (chosen?.label !== own) return chosen?.label;
  const note = await vscode.window.showInputBox({ title, prompt: vscode.l10n.t('Why it is held, in a line') });
  return note?.trim() === '' ? undefined : note?.trim();
}

async function edit(view: CheckpointsView, line: CheckpointsLine, reason: string | null): Promise<void> {
  const { run } = line;
  if (run === undefined) return;
  const file = vscode.Uri.joinPath(run.uri, '.stowage', 'holds.yaml');
  try {
    const text = await textOf(file);
    const path = line.uri.path.slice(run.uri.path.length + 1);
    const edited = await view.ask(run, (endpoint) => endpoint.request('editHolds', { text, path, reason }));
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(edited));
    await view.listAgain(run);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await vscode.window.showErrorMessage(vscode.l10n.t('The holds of this run were not changed: {message}', { message }));
  }
}

/** Null where there is no such file. */
async function textOf(file: vscode.Uri): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await vscode.workspace.fs.readFile(file));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return null;
    throw error;
  }
}
