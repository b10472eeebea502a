import { Worker } from 'node:worker_threads';
import { RpcEndpoint, type RpcMessage } from '../protocol/rpc.js';

/** How a worker ended that was not to end. */
export interface WorkerDeath {
  code: 'out-of-memory' | 'worker-died';
  /** For logs, in the words of the error. */
  detail: string;
}

/** A worker thread and the connection to it. */
export interface StartedWorker<Requests, Events> {
  readonly endpoint: RpcEndpoint<Requests, Record<never, never>, Events>;
  onDidDie(listener: (death: WorkerDeath) => void): void;
  dispose(): void;
}

/**
 * Starts a bundled worker. It sees no variable of the environment but those that are given.
 * @param heapBytes of its objects at most; the editor's own process is not ended with it
 * @param youngBytes of objects before the first collection, as V8 decides without it (48 MiB)
 * @param handlers what the worker may ask back
 */
export function startWorker<Requests, Events = Record<never, never>>(
  file: string,
  options: { heapBytes: number; youngBytes?: number; workerData?: unknown; env?: Record<string, string>; handlers?: object },
): StartedWorker<Requests, Events> {
  const worker = new Worker(file, {
    workerData: options.workerData,
    env: options.env ?? {},
    resourceLimits: {
      maxOldGenerationSizeMb: mebibytes(options.heapBytes),
      ...(options.youngBytes === undefined ? {} : { maxYoungGenerationSizeMb: mebibytes(options.youngBytes) }),
    },
  });
  const endpoint = new RpcEndpoint<Requests, Record<never, never>, Events>(
    { post: (message) => worker.postMessage(message) },
    options.handlers ?? {},
  );
  const listeners = new Set<(death: WorkerDeath) => void>();
  let over = false;
  const die = (death: WorkerDeath): void => {
    if (over) return;
    over = true;
    endpoint.dispose();
    for (const listener of listeners) listener(death);
  };
  worker.on('message', (message: RpcMessage) => endpoint.receive(message));
  // `error` comes before the worker, and threads that it has started, have ended; `exit` always follows.
  let failure: Error | null = null;
  worker.on('error', (error) => (failure = error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', (code) => die(deathOf(failure, code)));
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

function mebibytes(bytes: number): number {
  return Math.floor(bytes / (1024 * 1024));
}

function deathOf(failure: Error | null, exitCode: number): WorkerDeath {
  if (failure === null) return { code: 'worker-died', detail: `the worker ended with code ${exitCode}` };
  const isOutOfMemory = (failure as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
  return { code: isOutOfMemory ? 'out-of-memory' : 'worker-died', detail: failure.message };
}
