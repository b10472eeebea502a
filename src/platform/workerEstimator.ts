import { limits } from '../core/bytes/limits.js';
import type { Estimator, EstimatorRequests } from './estimator.js';
import type { ReadBeside } from './inspector.js';
import { startWorker } from './startedWorker.js';

/** Variables that say where the cache of the Hugging Face Hub is. */
const cacheVariables = ['HF_HUB_CACHE', 'HUGGINGFACE_HUB_CACHE', 'HF_HOME', 'XDG_CACHE_HOME', 'HOME', 'USERPROFILE'];

/** @param workerFile the bundled `estimateWorker.js` */
export function startWorkerEstimator(workerFile: string, read: ReadBeside): Estimator {
  const env: Record<string, string> = {};
  for (const name of cacheVariables) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return startWorker<EstimatorRequests>(workerFile, { heapBytes: limits.otherHeapBytes, env, handlers: { read } });
}
