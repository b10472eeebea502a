/** Entry of the worker thread that estimates configs: a large or odd file never holds the editor up. */
import { parentPort } from 'node:worker_threads';
import { RpcEndpoint } from '../protocol/rpc.js';
import { createEstimateService } from './estimateService.js';
import type { EstimatorBackRequests } from './estimator.js';
import { freeBytesFor } from './freeBytes.js';
import { nodeConfigSources } from './nodeConfigSources.js';

const port = parentPort;
if (port !== null) {
  const service = createEstimateService({
    sources: (key, place) =>
      place.kind === 'local'
        ? nodeConfigSources(place.folder, place.rootPaths)
        : { read: (named) => endpoint.request('read', { key, path: named }), readCached: () => Promise.resolve(null) },
    freeBytes: async (place, outputFolder) => (place.kind === 'local' ? freeBytesFor(place.folder, outputFolder) : null),
  });
  const endpoint = new RpcEndpoint<EstimatorBackRequests, Record<never, never>, Record<never, never>>(
    { post: (message) => port.postMessage(message) },
    service,
  );
  port.on('message', (message) => endpoint.receive(message));
}
