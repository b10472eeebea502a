import { RpcEndpoint, type RpcMessage } from '../protocol/rpc.js';
import { createEstimateService } from './estimateService.js';
import type { Estimator, EstimatorRequests } from './estimator.js';
import type { ReadBeside } from './inspector.js';

/** An estimator without a thread of its own, for the web extension host. */
export function startInPageEstimator(read: ReadBeside): Estimator {
  const endpoint: Estimator['endpoint'] = new RpcEndpoint({ post: (message) => later(() => service.receive(message)) });
  const handlers = createEstimateService({
    sources: (key) => ({ read: (path) => read({ key, path }), readCached: () => Promise.resolve(null) }),
    freeBytes: () => Promise.resolve(null),
  });
  const service = new RpcEndpoint<Record<never, never>, Record<never, never>, EstimatorRequests>(
    { post: (message: RpcMessage) => later(() => endpoint.receive(message)) },
    handlers,
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
