import * as vscode from 'vscode';
import { hasSelectedForCompare } from '../ids.js';
import { nameOf, reportRoot, uriOfArgument } from '../inspectedPath.js';
import { isCheckpointsLine, type CheckpointsView } from '../runs/checkpointsView.js';
import { chooseCheckpoint } from './chooseCheckpoint.js';
import { chooseOther } from './chooseOther.js';
import { inOrder } from './comparedPair.js';
import type { ComparePanels } from './comparePanels.js';

/** The checkpoint that was selected for a comparison in this window. */
export class SelectedForCompare {
  private uri: vscode.Uri | undefined;

  /** "Select Checkpoint for Compare". */
  async select(argument: unknown): Promise<void> {
    const uri = uriOfArgument(argument) ?? (await chooseCheckpoint(vscode.l10n.t('Select Checkpoint for Compare')));
    if (uri === undefined) return;
    this.uri = reportRoot(uri);
    await vscode.commands.executeCommand('setContext', hasSelectedForCompare, true);
  }

  /** "Compare Checkpoint with Selected": that which was selected first is on the left. */
  async compare(panels: ComparePanels, argument: unknown): Promise<void> {
    const { uri: a } = this;
    if (a === undefined) return;
    const title = vscode.l10n.t('Compare {name} with', { name: nameOf(a) });
    const other = uriOfArgument(argument) ?? (await chooseCheckpoint(title));
    if (other !== undefined) panels.compare({ a, b: reportRoot(other) });
  }
}

/** "Compare Selected Checkpoints": two that are selected in the Explorer. */
export function compareSelectedCommand(panels: ComparePanels, selection: unknown): void {
  const uris = (Array.isArray(selection) ? selection : []).flatMap((one) => uriOfArgument(one) ?? []);
  const [one, other] = uris.map(reportRoot);
  if (uris.length === 2 && one !== undefined && other !== undefined) panels.compare(inOrder(one, other));
}

/** "Compare Checkpoints…": asks for both. */
export async function compareCheckpointsCommand(panels: ComparePanels, checkpoints: CheckpointsView): Promise<void> {
  const a = await chooseCheckpoint(vscode.l10n.t('Compare Checkpoints: A, the left side'));
  if (a === undefined) return;
  const b = await chooseOther(checkpoints, a);
  if (b !== undefined) panels.compare({ a, b });
}

/** "Compare With…" of the Checkpoints view, and "Compare…" of a report: asks for the other one. */
export async function compareWithCommand(panels: ComparePanels, checkpoints: CheckpointsView, argument: unknown): Promise<void> {
  const own = uriOfArgument(argument);
  const other = own === undefined ? undefined : await chooseOther(checkpoints, own);
  if (own === undefined || other === undefined) return;
  panels.compare(orderInRun(argument, other) ?? inOrder(own, other));
}

/** Of two lines of a run that which was saved earlier is on the left; the view has the newest first. */
function orderInRun(line: unknown, other: vscode.Uri): { a: vscode.Uri; b: vscode.Uri } | undefined {
  if (!isCheckpointsLine(line) || line.run === undefined) return undefined;
  const { checkpoints } = line.run;
  const found = checkpoints.find(({ uri }) => uri.toString() === other.toString());
  if (found === undefined) return undefined;
  const isLater = checkpoints.indexOf(found) < checkpoints.indexOf(line);
  return isLater ? { a: line.uri, b: other } : { a: other, b: line.uri };
}
