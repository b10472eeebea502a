import * as vscode from 'vscode';
import type { TextDocuments } from '../textDocuments.js';
import { isCheckpointsLine, type CheckpointsLine, type CheckpointsView } from './checkpointsView.js';

/** "Compare With…": the reports of two checkpoints side by side, as the editor shows differences of texts. */
export async function compareCommand(view: CheckpointsView, documents: TextDocuments, argument: unknown): Promise<void> {
  if (!isCheckpointsLine(argument) || argument.run === undefined) return;
  const other = await askOther(view, argument);
  if (other === undefined) return;
  // The one that was saved earlier is on the left, as a change is read.
  const { checkpoints } = argument.run;
  const isLater = other.run === argument.run && checkpoints.indexOf(other) < checkpoints.indexOf(argument);
  const pair = isLater ? [argument, other] : [other, argument];
  try {
    const [left, right] = await reportsOf(view, documents, pair);
    if (left === undefined || right === undefined) return;
    await vscode.commands.executeCommand('vscode.diff', left, right, pair.map(nameOf).join(' ↔ '));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await vscode.window.showErrorMessage(vscode.l10n.t('The checkpoints were not compared: {message}', { message }));
  }
}

/** Checkpoints of the same run first. */
async function askOther(view: CheckpointsView, line: CheckpointsLine): Promise<CheckpointsLine | undefined> {
  const runs = [...view.runs()].sort((a, b) => Number(b === line.run) - Number(a === line.run));
  const others = runs.flatMap(({ checkpoints }) => checkpoints.filter((one) => one.uri.toString() !== line.uri.toString()));
  const items = others.map((one) => ({ label: nameOf(one), description: one.item.description, one }));
  const title = vscode.l10n.t('Compare {name} with', { name: line.item.label });
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.one;
}

function nameOf({ item, run }: CheckpointsLine): string {
  return `${run?.item.label ?? ''}/${item.label}`;
}

/** Addresses of both reports as Markdown; none where that is cancelled. */
function reportsOf(
  view: CheckpointsView,
  documents: TextDocuments,
  lines: readonly CheckpointsLine[],
): Thenable<(vscode.Uri | undefined)[]> {
  const title = vscode.l10n.t('Inspecting {count} checkpoints', { count: lines.length });
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (_, token) => {
      const cancelled = new AbortController();
      token.onCancellationRequested(() => cancelled.abort());
      const texts = await Promise.all(lines.map((line) => reportOf(view, line, cancelled.signal))).catch((error: unknown) => {
        if (cancelled.signal.aborted) return [];
        throw error;
      });
      return texts.map((text, index) => {
        const line = lines[index] as CheckpointsLine;
        return documents.put(`${nameOf(line)}.md`, line.uri, text);
      });
    },
  );
}

function reportOf(view: CheckpointsView, line: CheckpointsLine, signal: AbortSignal): Promise<string> {
  return view.ask(line, async (endpoint) => {
    await endpoint.request('inspect', {}, signal);
    return endpoint.request('markdown', {}, signal);
  });
}
