import * as vscode from 'vscode';
import type { EstimatePanelEvents, EstimatePanelRequests, ReportPanelEvents } from '../../protocol/messages.js';
import { RpcError, type RpcHandlers } from '../../protocol/rpc.js';
import { displayPath, nameOf } from '../inspectedPath.js';
import type { Log } from '../log.js';
import { panelHtml, webviewRoot } from '../panels/panelHtml.js';
import { WebviewEndpoint } from '../panels/webviewEndpoint.js';
import { reveal } from '../report/reveal.js';
import type { ConfigEstimates } from './configEstimates.js';

export interface EstimatePanelServices {
  extensionUri: vscode.Uri;
  estimates: ConfigEstimates;
  log: Log;
  /** Opens a plan by the text of its file. */
  openPlan(text: string): Promise<void>;
}

/** How long after the last key the config is estimated again, in milliseconds. */
const pauseMs = 200;

/** One panel with the estimate of a config, which follows the config while it is edited. Ends with its panel. */
export class EstimatePanel implements vscode.Disposable {
  private readonly endpoint: WebviewEndpoint<EstimatePanelEvents>;
  private readonly closed: vscode.Disposable;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Of several estimates under way only the newest is shown. */
  private newest = 0;

  constructor(
    readonly uri: vscode.Uri,
    readonly panel: vscode.WebviewPanel,
    private readonly services: EstimatePanelServices,
  ) {
    this.endpoint = new WebviewEndpoint(panel.webview, this.handlers(), () => this.onReady());
    panel.webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [webviewRoot(services.extensionUri)] };
    this.closed = panel.onDidDispose(() => this.dispose());
    panel.webview.html = panelHtml('estimate', panel.webview, services.extensionUri);
  }

  /** Shows the estimate anew, once nobody types. */
  schedule(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.send(), pauseMs);
  }

  /** Has the page copy of the table in which its context menu was opened. */
  copyFromTable(extent: ReportPanelEvents['copyFromTable']['extent']): void {
    this.endpoint.send('copyFromTable', { extent });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.newest += 1;
    this.endpoint.dispose();
    this.closed.dispose();
  }

  private onReady(): void {
    this.endpoint.send('source', { uri: this.uri.toString() });
    void this.send();
  }

  /** Never rejects. */
  private async send(): Promise<void> {
    const { uri: config } = this;
    this.newest += 1;
    const turn = this.newest;
    const [name, path] = [nameOf(config), displayPath(config)];
    try {
      const estimate = await this.services.estimates.report(config);
      if (turn === this.newest) this.endpoint.send('estimate', { name, path, estimate });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.services.log.error(`estimate of ${config.path}: ${message}`);
      if (turn === this.newest) this.endpoint.send('failed', { name, path, message });
    }
  }

  private handlers(): RpcHandlers<EstimatePanelRequests> {
    const { uri: config, services } = this;
    return {
      copyMarkdown: async () => this.copy(wanted(await services.estimates.page(config))),
      copyText: ({ text }) => this.copy(text),
      plan: async () => (await services.openPlan(wanted(await services.estimates.plan(config))), null),
      reveal: () => reveal(config),
      whatIf: ({ changes }) => services.estimates.changed(config, changes),
      openConfig: ({ offset }) => showConfig(config, offset),
    };
  }

  private async copy(text: string): Promise<null> {
    await vscode.env.clipboard.writeText(text);
    return null;
  }
}

/** Shows the config where it is open, else in the first column, beside which its estimate was opened. */
async function showConfig(config: vscode.Uri, offset: number | null): Promise<null> {
  const document = await vscode.workspace.openTextDocument(config);
  const open = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  const place = offset === null ? undefined : document.positionAt(offset);
  await vscode.window.showTextDocument(document, {
    viewColumn: open?.viewColumn ?? vscode.ViewColumn.One,
    ...(place === undefined ? {} : { selection: new vscode.Range(place, place) }),
  });
  return null;
}

/** @throws RpcError for what is no config */
function wanted(text: string | null): string {
  if (text !== null) return text;
  throw new RpcError('not-a-config', vscode.l10n.t('This is not a supported model or training config.'));
}
