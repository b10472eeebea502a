import * as vscode from 'vscode';
import { limits } from '../../core/bytes/limits.js';
import type { Report } from '../../core/inspection/report.js';
import type { Workers } from '../../platform/inspector.js';
import type { ScannedValues } from '../../core/pages/values/scannedValues.js';
import type { ValuesProgress, ValuesReport } from '../../core/values/valuesReport.js';
import type { VerificationReport } from '../../core/verification/verification.js';
import type { VerifyProgress } from '../../core/verification/verifyTree.js';
import type { ChosenTokenizer } from '../../app/inspection/tokenizers.js';
import type {
  InspectionDepth,
  ReportPanelEvents,
  ReportPanelRequests,
  ReadingProgress,
  VerificationState,
} from '../../protocol/messages.js';
import { RpcError, type RpcHandlers } from '../../protocol/rpc.js';
import { settingIds } from '../ids.js';
import type { Log } from '../log.js';
import { WebviewEndpoint } from '../panels/webviewEndpoint.js';
import { chooseTokenizer } from './chooseTokenizer.js';
import { InspectionRun, type RunState } from './inspectionRun.js';
import { displayPath, nameOf, targetOf, type FileReach } from '../inspectedPath.js';
import { addressOf } from '../remote/remoteUri.js';
import { ReadingRun } from './readingRun.js';
import { openListedFile } from './openListedFile.js';
import { reveal } from './reveal.js';
import { saveExport } from './saveExport.js';
import { panelHtml, webviewRoot } from '../panels/panelHtml.js';

export interface ReportSessionServices {
  extensionUri: vscode.Uri;
  workers: Workers;
  reach: FileReach;
  log: Log;
  /** Shows the report of another path, in a panel of its own. */
  openReport(uri: vscode.Uri): void;
  /** Opens a plan by the text of its file. */
  openPlan(text: string): Promise<void>;
  /** Opens a bandwidth check where the next checkpoint would be saved. */
  checkBandwidth(uri: vscode.Uri): Promise<void>;
  /** Asks for another checkpoint and opens the comparison with it. */
  compareWith(uri: vscode.Uri): Promise<void>;
}

/** One report panel with the inspection that it shows. Ends with its panel. */
export class ReportSession implements vscode.Disposable {
  private readonly _onDidChange = new vscode.EventEmitter<RunState>();
  readonly onDidChange = this._onDidChange.event;
  private run: InspectionRun;
  private readonly endpoint: WebviewEndpoint<ReportPanelEvents>;
  /** Stays chosen until the panel is closed. */
  private tokenizer: ChosenTokenizer | null = null;
  private readonly verification = new ReadingRun<VerificationReport, VerifyProgress>((state) => this.onVerification(state));
  private readonly values = new ReadingRun<ScannedValues, ValuesProgress>((state) => this.endpoint.send('values', state));
  private readonly tensorValues = new ReadingRun<ValuesReport, ValuesProgress>(() => this.sendTensorValues());
  /** The tensor whose values were asked for last. */
  private tensorRow: number | null = null;
  /** What a command asked for before there is a report, or a page that takes it. */
  private isToVerify = false;
  private isToShow = false;
  private heapBytes: number = limits.inspectionHeapBytes;
  private readonly subscriptions: vscode.Disposable[] = [this._onDidChange];

  constructor(
    readonly uri: vscode.Uri,
    readonly panel: vscode.WebviewPanel,
    private readonly services: ReportSessionServices,
  ) {
    this.endpoint = new WebviewEndpoint(panel.webview, this.handlers(), () => this.onReady());
    this.run = this.createRun();
    panel.webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [webviewRoot(services.extensionUri)] };
    this.subscriptions.push(panel.onDidDispose(() => this.dispose()));
    panel.webview.html = panelHtml('report', panel.webview, services.extensionUri);
    void this.run.start(this.depth());
  }

  get state(): RunState {
    return this.run.state;
  }

  get verified(): VerificationState {
    return this.verification.state;
  }

  /** Inspects the same path again, in a new inspector. */
  refresh(depth: InspectionDepth = {}): void {
    this.verification.cancel();
    this.values.cancel();
    this.tensorValues.cancel();
    this.run.dispose();
    this.run = this.createRun();
    this.endpoint.send('started', { path: displayPath(this.uri), name: nameOf(this.uri) });
    this._onDidChange.fire(this.run.state);
    void this.run.start({ ...this.depth(), ...depth, ...(this.tokenizer === null ? {} : { tokenizer: this.tokenizer }) });
  }

  /** Inspects again, with samples of raw text tokenized by this. Answers what it is called. */
  refreshWith(tokenizer: ChosenTokenizer): string {
    this.tokenizer = tokenizer;
    this.refresh();
    return tokenizer.path;
  }

  /** Reads all bytes and compares them with their checksums, once the report is there; the page shows what comes of it. */
  verify(): void {
    this.panel.reveal();
    this.isToVerify = true;
    this.isToShow = true;
    if (this.run.state.phase === 'done') this.startToVerify(this.run.state.report);
  }

  private onVerification(state: VerificationState): void {
    this.endpoint.send('verification', state);
    if (state.kind !== 'running') this._onDidChange.fire(this.run.state);
  }

  /** Nothing where it was not asked for. */
  private startToVerify(report: Report): void {
    if (this.isToShow && this.endpoint.send('showTab', { tab: 'integrity' })) this.isToShow = false;
    if (!this.isToVerify) return;
    this.isToVerify = false;
    if (report.kind === 'collection')
      void vscode.window.showInformationMessage(
        vscode.l10n.t('Several checkpoints or datasets are here: open the report of one of them to verify it.'),
      );
    else void this.verification.start((signal) => this.run.ask('verify', { create: false, log: isLogged() }, signal));
  }

  /** The report as text, made where the inspection ran: `plan` is that of a plan with its numbers. Rejects with RpcError while there is none. */
  text(form: 'json' | 'markdown' | 'plan'): Promise<string> {
    return this.run.ask(form, {});
  }

  cancel(): void {
    this.run.cancel();
  }

  /** Has the page copy of the table in which its context menu was opened. */
  copyFromTable(extent: ReportPanelEvents['copyFromTable']['extent']): void {
    this.endpoint.send('copyFromTable', { extent });
  }

  dispose(): void {
    this.run.dispose();
    this.endpoint.dispose();
    for (const subscription of this.subscriptions.splice(0)) subscription.dispose();
  }

  /** What shares its directory with other things has its name among them as the fragment of its address. */
  private depth(): InspectionDepth {
    const { fragment } = this.uri;
    return fragment === '' ? {} : { part: fragment };
  }

  private createRun(): InspectionRun {
    const { workers, reach, log } = this.services;
    const onDidChange = (state: RunState): void => {
      this.sendState(state);
      this._onDidChange.fire(state);
    };
    const onVerifying = (progress: VerifyProgress): void => this.verification.progress(progress);
    const onReadingValues = ({ row, ...progress }: ReadingProgress): void => {
      if (row === null) this.values.progress(progress);
      else if (row === this.tensorRow) this.tensorValues.progress(progress);
    };
    const listeners = { onDidChange, onVerifying, onReadingValues };
    return new InspectionRun(workers, targetOf(this.uri, reach), log, listeners, this.heapBytes);
  }

  private onReady(): void {
    // A signature is not kept.
    const kept = addressOf(this.uri) === null ? this.uri : this.uri.with({ query: '' });
    this.endpoint.send('source', { uri: kept.toString() });
    this.endpoint.send('started', { path: displayPath(this.uri), name: nameOf(this.uri) });
    this.sendState(this.run.state);
    this.endpoint.send('verification', this.verification.state);
    this.endpoint.send('values', this.values.state);
    this.sendTensorValues();
  }

  private sendTensorValues(): void {
    this.endpoint.send('tensorValues', { row: this.tensorRow, state: this.tensorValues.state });
  }

  private sendState(state: RunState): void {
    if (state.phase === 'done') this.sendReport(state.report);
    else if (state.phase === 'failed') this.endpoint.send('failed', state.failure);
    else if (state.progress !== null) this.endpoint.send('progress', state.progress);
  }

  private sendReport(report: Report): void {
    this.endpoint.send('report', { name: nameOf(this.uri), report });
    this.startToVerify(report);
  }

  private handlers(): RpcHandlers<ReportPanelRequests> {
    return {
      tensorPage: (params, signal) => this.run.ask('tensorPage', params, signal),
      modulePage: (params, signal) => this.run.ask('modulePage', params, signal),
      tensorFacets: (params, signal) => this.run.ask('tensorFacets', params, signal),
      tensorDetail: (params, signal) => this.run.ask('tensorDetail', params, signal),
      tensorGrid: (params, signal) => this.run.ask('tensorGrid', params, signal),
      tensorHeatMap: (params, signal) => this.run.ask('tensorHeatMap', params, signal),
      verify: (params) => {
        if (params.create && !vscode.workspace.isTrusted)
          throw new RpcError('untrusted', vscode.l10n.t('A manifest is written only in a workspace that is trusted.'));
        void this.verification.start((signal) => this.run.ask('verify', { ...params, log: isLogged() }, signal));
        return null;
      },
      cancelVerification: () => (this.verification.cancel(), null),
      copyVerification: async (_params, signal) => this.copy(await this.run.ask('verificationMarkdown', {}, signal)),
      scanValues: () => {
        // Of a part of a directory the values are not all that the directory has.
        const log = this.uri.fragment === '' && isLogged();
        void this.values.start((signal) => this.run.ask('scanValues', { log }, signal));
        return null;
      },
      cancelValues: () => (this.values.cancel(), null),
      readTensorValues: (params) => {
        this.tensorRow = params.row;
        void this.tensorValues.start((signal) => this.run.ask('tensorValues', params, signal));
        return null;
      },
      cancelTensorValues: () => (this.tensorValues.cancel(), null),
      copyValues: async (_params, signal) => this.copy(await this.run.ask('valuesMarkdown', {}, signal)),
      copyMarkdown: async (_params, signal) => this.copy(await this.run.ask('markdown', {}, signal)),
      copyText: ({ text }) => this.copy(text),
      saveJson: () => saveExport(this.uri, 'json', async () => new TextEncoder().encode(await this.text('json'))),
      saveTensors: ({ format, query }) => saveExport(this.uri, format, () => this.run.ask('exportTensors', { format, query })),
      openFile: async ({ path, offsetBytes }) => {
        const report = this.run.state.phase === 'done' ? this.run.state.report : null;
        const listed = report === null || report.kind === 'collection' ? [] : report.files.map((file) => file.path);
        await openListedFile(this.uri, listed, path, offsetBytes);
        return null;
      },
      inspectCheckpoint: ({ path, part }) => {
        const { state } = this.run;
        if (state.phase !== 'done' || !hasPart(state.report, path, part))
          throw new RpcError('not-listed', 'the report has no such part');
        const uri = path === '' ? this.uri : vscode.Uri.joinPath(this.uri, ...path.split('/'));
        this.services.openReport(part === undefined ? uri : uri.with({ fragment: part }));
        return null;
      },
      reveal: () => reveal(this.uri),
      plan: async () => (await this.services.openPlan(await this.text('plan')), null),
      checkBandwidth: async () => (await this.services.checkBandwidth(this.uri), null),
      compare: async () => (await this.services.compareWith(this.uri), null),
      refresh: ({ allLengths, moreMemory }) => {
        if (moreMemory === true) this.heapBytes *= 2;
        this.refresh({ allLengths: allLengths === true });
        return null;
      },
      chooseTokenizer: async () => {
        const chosen = await chooseTokenizer(this.uri);
        return chosen === null ? null : this.refreshWith(chosen);
      },
      cancel: () => (this.cancel(), null),
    };
  }

  private async copy(text: string): Promise<null> {
    await vscode.env.clipboard.writeText(text);
    return null;
  }
}

/** Whether what is found is entered into the log beside the path: where the user has set that, in a workspace that is trusted. */
function isLogged(): boolean {
  return vscode.workspace.isTrusted && vscode.workspace.getConfiguration().get<boolean>(settingIds.log, false);
}

/** Whether a report is of several checkpoints or data sets, and this is one of them. */
function hasPart(report: Report, path: string, name: string | undefined): boolean {
  switch (report.kind) {
    case 'checkpoint':
      return path !== '' && report.run?.checkpoints.some((checkpoint) => checkpoint.path === path) === true;
    case 'collection':
      return report.parts.some((part) => part.path === path && (name === undefined ? path !== '' : part.name === name));
    case 'dataset':
      return false;
  }
}
