import * as vscode from 'vscode';
import { nameOf } from '../inspectedPath.js';
import type { CheckpointsLine, CheckpointsView } from '../runs/checkpointsView.js';
import { chooseCheckpoint } from './chooseCheckpoint.js';
import { siblingCheckpoints } from './siblingCheckpoints.js';

/** Entries of the list: more are found by typing their path into the dialog that Browse… opens. */
const mostSiblings = 200;

type OtherItem = vscode.QuickPickItem & { uri?: vscode.Uri; browses?: true };

/** Asks what a checkpoint is compared with: saves of its run first, then those of the Checkpoints view, then any. Undefined where nothing is chosen. */
export async function chooseOther(view: CheckpointsView, own: vscode.Uri): Promise<vscode.Uri | undefined> {
  const lines = view.runs().flatMap(({ checkpoints }) => checkpoints);
  const run = lines.find(({ uri }) => uri.toString() === own.toString())?.run;
  const ofRun = run === undefined ? await siblings(own) : run.checkpoints.map(itemOfLine);
  const known = new Set([own, ...ofRun.map(({ uri }) => uri)].map(String));
  const others = lines.map(itemOfLine).filter(({ uri }) => !known.has(uri.toString()));
  const items: OtherItem[] = [
    ...withHeading(
      vscode.l10n.t('same run'),
      ofRun.filter(({ uri }) => uri.toString() !== own.toString()),
    ),
    ...withHeading(vscode.l10n.t('Checkpoints view'), others),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: vscode.l10n.t('Browse…'), iconPath: new vscode.ThemeIcon('folder-opened'), browses: true, alwaysShow: true },
  ];
  const title = vscode.l10n.t('Compare {name} with', { name: nameOf(own) });
  const chosen = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return chosen?.browses === true ? chooseCheckpoint(title, vscode.Uri.joinPath(own, '..')) : chosen?.uri;
}

function withHeading(label: string, items: readonly OtherItem[]): OtherItem[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

function itemOfLine({ uri, item, run }: CheckpointsLine): OtherItem & { uri: vscode.Uri } {
  return { label: `${run?.item.label ?? ''}/${item.label}`, description: item.description, uri };
}

/** Of the folder around it; nothing below is listed. None where it cannot be read. */
async function siblings(own: vscode.Uri): Promise<(OtherItem & { uri: vscode.Uri })[]> {
  const folder = vscode.Uri.joinPath(own, '..');
  const listed = await vscode.workspace.fs.readDirectory(folder).then(
    (entries) => entries.map(([name]) => name),
    () => [],
  );
  return siblingCheckpoints(nameOf(own), listed)
    .slice(0, mostSiblings)
    .map((name) => ({ label: `${nameOf(folder)}/${name}`, uri: vscode.Uri.joinPath(folder, name) }));
}
