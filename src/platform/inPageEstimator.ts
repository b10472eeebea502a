import { createEstimateService } from './estimateService.js';
import type { Estimator } from './estimator.js';
import { startInPage } from './inPageService.js';
import type { ReadBeside } from './inspector.js';

/** An estimator without a thread of its own. */
export function startInPageEstimator(read: ReadBeside): Estimator {
  return startInPage(() =>
    createEstimateService({
      sources: (key) => ({ read: (path) => read({ key, path }), readCached: () => Promise.resolve(null) }),
      freeBytes: () => Promise.resolve(null),
    }),
  );
}
