import * as vscode from 'vscode';
import { commandIdOf } from '../manifest/commandId.js';
import type { ConfigEstimates } from './configEstimates.js';
import { configSelector } from './configSelector.js';

/** Says over a key of a config what the config comes to, and what that key is worth. */
class ConfigHoverProvider implements vscode.HoverProvider {
  constructor(private readonly estimates: ConfigEstimates) {}

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const card = await this.estimates.card(document, document.offsetAt(position), {
      plan: commandLink(commandIdOf('plan'), document.uri),
      why: commandLink(commandIdOf('estimate'), document.uri),
    });
    if (card === null) return undefined;
    const text = new vscode.MarkdownString(card.text);
    // The text holds escaped words of files: nothing but our own commands may be run from it.
    text.isTrusted = { enabledCommands: [commandIdOf('estimate'), commandIdOf('plan')] };
    text.supportHtml = false;
    return new vscode.Hover(text, rangeOf(document, card.span));
  }
}

function commandLink(command: string, uri: vscode.Uri): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify([uri.toString()]))}`;
}

export function rangeOf(document: vscode.TextDocument, { start, end }: { start: number; end: number }): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

export function registerConfigHovers(estimates: ConfigEstimates): vscode.Disposable {
  return vscode.languages.registerHoverProvider(configSelector, new ConfigHoverProvider(estimates));
}
