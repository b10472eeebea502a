import * as vscode from 'vscode';
import { keyAt } from '../../core/configs/document/keyAt.js';
import { keyOf } from '../../core/configs/fields.js';
import { keyEffect } from '../../core/keyEffect.js';
import { estimateHover } from '../../core/report/estimateHover.js';
import { commandIds } from '../ids.js';
import type { ConfigEstimates } from './configEstimates.js';
import { configSelector } from './configSelector.js';

/** Says over a key of a config what the config comes to, and what that key is worth. */
class ConfigHoverProvider implements vscode.HoverProvider {
  constructor(private readonly estimates: ConfigEstimates) {}

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const found = await this.estimates.of(document);
    if (found === null) return undefined;
    const { estimate, report, access } = found;
    const key = keyAt(estimate.file.document.root, document.offsetAt(position));
    // Keys that the estimate does not rest on have other tools to explain them.
    if (key === null || !estimate.used.has(keyOf(key.path))) return undefined;
    const effect = await keyEffect(estimate, access, key.path);
    const link = estimateLink(document.uri);
    const hovered = { key: key.path[key.path.length - 1] ?? '', effect };
    const text = new vscode.MarkdownString(estimateHover(report, hovered, { plan: link, why: link }));
    // The text holds escaped words of files: nothing but our own command may be run from it.
    text.isTrusted = { enabledCommands: [commandIds.estimate] };
    text.supportHtml = false;
    return new vscode.Hover(text, rangeOf(document, key.keySpan));
  }
}

function estimateLink(uri: vscode.Uri): string {
  return `command:${commandIds.estimate}?${encodeURIComponent(JSON.stringify([uri.toString()]))}`;
}

export function rangeOf(document: vscode.TextDocument, { start, end }: { start: number; end: number }): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

export function registerConfigHovers(estimates: ConfigEstimates): vscode.Disposable {
  return vscode.languages.registerHoverProvider(configSelector, new ConfigHoverProvider(estimates));
}
