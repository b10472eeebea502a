import * as vscode from 'vscode';
import { settingIds } from '../ids.js';
import { commandIdOf } from '../manifest/commandId.js';
import type { ConfigEstimates } from './configEstimates.js';
import { configSelector } from './configSelector.js';

/** One line above a config: parameters, checkpoint, disk over the run. */
class ConfigLensProvider implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly settings = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(settingIds.codeLens)) this.changed.fire();
  });

  constructor(private readonly estimates: ConfigEstimates) {}

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if (!vscode.workspace.getConfiguration().get<boolean>(settingIds.codeLens, true)) return [];
    const found = await this.estimates.of(document);
    if (found === null || found.lens === '') return [];
    const top = new vscode.Range(0, 0, 0, 0);
    const args = [document.uri.toString()];
    return [
      new vscode.CodeLens(top, {
        title: found.lens,
        tooltip: vscode.l10n.t('Show where these numbers come from'),
        command: commandIdOf('estimate'),
        arguments: args,
      }),
      ...(found.isSaved ? [planLens(top, args)] : []),
    ];
  }

  dispose(): void {
    this.changed.dispose();
    this.settings.dispose();
  }
}

function planLens(range: vscode.Range, args: readonly string[]): vscode.CodeLens {
  return new vscode.CodeLens(range, {
    title: vscode.l10n.t('Plan storage'),
    tooltip: vscode.l10n.t('Interval, bandwidth, tiers and cost for these checkpoints'),
    command: commandIdOf('plan'),
    arguments: [...args],
  });
}

export function registerConfigLenses(estimates: ConfigEstimates): vscode.Disposable {
  const provider = new ConfigLensProvider(estimates);
  return vscode.Disposable.from(provider, vscode.languages.registerCodeLensProvider(configSelector, provider));
}
