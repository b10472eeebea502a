import * as vscode from 'vscode';
import type { ClusterReader } from '../../platform/clusterReader.js';
import type { PlanPanelEvents, PlanPanelRequests } from '../../protocol/messages.js';
import type { RpcHandlers } from '../../protocol/rpc.js';
import { editorIds } from '../ids.js';
import { nameOf } from '../inspectedPath.js';
import { panelHtml, webviewRoot } from '../panels/panelHtml.js';
import { WebviewEndpoint } from '../panels/webviewEndpoint.js';
import { readCluster } from './readCluster.js';
import { askVolume } from './askVolume.js';
import { savePlanExport } from './savePlanExport.js';

/** One open plan. The document is the editor's own text document: undo, saving and hot exit are the editor's. */
class PlanSession implements vscode.Disposable {
  private readonly endpoint: WebviewEndpoint<PlanPanelEvents>;
  private readonly subscriptions: vscode.Disposable[];
  /** The text that the page has: its own changes are not sent back to it. */
  private shown: string | null = null;
  /** Changes follow each other quickly while somebody types; each waits for the one before. */
  private changes: Promise<void> = Promise.resolve();
  private isChanging = false;

  constructor(
    private readonly document: vscode.TextDocument,
    panel: vscode.WebviewPanel,
    private readonly clusterReader: ClusterReader | null,
  ) {
    this.endpoint = new WebviewEndpoint(panel.webview, this.handlers(), () => this.sendPlan());
    const isOwn = (other: vscode.TextDocument): boolean => other.uri.toString() === document.uri.toString();
    this.subscriptions = [
      vscode.workspace.onDidChangeTextDocument((event) => isOwn(event.document) && this.onDidChange()),
      vscode.workspace.onDidSaveTextDocument((saved) => isOwn(saved) && this.sendFile()),
      panel.onDidDispose(() => this.dispose()),
    ];
  }

  dispose(): void {
    this.endpoint.dispose();
    for (const subscription of this.subscriptions.splice(0)) subscription.dispose();
  }

  private onDidChange(): void {
    if (!this.isChanging && this.document.getText() !== this.shown) this.sendPlan();
    this.sendFile();
  }

  private sendPlan(): void {
    this.shown = this.document.getText();
    this.endpoint.send('plan', { text: this.shown, fileName: nameOf(this.document.uri) });
    this.sendFile();
  }

  private sendFile(): void {
    const { uri, isDirty } = this.document;
    this.endpoint.send('file', { fileName: nameOf(uri), isChanged: isDirty || uri.scheme === 'untitled' });
  }

  private handlers(): RpcHandlers<PlanPanelRequests> {
    return {
      change: ({ text }) => this.change(text),
      save: () => this.save(),
      openText: async () => {
        await vscode.commands.executeCommand('vscode.openWith', this.document.uri, 'default');
        return null;
      },
      exportPlan: (files) => savePlanExport(this.document.uri, files),
      askVolume: (asked) => askVolume(asked),
      readCluster: () => readCluster(this.clusterReader, this.document.uri),
      copyText: async ({ text }) => (await vscode.env.clipboard.writeText(text), null),
    };
  }

  /** Asks for a location the first time, as a new plan has none. */
  private async save(): Promise<null> {
    const { uri } = this.document;
    await this.changes;
    await (uri.scheme === 'untitled' ? vscode.workspace.saveAs(uri) : vscode.workspace.save(uri));
    return null;
  }

  private async change(text: string): Promise<null> {
    this.shown = text;
    this.changes = this.changes.then(() => this.write(text));
    await this.changes;
    return null;
  }

  private async write(text: string): Promise<void> {
    const { document } = this;
    // One that came later replaces it anyway.
    if (text !== this.shown || document.getText() === text) return;
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    this.isChanging = true;
    try {
      await vscode.workspace.applyEdit(edit);
    } finally {
      this.isChanging = false;
    }
  }
}

/** Shows plan files as the planner. */
class PlanEditorProvider implements vscode.CustomTextEditorProvider {
  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly clusterReader: ClusterReader | null,
  ) {}

  resolveCustomTextEditor(document: vscode.TextDocument, panel: vscode.WebviewPanel): void {
    panel.webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [webviewRoot(this.extensionUri)] };
    // The session ends with its panel.
    new PlanSession(document, panel, this.clusterReader);
    panel.webview.html = panelHtml('planner', panel.webview, this.extensionUri);
  }
}

export function registerPlanEditor(extensionUri: vscode.Uri, clusterReader: ClusterReader | null): vscode.Disposable {
  return vscode.window.registerCustomEditorProvider(editorIds.planEditor, new PlanEditorProvider(extensionUri, clusterReader), {
    supportsMultipleEditorsPerDocument: false,
  });
}
