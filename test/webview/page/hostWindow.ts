/** What the fake hosts of all panels have in common: the page's side of VS Code, and a record of what was asked. */
import type { RpcEndpoint, RpcHandlers } from '../../../src/protocol/rpc.js';

export interface NotedRequest {
  method: string;
  params: unknown;
  cancelled: boolean;
}

/** Notes each request, and whether the page withdrew it. */
export function noting<Requests>(requests: NotedRequest[], handlers: RpcHandlers<Requests>): RpcHandlers<Requests> {
  const noted = Object.entries(handlers).map(([method, handler]) => [
    method,
    (params: never, signal: AbortSignal) => {
      const request = { method, params, cancelled: false };
      requests.push(request);
      signal.addEventListener('abort', () => (request.cancelled = true));
      return (handler as (params: never, signal: AbortSignal) => unknown)(params, signal);
    },
  ]);
  return Object.fromEntries(noted) as RpcHandlers<Requests>;
}

const stateKey = 'view-state';

/** Gives the page its `acquireVsCodeApi`, and records what the content security policy blocks. */
export function installHost<Theirs, Sends, Receives>(endpoint: RpcEndpoint<Theirs, Sends, Receives>): void {
  keepMessages();
  // Real messages are cloned on their way, in both directions.
  window.addEventListener('message', (event: MessageEvent<{ toPage?: unknown; toHost?: unknown }>) => {
    if (event.data.toHost !== undefined) endpoint.receive(event.data.toHost);
    else if (event.data.toPage !== undefined) window.dispatchEvent(new MessageEvent('message', { data: event.data.toPage }));
  });
  globalThis.acquireVsCodeApi = () => ({
    postMessage: (message) => window.postMessage({ toHost: message }),
    getState: () => JSON.parse(sessionStorage.getItem(stateKey) ?? 'null') as unknown,
    setState: (state) => sessionStorage.setItem(stateKey, JSON.stringify(state)),
  });
  const violations: string[] = [];
  window.violations = violations;
  document.addEventListener('securitypolicyviolation', (event) => {
    violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber} ${event.sample}`);
  });
}

/** Panels take a message away after some seconds. Here it stays: on a busy machine it would be gone before a test looks at it. */
function keepMessages(): void {
  const schedule = window.setTimeout.bind(window);
  window.setTimeout = ((handler: () => void, ms?: number) => (ms === messageMs ? 0 : schedule(handler, ms))) as typeof setTimeout;
}

/** How long panels show a message. */
const messageMs = 6000;
