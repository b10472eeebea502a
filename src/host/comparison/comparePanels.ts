import * as vscode from 'vscode';
import { panelIds } from '../ids.js';
import { PanelsByUri } from '../panels/panelsByUri.js';
import { pairOfUri, uriOfPair, type ComparedPair } from './comparedPair.js';
import { ComparePanel, type ComparePanelServices } from './comparePanel.js';

/** All panels of comparisons, one a pair of sides. */
export class ComparePanels extends PanelsByUri<ComparePanel> {
  private readonly changed: vscode.EventEmitter<void>;
  /** A comparison has ended. */
  readonly onDidChange: vscode.Event<void>;

  constructor(services: Omit<ComparePanelServices, 'onDidChange' | 'onDidSwap'>) {
    const changed = new vscode.EventEmitter<void>();
    const own: ComparePanelServices = { ...services, onDidChange: () => changed.fire(), onDidSwap: () => this.nameTabs() };
    super({
      id: panelIds.compare,
      extensionUri: services.extensionUri,
      column: vscode.ViewColumn.Active,
      titleOf: (name) => name,
      create: (uri, panel) => new ComparePanel(pairOfUri(uri) as ComparedPair, panel, own),
    });
    this.changed = changed;
    this.onDidChange = changed.event;
  }

  compare(pair: ComparedPair): void {
    this.open(uriOfPair(pair));
  }

  /** Closes a panel whose page kept no pair. */
  override restore(uri: vscode.Uri, panel: vscode.WebviewPanel): void {
    if (pairOfUri(uri) === undefined) panel.dispose();
    else super.restore(uri, panel);
  }

  override dispose(): void {
    super.dispose();
    this.changed.dispose();
  }
}
