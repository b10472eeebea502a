import * as vscode from 'vscode';
import { nameOf } from '../inspectedPath.js';
import { distinctNames } from './distinctNames.js';
import { webviewRoot } from './panelHtml.js';
import { panelIcon } from './panelIcon.js';

/** What is shown in a panel of its own. */
export interface PanelSession {
  readonly uri: vscode.Uri;
  readonly panel: vscode.WebviewPanel;
}

export interface PanelKind<Session extends PanelSession> {
  /** Type of the panel, of `panelIds`. */
  id: string;
  extensionUri: vscode.Uri;
  column: vscode.ViewColumn;
  /** @param name of what is shown, with a folder where another panel has the same */
  titleOf(name: string): string;
  /** Fills a panel. */
  create(uri: vscode.Uri, panel: vscode.WebviewPanel): Session;
}

/** All panels of a kind, one for what is shown. Their tabs are named so that no two are alike. */
export class PanelsByUri<Session extends PanelSession> implements vscode.Disposable {
  private readonly sessions = new Set<Session>();

  constructor(private readonly kind: PanelKind<Session>) {}

  /** The panel that there is, in front, or a new one. */
  open(uri: vscode.Uri): { session: Session; isNew: boolean } {
    const existing = this.of(uri);
    if (existing !== undefined) {
      existing.panel.reveal();
      return { session: existing, isNew: false };
    }
    const { id, column, extensionUri } = this.kind;
    const panel = vscode.window.createWebviewPanel(id, this.kind.titleOf(nameOf(uri)), column, {
      enableScripts: true,
      localResourceRoots: [webviewRoot(extensionUri)],
    });
    return { session: this.adopt(uri, panel), isNew: true };
  }

  /** Fills a panel that the editor gives back after a reload; closes one whose content another has. */
  restore(uri: vscode.Uri, panel: vscode.WebviewPanel): void {
    if (this.of(uri) === undefined) this.adopt(uri, panel);
    else panel.dispose();
  }

  of(uri: vscode.Uri): Session | undefined {
    const key = uri.toString();
    return [...this.sessions].find((session) => session.uri.toString() === key);
  }

  all(): Session[] {
    return [...this.sessions];
  }

  /** The panel in front, where one is in front. */
  active(): Session | undefined {
    return [...this.sessions].find(({ panel }) => panel.active);
  }

  dispose(): void {
    for (const { panel } of [...this.sessions]) panel.dispose();
  }

  private adopt(uri: vscode.Uri, panel: vscode.WebviewPanel): Session {
    panel.iconPath = panelIcon(this.kind.extensionUri);
    const session = this.kind.create(uri, panel);
    this.sessions.add(session);
    panel.onDidDispose(() => {
      this.sessions.delete(session);
      this.nameTabs();
    });
    this.nameTabs();
    return session;
  }

  /** Files of one name, as `config.json` is of most models, are distinguished by their folders. */
  protected nameTabs(): void {
    const sessions = [...this.sessions];
    const names = distinctNames(sessions.map(({ uri }) => ({ parts: uri.path.split('/').filter((part) => part !== '') })));
    for (const [index, { panel, uri }] of sessions.entries()) panel.title = this.kind.titleOf(names[index] ?? nameOf(uri));
  }
}
