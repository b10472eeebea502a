/**
 * Typed requests, replies and events over anything that can post messages: webview and host, host and worker.
 *
 * A request interface maps method names to `(params) => result`; an event interface maps names to payloads. Both ends
 * run the same class. Every pending request is settled exactly once: by its reply, by `dispose`, or when posting throws.
 */

type ParamsOf<T, K extends keyof T> = T[K] extends (params: infer P) => unknown ? P : never;
type ResultOf<T, K extends keyof T> = T[K] extends (params: never) => infer R ? R : never;

export type RpcMessage =
  | { type: 'request'; id: number; method: string; params: unknown }
  | { type: 'reply'; id: number; result: unknown }
  | { type: 'failure'; id: number; code: string; message: string }
  | { type: 'cancel'; id: number }
  | { type: 'event'; name: string; payload: unknown };

/** A request that the other end refused or that could not be delivered. */
export class RpcError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
  }
}

/** What an end answers: one handler for each method of its request interface. */
export type RpcHandlers<T> = {
  [K in keyof T]: (params: ParamsOf<T, K>, signal: AbortSignal) => ResultOf<T, K> | Promise<ResultOf<T, K>>;
};

export interface RpcPort {
  post(message: RpcMessage): void;
}

type Pending = { resolve(result: unknown): void; reject(error: Error): void };

/**
 * One end of a connection.
 * @typeParam Theirs requests that the other end answers
 * @typeParam Sends events this end sends
 * @typeParam Receives events this end gets
 */
export class RpcEndpoint<Theirs, Sends, Receives> {
  private nextId = 1;
  private disposed = false;
  private readonly pending = new Map<number, Pending>();
  private readonly running = new Map<number, AbortController>();
  private readonly listeners = new Map<string, Set<(payload: never) => void>>();

  constructor(
    private readonly port: RpcPort,
    private readonly handlers: object = {},
  ) {}

  /** Asks the other end. Rejects with RpcError; aborting the signal rejects at once and tells the other end to stop. */
  request<K extends keyof Theirs & string>(
    method: K,
    params: ParamsOf<Theirs, K>,
    signal?: AbortSignal,
  ): Promise<ResultOf<Theirs, K>> {
    if (this.disposed) return Promise.reject(new RpcError('disposed', 'the connection is closed'));
    if (signal?.aborted) return Promise.reject(new RpcError('cancelled', 'the request was cancelled'));
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.settle(id)?.reject(new RpcError('cancelled', 'the request was cancelled'));
        this.tryPost({ type: 'cancel', id });
      };
      const release = (): void => signal?.removeEventListener('abort', onAbort);
      this.pending.set(id, {
        resolve: (result) => (release(), resolve(result as ResultOf<Theirs, K>)),
        reject: (error) => (release(), reject(error)),
      });
      signal?.addEventListener('abort', onAbort, { once: true });
      try {
        this.port.post({ type: 'request', id, method, params });
      } catch (error) {
        this.settle(id)?.reject(new RpcError('post-failed', String(error)));
      }
    });
  }

  /** Sends an event; the other end need not listen. */
  send<K extends keyof Sends & string>(name: K, payload: Sends[K]): void {
    if (!this.disposed) this.port.post({ type: 'event', name, payload });
  }

  /** Listens to an event of the other end; the returned function stops listening. */
  on<K extends keyof Receives & string>(name: K, listener: (payload: Receives[K]) => void): () => void {
    const set = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, set);
    set.add(listener);
    return () => set.delete(listener);
  }

  /** Give every message of the transport to this. What is no RpcMessage is ignored. */
  receive(data: unknown): void {
    if (this.disposed || typeof data !== 'object' || data === null) return;
    const message = data as RpcMessage;
    switch (message.type) {
      case 'request':
        void this.answer(message.id, message.method, message.params);
        break;
      case 'reply':
        this.settle(message.id)?.resolve(message.result);
        break;
      case 'failure':
        this.settle(message.id)?.reject(new RpcError(message.code, message.message));
        break;
      case 'cancel':
        this.running.get(message.id)?.abort();
        break;
      case 'event':
        for (const listener of this.listeners.get(message.name) ?? []) listener(message.payload as never);
        break;
    }
  }

  /** Rejects what is pending, stops what is running, forgets the listeners. */
  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    for (const id of [...this.pending.keys()]) this.settle(id)?.reject(new RpcError('disposed', 'the connection is closed'));
    for (const controller of this.running.values()) controller.abort();
    this.running.clear();
    this.listeners.clear();
  }

  private settle(id: number): Pending | undefined {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    return pending;
  }

  private async answer(id: number, method: string, params: unknown): Promise<void> {
    const controller = new AbortController();
    this.running.set(id, controller);
    try {
      const handler = Object.hasOwn(this.handlers, method)
        ? (this.handlers as Record<string, (params: unknown, signal: AbortSignal) => unknown>)[method]
        : undefined;
      if (handler === undefined) throw new RpcError('unknown-method', `there is no method ${method}`);
      const result = await handler(params, controller.signal);
      this.tryPost({ type: 'reply', id, result });
    } catch (error) {
      const code = (error as { code?: unknown } | null)?.code;
      this.tryPost({
        type: 'failure',
        id,
        code: typeof code === 'string' ? code : 'failed',
        message: error instanceof Error ? error.message : String(error),
      });
    } finally {
      this.running.delete(id);
    }
  }

  /** For messages without a reply on this end: a closed port is no error. */
  private tryPost(message: RpcMessage): void {
    if (this.disposed) return;
    try {
      this.port.post(message);
    } catch {
      // The other end has gone; it rejected its own requests.
    }
  }
}
