import * as vscode from 'vscode';
import { commandIds } from '../../../src/host/ids.js';
import type { ReportPanelEvents, ReportPanelRequests, ReportPanelSignals } from '../../../src/protocol/messages.js';
import { RpcEndpoint } from '../../../src/protocol/rpc.js';

type PanelSide = RpcEndpoint<ReportPanelRequests, ReportPanelSignals, ReportPanelEvents>;

export interface FakePanel {
  /** Speaks as the document of the panel would. */
  endpoint: PanelSide;
  html(): string;
  /** Starts again as a document that was hidden and is shown again. */
  reload(): PanelSide;
  /** Panels that are opened from now on are real ones. */
  restoreWindow(): void;
  nextEvent<K extends keyof ReportPanelEvents>(name: K): Promise<ReportPanelEvents[K]>;
}

/** Runs the inspect command with a panel whose document is the test. The panel is disposed of afterwards. */
export async function withFakePanel(uri: vscode.Uri, use: (panel: FakePanel) => Promise<void>): Promise<void> {
  const window = vscode.window as { createWebviewPanel: typeof vscode.window.createWebviewPanel };
  const original = window.createWebviewPanel;
  const toHost = new vscode.EventEmitter<unknown>();
  const disposed = new vscode.EventEmitter<void>();
  let endpoint = newEndpoint(toHost);
  const webview = {
    html: '',
    options: {},
    cspSource: 'https://csp.test',
    asWebviewUri: (resource: vscode.Uri) => resource,
    onDidReceiveMessage: toHost.event,
    postMessage: (message: unknown) => (endpoint.receive(message), Promise.resolve(true)),
  };
  const panel = {
    webview,
    title: '',
    visible: true,
    active: true,
    reveal: () => undefined,
    onDidDispose: disposed.event,
    dispose: () => disposed.fire(),
  };
  window.createWebviewPanel = () => panel as unknown as vscode.WebviewPanel;
  try {
    await vscode.commands.executeCommand(commandIds.inspect, uri);
    await use({
      get endpoint() {
        return endpoint;
      },
      html: () => webview.html,
      restoreWindow: () => (window.createWebviewPanel = original),
      reload: () => (endpoint = newEndpoint(toHost)),
      nextEvent: (name) => new Promise((resolve) => void endpoint.on(name, resolve)),
    });
  } finally {
    window.createWebviewPanel = original;
    disposed.fire();
    endpoint.dispose();
  }
}

function newEndpoint(toHost: vscode.EventEmitter<unknown>): PanelSide {
  return new RpcEndpoint({ post: (message) => toHost.fire(structuredClone(message)) });
}
