import { previewCheck, type CheckPreview } from '../../core/bandwidth/checkPreview.js';
import type { CheckSettings } from '../../core/bandwidth/checkSettings.js';
import type { Platform } from '../platform.js';
import type { BandwidthService } from './bandwidthService.js';
import { filesToReplay } from './filesToReplay.js';

/** Who makes a check, and whether it is cancelled. */
interface PreviewOptions {
  /** Nodes of a job that check at the same time; null for a check on this machine. */
  nodes?: number | null;
  signal?: AbortSignal | undefined;
}

/**
 * What a check with these settings would write; nothing is written.
 * @throws CheckError, and FormatError `io` when the checkpoint to replay cannot be listed
 */
export async function previewBandwidth(
  platform: Pick<Platform, 'openTree'>,
  service: Pick<BandwidthService, 'facts'>,
  settings: CheckSettings,
  { nodes = null, signal }: PreviewOptions = {},
): Promise<CheckPreview> {
  const [listed, found] = await Promise.allSettled([
    settings.replayOf === null ? null : filesToReplay(platform, settings.replayOf, signal),
    service.facts(settings.target, signal),
  ]);
  const real = valueOf(listed);
  const facts = valueOf(found);
  if (nodes === null) return previewCheck(settings, facts, real);
  // The nodes of a job write, and not the one on which it is submitted.
  return previewCheck(settings, { ...facts, loginNode: null }, real, nodes);
}

function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
