import { Worker } from 'node:worker_threads';
import { RpcEndpoint } from '../protocol/rpc.js';
import type { InspectionTarget, Inspector, InspectorEvents, InspectorRequests } from './inspector.js';

/** What a worker thread is started with. */
export interface InspectionWorkerData {
  kind: InspectionTarget['kind'];
  path: string;
}

/**
 * Starts an inspector in a worker thread of its own, so that neither a long parse nor a crash touches the extension host.
 * @param workerFile the bundled `inspectionWorker.js`
 */
export function startWorkerInspector(workerFile: string, target: InspectionTarget): Inspector {
  const data: InspectionWorkerData = { kind: target.kind, path: target.path };
  const worker = new Worker(workerFile, { workerData: data, env: {} });
  const endpoint = new RpcEndpoint<InspectorRequests, Record<never, never>, InspectorEvents>(
    { post: (message) => worker.postMessage(message) },
    target.kind === 'virtual' ? filesHandlers(target.files) : {},
  );
  const listeners = new Set<(detail: string) => void>();
  let over = false;
  const die = (detail: string): void => {
    if (over) return;
    over = true;
    endpoint.dispose();
    for (const listener of listeners) listener(detail);
  };
  worker.on('message', (message) => endpoint.receive(message));
  worker.on('error', (error) => die(error instanceof Error ? error.message : String(error)));
  worker.on('exit', (code) => die(`the worker ended with code ${code}`));
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

/** Only these three methods may be asked for by a worker, whatever else the object can do. */
function filesHandlers(files: Extract<InspectionTarget, { kind: 'virtual' }>['files']): object {
  return {
    stat: files.stat.bind(files),
    readDirectory: files.readDirectory.bind(files),
    readFile: files.readFile.bind(files),
  };
}
