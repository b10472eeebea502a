import { limits } from '../core/bytes/limits.js';
import type { InspectionTarget } from './inspectionTarget.js';
import type { Inspector, InspectorEvents, InspectorRequests } from './inspector.js';
import { startWorker } from './startedWorker.js';

/** What a worker thread is started with: all of the target that can be sent to it. */
export type InspectionWorkerData = Extract<InspectionTarget, { kind: 'local' }> | { kind: 'virtual' | 'remote'; path: string };

/**
 * Starts an inspector in a worker thread of its own, so that neither a long parse nor a crash touches the extension host.
 * @param workerFile the bundled `inspectionWorker.js`
 */
export function startWorkerInspector(
  workerFile: string,
  target: InspectionTarget,
  heapBytes: number = limits.inspectionHeapBytes,
): Inspector {
  const workerData: InspectionWorkerData = target.kind === 'local' ? target : { kind: target.kind, path: target.path };
  const handlers = hostHandlers(target);
  return startWorker<InspectorRequests, InspectorEvents>(workerFile, { heapBytes, workerData, handlers });
}

/** Only these methods may be asked for by a worker, whatever else the object can do. */
function hostHandlers(target: InspectionTarget): object {
  if (target.kind === 'local') return {};
  if (target.kind === 'remote') {
    const { files } = target;
    return { listAll: files.listAll.bind(files), readRange: files.readRange.bind(files) };
  }
  const { files } = target;
  return {
    stat: files.stat.bind(files),
    readDirectory: files.readDirectory.bind(files),
    readFile: files.readFile.bind(files),
  };
}
