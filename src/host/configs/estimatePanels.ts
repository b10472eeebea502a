import * as vscode from 'vscode';
import { panelIds } from '../ids.js';
import { PanelsByUri } from '../panels/panelsByUri.js';
import { EstimatePanel, type EstimatePanelServices } from './estimatePanel.js';

/** All panels of estimates, one a config. */
export class EstimatePanels implements vscode.Disposable {
  private readonly panels: PanelsByUri<EstimatePanel>;
  private readonly edits = vscode.workspace.onDidChangeTextDocument(({ document }) => this.panels.of(document.uri)?.schedule());

  constructor(services: EstimatePanelServices) {
    this.panels = new PanelsByUri({
      id: panelIds.estimate,
      extensionUri: services.extensionUri,
      column: vscode.ViewColumn.Beside,
      titleOf: (name) => vscode.l10n.t('Estimate of {name}', { name }),
      create: (uri, panel) => new EstimatePanel(uri, panel, services),
    });
  }

  /** Shows the estimate of a config beside it, anew where a panel shows it already. */
  open(config: vscode.Uri): void {
    const { session, isNew } = this.panels.open(config);
    if (!isNew) session.schedule();
  }

  restore(config: vscode.Uri, panel: vscode.WebviewPanel): void {
    this.panels.restore(config, panel);
  }

  /** The panel in front, where one is in front. */
  active(): EstimatePanel | undefined {
    return this.panels.active();
  }

  dispose(): void {
    this.edits.dispose();
    this.panels.dispose();
  }
}
