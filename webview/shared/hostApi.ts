import { RpcEndpoint } from '../../src/protocol/rpc.js';

/** What VS Code gives a webview; it may be acquired once per page. */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  function acquireVsCodeApi(): VsCodeApi;
}

/** A panel's end of its connection to the extension host, and the view state that VS Code keeps for it. */
export interface HostConnection<Requests, Sends, Receives> {
  endpoint: RpcEndpoint<Requests, Sends, Receives>;
  /** What was last written, also before a reload of the page; undefined the first time. */
  readState(): unknown;
  /** Where the panel stands (tab, query, what is expanded), never what was read from files. */
  writeState(state: unknown): void;
}

/** Connects the page to its host. The only place that talks to VS Code. */
export function connectToHost<Requests, Sends, Receives>(
  api: VsCodeApi = acquireVsCodeApi(),
  page: EventTarget = window,
): HostConnection<Requests, Sends, Receives> {
  const endpoint = new RpcEndpoint<Requests, Sends, Receives>({ post: (message) => api.postMessage(message) });
  page.addEventListener('message', (event) => endpoint.receive((event as MessageEvent).data));
  return { endpoint, readState: () => api.getState(), writeState: (state) => api.setState(state) };
}
