import * as vscode from 'vscode';
import { commandIds } from '../../../src/host/manifest/commandIds.js';
import type { ReportPanelEvents, ReportPanelRequests, ReportPanelSignals } from '../../../src/protocol/messages.js';
import { RpcEndpoint } from '../../../src/protocol/rpc.js';

export interface FakePanel<Requests, Signals, Events> {
  /** Speaks as the document of the panel would. */
  endpoint: RpcEndpoint<Requests, Signals, Events>;
  html(): string;
  /** Starts again as a document that was hidden and is shown again. */
  reload(): RpcEndpoint<Requests, Signals, Events>;
  /** Panels that are opened from now on are real ones. */
  restoreWindow(): void;
  nextEvent<K extends keyof Events & string>(name: K): Promise<Events[K]>;
  /** Closes it, as its user would. */
  close(): void;
}

/** Runs the inspect command with a panel whose document is the test. The panel is disposed of afterwards. */
export function withFakePanel(
  uri: vscode.Uri,
  use: (panel: FakePanel<ReportPanelRequests, ReportPanelSignals, ReportPanelEvents>) => Promise<void>,
): Promise<void> {
  return withFakeWebview(() => vscode.commands.executeCommand(commandIds.inspect, uri), use);
}

/** Opens something with a panel whose document is the test. The panel is disposed of afterwards. */
export async function withFakeWebview<Requests, Signals, Events>(
  open: () => Thenable<unknown>,
  use: (panel: FakePanel<Requests, Signals, Events>) => Promise<void>,
): Promise<void> {
  const window = vscode.window as { createWebviewPanel: typeof vscode.window.createWebviewPanel };
  const original = window.createWebviewPanel;
  const toHost = new vscode.EventEmitter<unknown>();
  const disposed = new vscode.EventEmitter<void>();
  const newEndpoint = (): RpcEndpoint<Requests, Signals, Events> =>
    new RpcEndpoint({ post: (message) => toHost.fire(structuredClone(message)) });
  let endpoint = newEndpoint();
  const webview = {
    html: '',
    options: {},
    cspSource: 'https://csp.test',
    asWebviewUri: (resource: vscode.Uri) => resource,
    onDidReceiveMessage: toHost.event,
    postMessage: (message: unknown) => (endpoint.receive(structuredClone(message)), Promise.resolve(true)),
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
    await open();
    await use({
      get endpoint() {
        return endpoint;
      },
      html: () => webview.html,
      restoreWindow: () => (window.createWebviewPanel = original),
      reload: () => (endpoint = newEndpoint()),
      nextEvent: (name) => new Promise((resolve) => void endpoint.on(name, resolve)),
      close: () => disposed.fire(),
    });
  } finally {
    window.createWebviewPanel = original;
    disposed.fire();
    endpoint.dispose();
  }
}
