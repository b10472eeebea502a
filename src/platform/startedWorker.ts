import { Worker } from 'node:worker_threads';
import { RpcEndpoint, type RpcMessage } from '../protocol/rpc.js';

/** A worker thread and the connection to it. */
export interface StartedWorker<Requests, Events> {
  readonly endpoint: RpcEndpoint<Requests, Record<never, never>, Events>;
  onDidDie(listener: (detail: string) => void): void;
  dispose(): void;
}

/**
 * Starts a bundled worker. It sees no variable of the environment but those that are given.
 * @param handlers what the worker may ask back
 */
export function startWorker<Requests, Events = Record<never, never>>(
  file: string,
  options: { workerData?: unknown; env?: Record<string, string>; handlers?: object } = {},
): StartedWorker<Requests, Events> {
  const worker = new Worker(file, { workerData: options.workerData, env: options.env ?? {} });
  const endpoint = new RpcEndpoint<Requests, Record<never, never>, Events>(
    { post: (message) => worker.postMessage(message) },
    options.handlers ?? {},
  );
  const listeners = new Set<(detail: string) => void>();
  let over = false;
  const die = (detail: string): void => {
    if (over) return;
    over = true;
    endpoint.dispose();
    for (const listener of listeners) listener(detail);
  };
  worker.on('message', (message: RpcMessage) => endpoint.receive(message));
  // `error` comes before the worker, and threads that it has started, have ended; `exit` always follows.
  let failure: string | null = null;
  worker.on('error', (error) => (failure = error instanceof Error ? error.message : String(error)));
  worker.on('exit', (code) => die(failure ?? `the worker ended with code ${code}`));
  return {
    endpoint,
    onDidDie: (listener) => void listeners.add(listener),
    dispose() {
      over = true;
      listeners.clear();
      endpoint.dispose();
      void worker.terminate();
    },
  };
}
