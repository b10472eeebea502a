import * as vscode from 'vscode';
import type { RunItem, TreeItem } from '../../core/pages/runs/runItems.js';
import type { Inspector, Workers } from '../../platform/inspector.js';
import { hasLookedForRuns, settingIds, viewIds } from '../ids.js';
import { targetOf, type FileReach } from '../inspectedPath.js';
import { commandIdOf } from '../manifest/commandId.js';
import type { Log } from '../log.js';

/** A line of the view: a run, or a checkpoint of one. */
export interface CheckpointsLine {
  kind: 'run' | 'checkpoint';
  uri: vscode.Uri;
  item: TreeItem;
  /** The run of a checkpoint. */
  run: CheckpointsLine | undefined;
  /** Of a run. */
  checkpoints: CheckpointsLine[];
}

/**
 * The runs of the workspace and their checkpoints. Nothing is looked for before it is asked for: a workspace may have millions of files, on a
 * file system that others use as well.
 */
export class CheckpointsView implements vscode.TreeDataProvider<CheckpointsLine>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<CheckpointsLine>;
  private lines: CheckpointsLine[] = [];
  private looking: AbortController | undefined;
  private readonly settings = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(settingIds.badge)) this.showBadge();
  });

  constructor(
    private readonly workers: Workers,
    private readonly reach: FileReach,
    private readonly log: Log,
  ) {
    this.view = vscode.window.createTreeView(viewIds.checkpoints, { treeDataProvider: this, showCollapseAll: true });
  }

  /** The runs that were found. */
  runs(): readonly CheckpointsLine[] {
    return this.lines;
  }

  getChildren(line?: CheckpointsLine): CheckpointsLine[] {
    return line === undefined ? this.lines : line.checkpoints;
  }

  getParent(line: CheckpointsLine): CheckpointsLine | undefined {
    return line.run;
  }

  getTreeItem({ kind, uri, item }: CheckpointsLine): vscode.TreeItem {
    const { Collapsed, None } = vscode.TreeItemCollapsibleState;
    const line = new vscode.TreeItem(item.label, kind === 'run' ? Collapsed : None);
    line.id = `${kind} ${uri.toString()}`;
    line.description = item.description;
    line.tooltip = item.tooltip;
    line.contextValue = item.isHeld ? 'heldCheckpoint' : kind;
    if (kind === 'checkpoint') line.command = { command: commandIdOf('inspect'), title: '', arguments: [uri] };
    line.iconPath = iconOf(kind, item);
    line.accessibilityInformation = { label: `${item.label}, ${item.description}` };
    return line;
  }

  /** Asks about one run or checkpoint; the inspector ends with the answer. Rejects with RpcError. */
  async ask<Result>(run: CheckpointsLine, question: (endpoint: Inspector['endpoint']) => Promise<Result>): Promise<Result> {
    const inspector = this.workers.startInspector(targetOf(run.uri, this.reach));
    try {
      return await question(inspector.endpoint);
    } finally {
      inspector.dispose();
    }
  }

  /** Lists one run again, after something of it was changed here. */
  async listAgain(run: CheckpointsLine): Promise<void> {
    const items = await this.ask(run, (endpoint) => endpoint.request('runItems', {}));
    const item = items.find(({ path, names }) => path === '' && names === run.item.names);
    if (item === undefined) return;
    const { checkpoints, ...own } = runLine(run.uri, item);
    run.item = { ...own.item, label: run.item.label };
    run.checkpoints = checkpoints.map((line) => ({ ...line, run }));
    this.changed.fire();
  }

  /** Looks for runs in all folders of the workspace; the editor shows that it does, and offers to stop. Those of the last time stay until then. */
  async look(): Promise<void> {
    this.looking?.abort();
    const looking = new AbortController();
    this.looking = looking;
    const title = vscode.l10n.t('Looking for checkpoints');
    await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      async (_, token) => {
        token.onCancellationRequested(() => looking.abort());
        const folders = vscode.workspace.workspaceFolders ?? [];
        const found = await Promise.all(folders.map(({ uri }) => this.runsBelow(uri, looking.signal)));
        if (looking.signal.aborted) return;
        this.lines = found.flat();
        await vscode.commands.executeCommand('setContext', hasLookedForRuns, true);
        this.showBadge();
        this.changed.fire();
      },
    );
  }

  /** On the icon of the view, so many runs have something to look at; nothing where the setting is off. */
  private showBadge(): void {
    const isOn = vscode.workspace.getConfiguration().get<boolean>(settingIds.badge, true);
    const wrong = isOn ? this.lines.filter(({ item }) => item.isWrong).length : 0;
    this.view.badge = wrong === 0 ? undefined : { value: wrong, tooltip: vscode.l10n.t('Runs with something to look at') };
  }

  dispose(): void {
    this.settings.dispose();
    this.looking?.abort();
    this.view.dispose();
    this.changed.dispose();
  }

  /** Never rejects: of a folder that cannot be listed there are none. */
  private async runsBelow(folder: vscode.Uri, signal: AbortSignal): Promise<CheckpointsLine[]> {
    const inspector = this.workers.startInspector(targetOf(folder, this.reach));
    try {
      const items = await inspector.endpoint.request('runItems', {}, signal);
      return items.map((item) => runLine(folder, item));
    } catch (error) {
      if (!signal.aborted) this.log.error(`runs below ${folder.path}: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    } finally {
      inspector.dispose();
    }
  }
}

/** The argument of a command of the view. */
export function isCheckpointsLine(argument: unknown): argument is CheckpointsLine {
  return typeof argument === 'object' && argument !== null && 'checkpoints' in argument && 'item' in argument;
}

function runLine(folder: vscode.Uri, item: RunItem): CheckpointsLine {
  const below = (path: string): vscode.Uri => (path === '' ? folder : vscode.Uri.joinPath(folder, path));
  const run: CheckpointsLine = { kind: 'run', uri: below(item.path), item, run: undefined, checkpoints: [] };
  run.checkpoints = item.checkpoints.map((one) => ({
    kind: 'checkpoint',
    uri: below(one.path),
    item: one,
    run,
    checkpoints: [],
  }));
  return run;
}

function iconOf(kind: CheckpointsLine['kind'], { isWrong, isHeld }: TreeItem): vscode.ThemeIcon {
  if (isWrong) return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  return new vscode.ThemeIcon(isHeld ? 'lock' : kind === 'run' ? 'history' : 'package');
}
