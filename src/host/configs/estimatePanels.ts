import * as vscode from 'vscode';
import { panelIds } from '../ids.js';
import { nameOf } from '../inspectedPath.js';
import { distinctNames } from '../panels/distinctNames.js';
import { panelIcon } from '../panels/panelIcon.js';
import { webviewRoot } from '../panels/panelHtml.js';
import { EstimatePanel, type EstimatePanelServices } from './estimatePanel.js';

/** All panels of estimates, one a config. */
export class EstimatePanels implements vscode.Disposable {
  private readonly panels = new Set<EstimatePanel>();
  private readonly edits = vscode.workspace.onDidChangeTextDocument(({ document }) => this.of(document.uri)?.schedule());

  constructor(private readonly services: EstimatePanelServices) {}

  /** Shows the estimate of a config beside it: the panel that there is, or a new one. */
  open(config: vscode.Uri): EstimatePanel {
    const existing = this.of(config);
    if (existing !== undefined) {
      existing.panel.reveal();
      existing.schedule();
      return existing;
    }
    const { extensionUri } = this.services;
    const panel = vscode.window.createWebviewPanel(panelIds.estimate, titleOf(nameOf(config)), vscode.ViewColumn.Beside, {
      enableScripts: true,
      localResourceRoots: [webviewRoot(extensionUri)],
    });
    return this.adopt(config, panel);
  }

  /** Shows the estimate of a config in a panel that the editor gives back after a reload; closes one whose config has another. */
  restore(config: vscode.Uri, panel: vscode.WebviewPanel): void {
    if (this.of(config) === undefined) this.adopt(config, panel);
    else panel.dispose();
  }

  private adopt(config: vscode.Uri, panel: vscode.WebviewPanel): EstimatePanel {
    panel.iconPath = panelIcon(this.services.extensionUri);
    const session = new EstimatePanel(config, panel, this.services);
    this.panels.add(session);
    panel.onDidDispose(() => {
      this.panels.delete(session);
      this.nameTabs();
    });
    this.nameTabs();
    return session;
  }

  /** The panel in front, where one is in front. */
  active(): EstimatePanel | undefined {
    return [...this.panels].find(({ panel }) => panel.active);
  }

  dispose(): void {
    this.edits.dispose();
    for (const { panel } of [...this.panels]) panel.dispose();
  }

  /** Configs of one name, as `config.json` is of most models, are told apart by their folders. */
  private nameTabs(): void {
    const panels = [...this.panels];
    const names = distinctNames(panels.map(({ config }) => ({ parts: config.path.split('/').filter((part) => part !== '') })));
    for (const [index, { panel, config }] of panels.entries()) panel.title = titleOf(names[index] ?? nameOf(config));
  }

  private of(config: vscode.Uri): EstimatePanel | undefined {
    const key = config.toString();
    return [...this.panels].find(({ config: shown }) => shown.toString() === key);
  }
}

function titleOf(name: string): string {
  return vscode.l10n.t('Estimate of {name}', { name });
}
