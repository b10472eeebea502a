import * as vscode from 'vscode';
import type { SideName } from '../../core/comparison/comparedCheckpoint.js';
import type { ComparisonReport } from '../../core/comparison/comparisonReport.js';
import type { ValuesProgress } from '../../core/values/valuesReport.js';
import type { Comparer } from '../../platform/comparison/comparer.js';
import type { Workers } from '../../platform/inspector.js';
import type { WorkerDeath } from '../../platform/startedWorker.js';
import type {
  ComparedValuesState,
  ComparePanelEvents,
  ComparePanelRequests,
  ComparisonState,
  InspectionProgress,
  ReportPanelEvents,
} from '../../protocol/messages.js';
import type { RpcHandlers } from '../../protocol/rpc.js';
import { displayPath, nameOf, targetOf, type FileReach } from '../inspectedPath.js';
import type { Log } from '../log.js';
import { panelHtml, webviewRoot } from '../panels/panelHtml.js';
import { WebviewEndpoint } from '../panels/webviewEndpoint.js';
import { ReadingRun } from '../report/readingRun.js';
import { saveExport } from '../report/saveExport.js';
import { uriOfPair, type ComparedPair } from './comparedPair.js';

export interface ComparePanelServices {
  extensionUri: vscode.Uri;
  workers: Workers;
  reach: FileReach;
  log: Log;
  openReport(uri: vscode.Uri): void;
  /** A panel has begun or ended to compare. */
  onDidChange(): void;
  /** Names the tabs again: the sides were swapped. */
  onDidSwap(): void;
}

/** One panel with two checkpoints side by side. Ends with its panel. */
export class ComparePanel implements vscode.Disposable {
  private readonly endpoint: WebviewEndpoint<ComparePanelEvents>;
  private readonly closed: vscode.Disposable;
  private readonly comparison = new ReadingRun<ComparisonReport, InspectionProgress>((state) => this.onComparison(state));
  private readonly values = new ReadingRun<ComparisonReport, ValuesProgress>((state) => this.onValues(state));
  private comparer: Comparer | undefined;
  private death: WorkerDeath | undefined;

  constructor(
    private pair: ComparedPair,
    readonly panel: vscode.WebviewPanel,
    private readonly services: ComparePanelServices,
  ) {
    this.endpoint = new WebviewEndpoint(panel.webview, this.handlers(), () => this.onReady());
    panel.webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [webviewRoot(services.extensionUri)] };
    this.closed = panel.onDidDispose(() => this.dispose());
    panel.webview.html = panelHtml('compare', panel.webview, services.extensionUri);
    this.compare();
  }

  /** Of both. */
  get uri(): vscode.Uri {
    return uriOfPair(this.pair);
  }

  get sides(): ComparedPair {
    return this.pair;
  }

  get state(): ComparisonState {
    return this.values.state.kind === 'done' ? this.values.state : this.comparison.state;
  }

  /** Has the page copy of the table in which its context menu was opened. */
  copyFromTable(extent: ReportPanelEvents['copyFromTable']['extent']): void {
    this.endpoint.send('copyFromTable', { extent });
  }

  dispose(): void {
    this.endpoint.dispose();
    this.closed.dispose();
    this.end();
  }

  /** Compares again, in a new comparer. */
  private compare(): void {
    this.end();
    this.values.cancel();
    void this.comparison.start((signal) => this.ask(null, signal));
  }

  /** Ends what is under way at once, whatever it is reading. */
  private end(): void {
    this.comparer?.dispose();
    this.comparer = undefined;
  }

  /** Compares in the other order: what was compared is not read again. */
  private async swapSides(): Promise<void> {
    const isCompared = this.comparer !== undefined && this.comparison.state.kind === 'done';
    const hasValues = this.values.state.kind === 'done';
    this.pair = { a: this.pair.b, b: this.pair.a };
    this.sendSides();
    this.services.onDidSwap();
    if (!isCompared) return this.compare();
    this.values.cancel();
    const { comparer } = this;
    await this.comparison.start((signal) => this.answered((running) => running.endpoint.request('swap', {}, signal)));
    const { state } = this.comparison;
    if (hasValues && state.kind === 'done' && this.comparer === comparer)
      await this.values.start(() => Promise.resolve(state.report));
  }

  private ask(values: number | null, signal: AbortSignal): Promise<ComparisonReport> {
    return this.answered((running) => running.endpoint.request('compare', { values }, signal));
  }

  private async answered(request: (running: Comparer) => Promise<ComparisonReport>): Promise<ComparisonReport> {
    try {
      return await request(this.running());
    } catch (error) {
      if (this.death === undefined) throw error;
      throw new Error(deathMessage(this.death), { cause: error });
    }
  }

  /** Starts over when the last one died. */
  private running(): Comparer {
    if (this.comparer !== undefined) return this.comparer;
    const { workers, reach, log } = this.services;
    const { a, b } = this.pair;
    const comparer = workers.startComparer({ a: targetOf(a, reach), b: targetOf(b, reach) });
    comparer.endpoint.on('inspecting', (progress) => this.comparison.progress(progress));
    comparer.endpoint.on('readingValues', (progress) => this.values.progress(progress));
    comparer.onDidDie((death) => {
      log.error(`the comparison of ${a.path} and ${b.path} died: ${death.detail}`);
      this.comparer = undefined;
      this.death = death;
    });
    this.death = undefined;
    this.comparer = comparer;
    return comparer;
  }

  private onReady(): void {
    this.sendSides();
    this.endpoint.send('comparison', this.comparison.state);
    this.endpoint.send('values', this.values.state);
  }

  private sendSides(): void {
    const { pair, services } = this;
    const sideOf = (uri: vscode.Uri) => ({ name: nameOf(uri), path: displayPath(uri) });
    this.endpoint.send('source', { uri: this.uri.toString() });
    this.endpoint.send('sides', { a: sideOf(pair.a), b: sideOf(pair.b), readsValues: services.reach.hasLocalFiles });
  }

  private onComparison(state: ComparisonState): void {
    this.endpoint.send('comparison', state);
    if (state.kind !== 'running') this.services.onDidChange();
  }

  private onValues(state: ComparedValuesState): void {
    this.endpoint.send('values', state);
    if (state.kind !== 'running') this.services.onDidChange();
  }

  private handlers(): RpcHandlers<ComparePanelRequests> {
    return {
      copyMarkdown: async () => this.copy(await this.running().endpoint.request('markdown', {})),
      copyText: ({ text }) => this.copy(text),
      saveJson: () =>
        saveExport(this.pair.b, 'json', async () => new TextEncoder().encode(await this.running().endpoint.request('json', {}))),
      swapSides: () => (void this.swapSides(), null),
      refresh: () => (this.compare(), null),
      cancel: () => (this.comparison.cancel(), this.end(), null),
      inspectSide: ({ side }) => (this.services.openReport(this.uriOf(side)), null),
      compareValues: ({ share }) => (void this.values.start((signal) => this.ask(share, signal)), null),
      cancelValues: () => (this.values.cancel(), null),
    };
  }

  private uriOf(side: SideName): vscode.Uri {
    return side === 'a' ? this.pair.a : this.pair.b;
  }

  private async copy(text: string): Promise<null> {
    await vscode.env.clipboard.writeText(text);
    return null;
  }
}

function deathMessage({ code, detail }: WorkerDeath): string {
  return code === 'out-of-memory'
    ? vscode.l10n.t('the comparison needs more memory than it may take')
    : vscode.l10n.t('the comparison ended unexpectedly ({0}); see the Stowage log', detail);
}
