import * as vscode from 'vscode';
import { indexNames, longestIndexText, recogniseIndex, type IndexFile } from '../../core/datasets/indexFiles.js';
import { indexHover } from '../../core/pages/dataset/indexHover.js';
import { commandIdOf } from '../manifest/commandId.js';
import { nameOf } from '../inspectedPath.js';
import type { DatasetFacts } from './datasetFacts.js';

/** Which documents are looked at; what is in them decides whether there is a hover. */
const selector: vscode.DocumentFilter[] = [...indexNames, '*.idx'].map((name) => ({ pattern: `**/${name}` }));

/** Says over the index file of a dataset what the dataset is: tokens, samples, bytes a token, findings. */
export class DatasetHoverProvider implements vscode.HoverProvider {
  constructor(private readonly facts: DatasetFacts) {}

  async provideHover(
    document: vscode.TextDocument,
    _position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    const index = recogniseIndex(nameOf(document.uri), textOf(document));
    if (index === null) return undefined;
    const target = targetOfIndex(document.uri, index);
    const link = inspectLink(target);
    const found = await this.facts.of(target, document.uri, token, link).catch(() => null);
    if (token.isCancellationRequested) return undefined;
    const text = new vscode.MarkdownString(found ?? indexHover(index, link));
    // The text holds escaped words of files: nothing but our own command may be run from it.
    text.isTrusted = { enabledCommands: [commandIdOf('inspect')] };
    text.supportHtml = false;
    return new vscode.Hover(text);
  }
}

/** The folder around an index, or the index itself where it brings its data along. */
export function targetOfIndex(uri: vscode.Uri, { isPair }: Pick<IndexFile, 'isPair'>): vscode.Uri {
  return isPair ? uri : vscode.Uri.joinPath(uri, '..');
}

export function registerDatasetHovers(facts: DatasetFacts): vscode.Disposable {
  return vscode.languages.registerHoverProvider(selector, new DatasetHoverProvider(facts));
}

/** Of a binary index only its magic is looked at. */
function textOf(document: vscode.TextDocument): string {
  if (!document.uri.path.toLowerCase().endsWith('.idx')) {
    const end = document.lineAt(document.lineCount - 1).range.end;
    return document.offsetAt(end) > longestIndexText ? '' : document.getText();
  }
  return document.getText(new vscode.Range(0, 0, 0, 16));
}

function inspectLink(target: vscode.Uri): string {
  return `command:${commandIdOf('inspect')}?${encodeURIComponent(JSON.stringify([target.toString()]))}`;
}
