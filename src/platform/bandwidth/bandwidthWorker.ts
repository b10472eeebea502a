/** Entry of the worker thread that makes bandwidth checks for the editor; started again as each of the threads of a check. */
import { parentPort } from 'node:worker_threads';
import { previewCheck } from '../../core/bandwidth/checkPreview.js';
import type { CheckProgress } from '../../core/bandwidth/measurement.js';
import { makeBandwidthReport } from '../../core/report/bandwidth/makeBandwidthReport.js';
import { RpcEndpoint, type RpcHandlers } from '../../protocol/rpc.js';
import { isCheckThread, runCheckThread } from './checkThread.js';
import { createNodeBandwidthService, removeLeft } from './nodeBandwidthService.js';
import type { BandwidthWorkerBackRequests, BandwidthWorkerEvents, BandwidthWorkerRequests } from './workerBandwidthService.js';

if (isCheckThread()) runCheckThread();
else if (parentPort !== null) answer(parentPort);

function answer(port: NonNullable<typeof parentPort>): void {
  const running = new Map<number, AbortController>();
  const handlers: RpcHandlers<BandwidthWorkerRequests> = {
    facts: ({ target }, signal) => serviceOf(null).facts(target, signal),
    async run({ run, request, hasMeet }) {
      const controller = new AbortController();
      running.set(run, controller);
      const onProgress = (progress: CheckProgress): void => endpoint.send('progress', { run, progress });
      const meet = async (phase: string, signal: AbortSignal): Promise<void> => {
        await endpoint.request('meet', { run, phase }, signal);
      };
      try {
        return await serviceOf(run).run(request, { onProgress, ...(hasMeet && { meet }) }, controller.signal);
      } finally {
        running.delete(run);
      }
    },
    cancel({ run }) {
      running.get(run)?.abort();
      return null;
    },
    async removeLeft({ path, isCrashed }) {
      await removeLeft(path, isCrashed);
      return null;
    },
    async preview({ settings }, signal) {
      // Loaded when it is asked for: to list a checkpoint is to know all layouts, and each thread of a check loads this file too.
      const { listShape } = await import('./listShape.js');
      const [facts, real] = await Promise.all([
        serviceOf(null).facts(settings.target, signal),
        settings.like === null ? null : listShape(settings.like, signal),
      ]);
      return previewCheck(settings, facts, real);
    },
    report: ({ settings, request, facts, measurement }) => makeBandwidthReport(settings, request, facts, measurement),
  };
  const endpoint = new RpcEndpoint<BandwidthWorkerBackRequests, BandwidthWorkerEvents, Record<never, never>>(
    { post: (message) => port.postMessage(message) },
    handlers,
  );
  const serviceOf = (run: number | null): ReturnType<typeof createNodeBandwidthService> =>
    createNodeBandwidthService({
      threadFile: __filename,
      onDirectory: (path) => run !== null && endpoint.send('directory', { run, path }),
    });
  port.on('message', (message) => endpoint.receive(message));
}
