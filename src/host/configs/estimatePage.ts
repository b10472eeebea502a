import * as vscode from 'vscode';
import { pageSchemes } from '../ids.js';
import { nameOf, uriOfArgument } from '../inspectedPath.js';
import { chooseConfig } from './chooseConfig.js';
import type { ConfigEstimates } from './configEstimates.js';
import { mayBeConfig } from './configSelector.js';

/** The whole estimate of a config as a page of Markdown that follows the config while it is edited. */
class EstimatePages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly open = new Map<string, vscode.Uri>();
  private readonly edits = vscode.workspace.onDidChangeTextDocument(({ document }) => {
    const page = this.open.get(document.uri.toString());
    if (page !== undefined) this.changed.fire(page);
  });

  constructor(private readonly estimates: ConfigEstimates) {}

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const config = vscode.Uri.parse(uri.query, true);
    this.open.set(config.toString(), uri);
    const page = await this.estimates.page(config);
    return page ?? vscode.l10n.t('This is not a supported model or training config.');
  }

  dispose(): void {
    this.changed.dispose();
    this.edits.dispose();
  }
}

/** "Estimate Checkpoint Size". Opens the page of a config: the one that is given, the one in the active editor, or one that is chosen. */
export async function estimateCommand(argument: unknown): Promise<void> {
  const config = uriOfArgument(argument) ?? activeConfig() ?? (await chooseConfig());
  if (config === undefined) return;
  const name = vscode.l10n.t('Estimate of {name}', { name: nameOf(config) });
  const page = vscode.Uri.from({ scheme: pageSchemes.estimate, path: `/${name}.md`, query: config.toString() });
  await vscode.commands.executeCommand('markdown.showPreviewToSide', page);
}

function activeConfig(): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document !== undefined && mayBeConfig(document) ? document.uri : undefined;
}

export function registerEstimatePages(estimates: ConfigEstimates): vscode.Disposable {
  const pages = new EstimatePages(estimates);
  return vscode.Disposable.from(pages, vscode.workspace.registerTextDocumentContentProvider(pageSchemes.estimate, pages));
}
