import * as vscode from 'vscode';
import { panelIds } from '../ids.js';
import { nameOf } from '../inspectedPath.js';
import { distinctNames } from '../panels/distinctNames.js';
import { webviewRoot } from '../panels/panelHtml.js';
import { panelIcon } from '../panels/panelIcon.js';
import { RunPanel, type RunPanelServices } from './runPanel.js';

/** All panels of runs, one a directory. */
export class RunPanels implements vscode.Disposable {
  private readonly panels = new Set<RunPanel>();
  private readonly _onDidList = new vscode.EventEmitter<void>();
  /** A panel has listed its directory. */
  readonly onDidList = this._onDidList.event;
  private readonly services: RunPanelServices;

  constructor(services: Omit<RunPanelServices, 'openRun' | 'onDidList'>) {
    this.services = { ...services, openRun: (uri) => void this.open(uri), onDidList: () => this._onDidList.fire() };
  }

  /** Shows the runs of a directory: the panel that there is, or a new one. */
  open(uri: vscode.Uri): RunPanel {
    const existing = this.of(uri);
    if (existing !== undefined) {
      existing.panel.reveal();
      return existing;
    }
    const panel = vscode.window.createWebviewPanel(panelIds.run, titleOf(nameOf(uri)), vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [webviewRoot(this.services.extensionUri)],
    });
    return this.adopt(uri, panel);
  }

  /** Shows the runs of a directory in a panel that the editor gives back after a reload; closes one whose directory has another. */
  restore(uri: vscode.Uri, panel: vscode.WebviewPanel): void {
    if (this.of(uri) === undefined) this.adopt(uri, panel);
    else panel.dispose();
  }

  /** The panel of a directory. */
  of(uri: vscode.Uri): RunPanel | undefined {
    const key = uri.toString();
    return [...this.panels].find(({ uri: shown }) => shown.toString() === key);
  }

  /** The panel in front, where one is in front. */
  active(): RunPanel | undefined {
    return [...this.panels].find(({ panel }) => panel.active);
  }

  dispose(): void {
    for (const { panel } of [...this.panels]) panel.dispose();
    this._onDidList.dispose();
  }

  private adopt(uri: vscode.Uri, panel: vscode.WebviewPanel): RunPanel {
    panel.iconPath = panelIcon(this.services.extensionUri);
    const session = new RunPanel(uri, panel, this.services);
    this.panels.add(session);
    panel.onDidDispose(() => {
      this.panels.delete(session);
      this.nameTabs();
    });
    this.nameTabs();
    return session;
  }

  private nameTabs(): void {
    const panels = [...this.panels];
    const names = distinctNames(panels.map(({ uri }) => ({ parts: uri.path.split('/').filter((part) => part !== '') })));
    for (const [index, { panel, uri }] of panels.entries()) panel.title = titleOf(names[index] ?? nameOf(uri));
  }
}

function titleOf(name: string): string {
  return vscode.l10n.t('Saves of {name}', { name });
}
