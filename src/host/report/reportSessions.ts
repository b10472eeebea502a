import * as vscode from 'vscode';
import { panelIds } from '../ids.js';
import { nameOf } from './inspectedPath.js';
import { ReportSession, type ReportSessionServices } from './reportSession.js';
import { webviewRoot } from './webviewHtml.js';

/** All open reports: one for each inspected path, whether it was asked for by command or opened as an editor. */
export class ReportSessions implements vscode.Disposable {
  private readonly sessions = new Map<string, ReportSession>();
  private readonly _onDidChange = new vscode.EventEmitter<void>();
  /** A report was opened, changed or closed. */
  readonly onDidChange = this._onDidChange.event;

  private readonly services: ReportSessionServices;

  /** The plan of the newest report, also when its panel is closed. */
  last: { uri: vscode.Uri; plan: string } | null = null;

  constructor(services: Omit<ReportSessionServices, 'openReport'>) {
    this.services = { ...services, openReport: (uri) => this.open(uri) };
  }

  /** Shows the report of a path: the panel that there is, or a new one. */
  open(uri: vscode.Uri): ReportSession {
    const existing = this.sessions.get(keyOf(uri));
    if (existing !== undefined) {
      existing.panel.reveal();
      return existing;
    }
    const panel = vscode.window.createWebviewPanel(panelIds.report, nameOf(uri), vscode.ViewColumn.Active, {
      enableScripts: true,
      enableFindWidget: false,
      localResourceRoots: [webviewRoot(this.services.extensionUri)],
    });
    panel.iconPath = reportIcon(this.services.extensionUri);
    return this.adopt(uri, panel);
  }

  /** Fills a panel that the editor made, e.g. for a custom editor. A second editor of the same path has its own inspection. */
  adopt(uri: vscode.Uri, panel: vscode.WebviewPanel): ReportSession {
    const key = keyOf(uri);
    const session = new ReportSession(uri, panel, this.services);
    if (!this.sessions.has(key)) this.sessions.set(key, session);
    session.onDidChange((state) => {
      this._onDidChange.fire();
      if (state.phase === 'done') void this.remember(session);
    });
    panel.onDidDispose(() => {
      if (this.sessions.get(key) === session) this.sessions.delete(key);
      this._onDidChange.fire();
    });
    this._onDidChange.fire();
    return session;
  }

  private async remember(session: ReportSession): Promise<void> {
    try {
      this.last = { uri: session.uri, plan: await session.plan() };
    } catch {
      // The panel was closed in the same moment: the one before stays the last.
    }
  }

  get(uri: vscode.Uri): ReportSession | undefined {
    return this.sessions.get(keyOf(uri));
  }

  all(): ReportSession[] {
    return [...this.sessions.values()];
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

function reportIcon(extensionUri: vscode.Uri): { light: vscode.Uri; dark: vscode.Uri } {
  const file = (name: string): vscode.Uri => vscode.Uri.joinPath(extensionUri, 'media', name);
  return { light: file('report-light.svg'), dark: file('report-dark.svg') };
}

/** `/a/b` and `/a/b/` are the same folder. */
function keyOf(uri: vscode.Uri): string {
  return uri.with({ path: uri.path.replace(/(?<=.)\/+$/, ''), query: '', fragment: '' }).toString();
}
