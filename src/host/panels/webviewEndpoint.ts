import type * as vscode from 'vscode';
import { RpcEndpoint, type RpcPort } from '../../protocol/rpc.js';

interface Signals {
  ready: Record<string, never>;
}

/**
 * The host's end of its connection to a panel, made anew for each document that the webview loads.
 * @typeParam Events what the host tells the panel
 */
export class WebviewEndpoint<Events> implements vscode.Disposable {
  private endpoint: RpcEndpoint<Record<never, never>, Events, Signals>;
  private readonly subscription: vscode.Disposable;
  /** Nothing is sent before the panel has said that it listens; it says so again whenever it was hidden and is shown again. */
  private isReady = false;

  /** Answers the panel's requests, and calls `onReady` whenever a document begins to listen. */
  constructor(
    private readonly webview: vscode.Webview,
    private readonly handlers: object,
    private readonly onReady: () => void,
  ) {
    this.endpoint = this.connect();
    this.subscription = webview.onDidReceiveMessage((message) => this.endpoint.receive(message));
  }

  /** Sends the panel an event; answers false for a document that does not listen yet, for which nothing is kept. */
  send<K extends keyof Events & string>(name: K, payload: Events[K]): boolean {
    if (this.isReady) this.endpoint.send(name, payload);
    return this.isReady;
  }

  dispose(): void {
    this.subscription.dispose();
    this.endpoint.dispose();
  }

  private connect(): typeof this.endpoint {
    const port: RpcPort = { post: (message) => void this.webview.postMessage(message) };
    const endpoint: typeof this.endpoint = new RpcEndpoint(port, this.handlers);
    endpoint.on('ready', () => this.reconnect());
    return endpoint;
  }

  /** A new document counts its requests from one again: answers to the old document's must not reach it. */
  private reconnect(): void {
    this.endpoint.dispose();
    this.endpoint = this.connect();
    this.isReady = true;
    this.onReady();
  }
}
