import * as vscode from 'vscode';
import { distinctNames } from '../panels/distinctNames.js';
import { panelIds } from '../ids.js';
import { nameOf } from '../inspectedPath.js';
import { ReportSession, type ReportSessionServices } from './reportSession.js';
import { webviewRoot } from '../panels/panelHtml.js';
import { panelIcon } from '../panels/panelIcon.js';

/** All open reports, whether they were asked for by command or opened as an editor. A path may have one of each kind. */
export class ReportSessions implements vscode.Disposable {
  /** In the order in which they were opened. */
  private readonly sessions = new Set<ReportSession>();
  private readonly _onDidChange = new vscode.EventEmitter<void>();
  /** A report was opened, changed or closed. */
  readonly onDidChange = this._onDidChange.event;

  private readonly services: ReportSessionServices;
  /** Panels whose titles are ours; those of editors are the editor's. */
  private readonly titled = new WeakSet<vscode.WebviewPanel>();

  /** The plan of the newest report, also when its panel is closed. */
  last: { uri: vscode.Uri; plan: string } | null = null;

  constructor(services: Omit<ReportSessionServices, 'openReport'>) {
    this.services = { ...services, openReport: (uri) => this.open(uri) };
  }

  /** Shows the report of a path: the panel that there is, or a new one. */
  open(uri: vscode.Uri): ReportSession {
    const existing = this.get(uri);
    if (existing !== undefined) {
      existing.panel.reveal();
      return existing;
    }
    const panel = vscode.window.createWebviewPanel(panelIds.report, nameOf(uri), vscode.ViewColumn.Active, {
      enableScripts: true,
      enableFindWidget: false,
      localResourceRoots: [webviewRoot(this.services.extensionUri)],
    });
    return this.adoptTitled(uri, panel);
  }

  /** Inspects a path for a panel that the editor gives back after a reload; closes one whose path has another. */
  restore(uri: vscode.Uri, panel: vscode.WebviewPanel): void {
    if (this.all().some((session) => this.titled.has(session.panel) && keyOf(session.uri) === keyOf(uri))) panel.dispose();
    else this.adoptTitled(uri, panel);
  }

  private adoptTitled(uri: vscode.Uri, panel: vscode.WebviewPanel): ReportSession {
    panel.iconPath = panelIcon(this.services.extensionUri);
    this.titled.add(panel);
    return this.adopt(uri, panel);
  }

  /** Fills a panel that the editor made, e.g. for a custom editor. A second editor of the same path has its own inspection. */
  adopt(uri: vscode.Uri, panel: vscode.WebviewPanel): ReportSession {
    const session = new ReportSession(uri, panel, this.services);
    this.sessions.add(session);
    session.onDidChange((state) => {
      this._onDidChange.fire();
      if (state.phase === 'done') void this.remember(session);
    });
    panel.onDidDispose(() => {
      this.sessions.delete(session);
      this.nameTabs();
      this._onDidChange.fire();
    });
    this.nameTabs();
    this._onDidChange.fire();
    return session;
  }

  /** Two tabs of one name are told apart by their folders, as the editor does with files. */
  private nameTabs(): void {
    const sessions = this.all();
    const names = distinctNames(
      sessions.map(({ uri }) => ({ parts: uri.path.split('/').filter((part) => part !== ''), part: uri.fragment })),
    );
    for (const [index, { panel, uri }] of sessions.entries())
      if (this.titled.has(panel)) panel.title = names[index] ?? nameOf(uri);
  }

  private async remember(session: ReportSession): Promise<void> {
    try {
      this.last = { uri: session.uri, plan: await session.text('plan') };
    } catch {
      // The panel was closed in the same moment: the one before stays the last.
    }
  }

  /** The report of a path: of several the one in front, else the first that was opened. */
  get(uri: vscode.Uri): ReportSession | undefined {
    const key = keyOf(uri);
    const ofPath = this.all().filter((session) => keyOf(session.uri) === key);
    return ofPath.find(({ panel }) => panel.active) ?? ofPath[0];
  }

  all(): ReportSession[] {
    return [...this.sessions];
  }

  /** One report a path, to choose from. */
  onePerPath(): ReportSession[] {
    return this.all().filter((session) => this.get(session.uri) === session);
  }

  /** The report in front, where a report is in front. */
  active(): ReportSession | undefined {
    return this.all().find((session) => session.panel.active);
  }

  dispose(): void {
    for (const session of this.all()) session.panel.dispose();
    this._onDidChange.dispose();
  }
}

/** `/a/b` and `/a/b/` are the same folder; a part of it, which the fragment names, is another report. */
function keyOf(uri: vscode.Uri): string {
  return uri.with({ path: uri.path.replace(/(?<=.)\/+$/, ''), query: '' }).toString();
}
