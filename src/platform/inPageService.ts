import { RpcEndpoint, type RpcHandlers } from '../protocol/rpc.js';

/** A service in this thread, with the connection to it that one in a worker would have. */
export interface InPageService<Requests, Events> {
  readonly endpoint: RpcEndpoint<Requests, Record<never, never>, Events>;
  onDidDie(): void;
  dispose(): void;
}

/**
 * Connects to a service without a thread of its own, for the web extension host. Messages are passed on in a task of their own, so
 * that the host comes to its other work between two of them.
 * @param handlersOf makes the service's handlers, which send events through its end
 */
export function startInPage<Requests, Events = Record<never, never>>(
  handlersOf: (events: Pick<RpcEndpoint<never, Events, never>, 'send'>) => RpcHandlers<Requests>,
): InPageService<Requests, Events> {
  const endpoint = new RpcEndpoint<Requests, Record<never, never>, Events>({
    post: (message) => later(() => service.receive(message)),
  });
  const events: Pick<RpcEndpoint<never, Events, never>, 'send'> = { send: (name, payload) => service.send(name, payload) };
  const service = new RpcEndpoint<Record<never, never>, Events, Requests>(
    { post: (message) => later(() => endpoint.receive(message)) },
    handlersOf(events),
  );
  return {
    endpoint,
    onDidDie: () => undefined,
    dispose() {
      service.dispose();
      endpoint.dispose();
    },
  };
}

function later(task: () => void): void {
  setTimeout(task, 0);
}
