/** Entry of the worker thread that makes bandwidth checks for the editor; started again as each of the threads of a check. */
import { parentPort } from 'node:worker_threads';
import type { CheckProgress } from '../../core/bandwidth/measurement.js';
import { makeBandwidthReport } from '../../core/bandwidth/makeBandwidthReport.js';
import { RpcEndpoint, type RpcHandlers } from '../../protocol/rpc.js';
import type { BandwidthService } from '../../app/bandwidth/bandwidthService.js';
import { createNodeFileTree } from '../nodeFileTree.js';
import { isCheckThread, runCheckThread } from './checkThread.js';
import { removeLeft } from './nodeBandwidthService.js';
import { bandwidthServiceAt } from './bandwidthServiceAt.js';
import { isObjectStoreAddress } from '../../core/files/remote/remoteScheme.js';
import type { BandwidthWorkerBackRequests, BandwidthWorkerEvents, BandwidthWorkerRequests } from './workerBandwidthService.js';

if (isCheckThread()) runCheckThread();
else if (parentPort !== null) answer(parentPort);

function answer(port: NonNullable<typeof parentPort>): void {
  const running = new Map<number, AbortController>();
  const handlers: RpcHandlers<BandwidthWorkerRequests> = {
    facts: async ({ target }, signal) => (await serviceOf(target, null)).facts(target, signal),
    async run({ run, request, hasBarrier }) {
      const controller = new AbortController();
      running.set(run, controller);
      const onProgress = (progress: CheckProgress): void => endpoint.send('progress', { run, progress });
      const barrier = async (phase: string, signal: AbortSignal): Promise<void> => {
        await endpoint.request('barrier', { run, phase }, signal);
      };
      try {
        const service = await serviceOf(request.target, run);
        return await service.run(request, { onProgress, ...(hasBarrier && { barrier }) }, controller.signal);
      } finally {
        running.delete(run);
      }
    },
    cancel({ run }) {
      running.get(run)?.abort();
      return null;
    },
    async removeLeft({ path, isCrashed }) {
      if (isObjectStoreAddress(path)) await (await serviceOf(path, null)).removeLeft(path);
      else await removeLeft(path, isCrashed);
      return null;
    },
    async preview({ settings }, signal) {
      // Loaded on demand: listing a checkpoint needs all layouts, and each thread of a check loads this file too.
      const { previewBandwidth } = await import('../../app/bandwidth/previewBandwidth.js');
      const platform = { openTree: createNodeFileTree };
      return previewBandwidth(platform, await serviceOf(settings.target, null), settings, { signal });
    },
    report: (check) => makeBandwidthReport(check),
  };
  const endpoint = new RpcEndpoint<BandwidthWorkerBackRequests, BandwidthWorkerEvents, Record<never, never>>(
    { post: (message) => port.postMessage(message) },
    handlers,
  );
  const serviceOf = (target: string, run: number | null): Promise<BandwidthService> =>
    bandwidthServiceAt(target, {
      threadFile: __filename,
      onDirectory: (path) => run !== null && endpoint.send('directory', { run, path }),
    });
  port.on('message', (message) => endpoint.receive(message));
}
