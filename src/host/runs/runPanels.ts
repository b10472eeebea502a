import * as vscode from 'vscode';
import { panelIds } from '../ids.js';
import { PanelsByUri } from '../panels/panelsByUri.js';
import { RunPanel, type RunPanelServices } from './runPanel.js';

/** All panels of runs, one a directory. */
export class RunPanels extends PanelsByUri<RunPanel> {
  private readonly listed: vscode.EventEmitter<void>;
  /** A panel has listed its directory. */
  readonly onDidList: vscode.Event<void>;

  constructor(services: Omit<RunPanelServices, 'openRun' | 'onDidList'>) {
    const listed = new vscode.EventEmitter<void>();
    const own: RunPanelServices = {
      ...services,
      openRun: (uri) => void this.open(uri),
      onDidList: () => listed.fire(),
    };
    super({
      id: panelIds.run,
      extensionUri: services.extensionUri,
      column: vscode.ViewColumn.Active,
      titleOf: (name) => vscode.l10n.t('Saves of {name}', { name }),
      create: (uri, panel) => new RunPanel(uri, panel, own),
    });
    this.listed = listed;
    this.onDidList = listed.event;
  }

  override dispose(): void {
    super.dispose();
    this.listed.dispose();
  }
}
