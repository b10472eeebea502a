import { requestOf } from '../../app/bandwidth/requestOf.js';
import type { CheckPreview } from '../../core/bandwidth/checkPreview.js';
import type { CheckSettings } from '../../core/bandwidth/checkSettings.js';
import type { CheckProgress } from '../../core/bandwidth/measurement.js';
import type { OtherCheck } from '../../core/bandwidth/targetFacts.js';
import type { BandwidthReport } from '../../core/bandwidth/bandwidthReport.js';
import type { WorkerBandwidthService } from './workerBandwidthService.js';

/** From what a user asks to a report. Only `check` writes, and removes what it wrote however it ends. */
export interface BandwidthChecker {
  /** @throws CheckError, and one of `io` where the checkpoint cannot be listed */
  preview(settings: CheckSettings, signal?: AbortSignal): Promise<CheckPreview>;
  /** @throws CheckError; `cancelled` after everything was removed */
  check(settings: CheckSettings, onProgress: (progress: CheckProgress) => void, signal: AbortSignal): Promise<BandwidthReport>;
  /** What other checks left there, or are writing now. @throws CheckError */
  others(target: string): Promise<OtherCheck[]>;
  /** @throws CheckError `not-removed` */
  removeLeft(path: string): Promise<void>;
  /** Ends the worker, and with it what is being removed: wait for a check before. */
  dispose(): void;
}

/** All that takes time or needs the formats runs in the worker: this side starts at once, and stays small. */
export function createBandwidthChecker(service: WorkerBandwidthService): BandwidthChecker {
  return {
    preview: (settings, signal) => service.preview(settings, signal),
    async check(settings, onProgress, signal) {
      // Asked again: since the user agreed, the space may have become less.
      const preview = await service.preview(settings, signal);
      const request = requestOf(preview);
      const measurement = await service.run(request, { onProgress }, signal);
      return service.report({ settings, request, facts: preview.facts, measurement });
    },
    others: async (target) => (await service.facts(target)).others,
    removeLeft: (path) => service.removeLeft(path),
    dispose: () => service.dispose(),
  };
}
