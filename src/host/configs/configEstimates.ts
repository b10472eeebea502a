import * as vscode from 'vscode';
import { limits } from '../../core/bytes/limits.js';
import type { FoundText } from '../../core/configs/configKind.js';
import type { Span } from '../../core/configs/document/configNode.js';
import type { EstimateReport, PlacedEstimate } from '../../core/estimates/estimateReport.js';
import type { EstimatedConfig, Estimator } from '../../platform/estimator.js';
import type { EstimateChanges } from '../../app/estimates/estimateChanges.js';
import type { Workers } from '../../platform/inspector.js';
import type { EstimateLinks } from '../../core/pages/estimate/estimateHover.js';
import type { Log } from '../log.js';
import { displayPath, rootPathsFor } from '../inspectedPath.js';
import { mayBeConfig } from './configSelector.js';
import { readBeside } from './readBeside.js';

/** Documents whose estimates are kept. */
const keptDocuments = 50;
/** How long files that a config names are taken as they were: a hover follows a hover, but a saved file should show soon. */
const freshMs = 10_000;

interface Known {
  version: number;
  result: Promise<EstimatedConfig | null>;
  madeMs: number;
  /** Cards that were shown of this version: a resting pointer asks again and again. */
  cards: { text: string; span: Span }[];
}

/** Estimates of documents, each made once for a version, by an estimator that starts with the first one. */
export class ConfigEstimates implements vscode.Disposable {
  private readonly known = new Map<string, Known>();
  private estimator: Estimator | undefined;

  constructor(
    private readonly workers: Workers,
    private readonly hasLocalFiles: boolean,
    private readonly log: Log,
  ) {}

  /** Null for a document that is no config. */
  of(document: vscode.TextDocument): Promise<EstimatedConfig | null> {
    if (!mayBeConfig(document) || lengthOf(document) > limits.configCharacters) return Promise.resolve(null);
    const key = document.uri.toString();
    const known = this.known.get(key);
    if (known?.version === document.version && Date.now() - known.madeMs < freshMs) return known.result;
    const made: Known = { version: document.version, madeMs: Date.now(), cards: [], result: Promise.resolve(null) };
    made.result = this.make(document).catch((error: unknown) => {
      this.log.error(`estimate of ${document.uri.path}: ${error instanceof Error ? error.message : String(error)}`);
      // The next request tries again, unless another one already has.
      if (this.known.get(key) === made) this.known.delete(key);
      return null;
    });
    this.known.delete(key);
    this.known.set(key, made);
    this.forgetOldest();
    return made.result;
  }

  /** The card over a place of a document. */
  async card(document: vscode.TextDocument, offset: number, links: EstimateLinks): Promise<{ text: string; span: Span } | null> {
    if ((await this.of(document)) === null) return null;
    const key = document.uri.toString();
    const known = this.known.get(key);
    const shown = known?.cards.find(({ span }) => span.start <= offset && offset < span.end);
    if (shown !== undefined) return shown;
    const card = await this.running().endpoint.request('card', { key, offset, links });
    if (card !== null) known?.cards.push(card);
    return card;
  }

  /** The whole estimate of a file, which need not be open; null for what is no config. */
  async report(uri: vscode.Uri): Promise<PlacedEstimate | null> {
    const document = await vscode.workspace.openTextDocument(uri);
    if ((await this.of(document)) === null) return null;
    return this.running().endpoint.request('report', { key: uri.toString() });
  }

  /** The estimate with values in place of the config's; null for what is no config. */
  async changed(uri: vscode.Uri, changes: EstimateChanges): Promise<EstimateReport | null> {
    const document = await vscode.workspace.openTextDocument(uri);
    if ((await this.of(document)) === null) return null;
    return this.running().endpoint.request('changed', { key: uri.toString(), changes });
  }

  /** The same as Markdown; null for what is no config. */
  async page(uri: vscode.Uri, changes?: EstimateChanges): Promise<string | null> {
    const document = await vscode.workspace.openTextDocument(uri);
    if ((await this.of(document)) === null) return null;
    return this.running().endpoint.request('page', { key: uri.toString(), ...(changes === undefined ? {} : { changes }) });
  }

  /** The text of a plan that begins with a config's numbers; null for what is no config. */
  async plan(uri: vscode.Uri): Promise<string | null> {
    const document = await vscode.workspace.openTextDocument(uri);
    if ((await this.of(document)) === null) return null;
    return this.running().endpoint.request('plan', { key: uri.toString() });
  }

  forget(document: vscode.TextDocument): void {
    this.drop(document.uri.toString());
  }

  dispose(): void {
    this.estimator?.dispose();
  }

  private make(document: vscode.TextDocument): Promise<EstimatedConfig | null> {
    const { uri } = document;
    const folder = vscode.Uri.joinPath(uri, '..');
    const isLocal = uri.scheme === 'file' && this.hasLocalFiles;
    return this.running().endpoint.request('estimate', {
      key: uri.toString(),
      path: displayPath(uri),
      place: isLocal ? { kind: 'local', folder: folder.fsPath, rootPaths: rootPathsFor(folder) } : { kind: 'virtual' },
      text: document.getText(),
    });
  }

  /** Starts over when the last one died: the next file may be another. */
  private running(): Estimator {
    if (this.estimator !== undefined) return this.estimator;
    const estimator = this.workers.startEstimator(({ key, path }) => this.readFor(key, path));
    estimator.onDidDie(({ detail }) => {
      this.log.error(`the estimator died: ${detail}`);
      this.known.clear();
      this.estimator = undefined;
    });
    this.estimator = estimator;
    return estimator;
  }

  private async readFor(key: string, path: string): Promise<FoundText | null> {
    return this.known.has(key) ? readBeside(vscode.Uri.parse(key, true), path) : null;
  }

  private forgetOldest(): void {
    for (const oldest of this.known.keys()) {
      if (this.known.size <= keptDocuments) return;
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    if (this.known.delete(key)) void this.estimator?.endpoint.request('forget', { key }).catch(() => undefined);
  }
}

function lengthOf(document: vscode.TextDocument): number {
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end);
}
