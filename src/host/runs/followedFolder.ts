import * as vscode from 'vscode';

/** No event reports writes of another machine: a network file system is listed again after so long, in milliseconds. */
const pollMs = 30_000;
/** After a write, so that a save of many files is one look. */
const pauseMs = 500;
/** Looking takes no more than a hundredth of the time. */
const restShare = 100;

/** Looks again whenever something is written below a folder, and says in the status bar what is under way there. */
export class FollowedFolder implements vscode.Disposable {
  private readonly watcher: vscode.FileSystemWatcher;
  private readonly status = vscode.window.createStatusBarItem('stowage.follow', vscode.StatusBarAlignment.Left);
  private readonly poll: ReturnType<typeof setInterval>;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isLooking = false;
  /** Something was written during a look. */
  private isLate = false;
  private restUntilMs = 0;
  private isEnded = false;

  /** @param look lists the folder again; never rejects */
  constructor(
    folder: vscode.Uri,
    private readonly look: () => Promise<void>,
  ) {
    this.watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '**'));
    for (const event of [this.watcher.onDidCreate, this.watcher.onDidChange, this.watcher.onDidDelete])
      event(() => this.schedule(pauseMs));
    this.poll = setInterval(() => this.schedule(0), pollMs);
    this.status.name = vscode.l10n.t('Followed run');
  }

  say(name: string, underWay: { text: string; isStalled: boolean } | null): void {
    const { status } = this;
    status.text =
      underWay === null ? `$(sync) ${name}` : `$(${underWay.isStalled ? 'warning' : 'sync~spin'}) ${name}: ${underWay.text}`;
    status.tooltip = vscode.l10n.t('Stowage follows this run until its panel is closed.');
    status.backgroundColor = underWay?.isStalled === true ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    status.show();
  }

  dispose(): void {
    clearInterval(this.poll);
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isEnded = true;
    this.watcher.dispose();
    this.status.dispose();
  }

  private schedule(afterMs: number): void {
    if (this.isLooking) this.isLate = true;
    if (this.timer !== undefined || this.isLooking || this.isEnded) return;
    this.timer = setTimeout(() => void this.lookNow(), Math.max(afterMs, this.restUntilMs - Date.now()));
  }

  private async lookNow(): Promise<void> {
    this.timer = undefined;
    this.isLooking = true;
    const startedMs = Date.now();
    await this.look();
    this.restUntilMs = Date.now() + (Date.now() - startedMs) * restShare;
    this.isLooking = false;
    if (this.isLate) this.schedule(pauseMs);
    this.isLate = false;
  }
}
