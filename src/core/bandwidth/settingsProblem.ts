import { limits } from '../bytes/limits.js';
import type { CheckSettings } from './checkSettings.js';
import { problemOfSweep } from './sweep/sweepRequest.js';

/** What is wrong with settings, in words; null where nothing is. Settings come from a page and from a command line. */
export function problemOfSettings(settings: CheckSettings): string | null {
  const { sizeBytes, spaceBytes, streams, blockBytes, seconds, repeats, intervalSeconds, sweepStreams } = settings;
  const { checkSectorBytes: sector } = limits;
  if (!isCount(sizeBytes, 1, Number.MAX_SAFE_INTEGER)) return 'the size must be a whole number of bytes above 0';
  if (!isCount(spaceBytes, sector, Number.MAX_SAFE_INTEGER)) return `the space must be at least ${sector} bytes`;
  if (!isCount(streams, 1, limits.checkStreams)) return `streams must be from 1 to ${limits.checkStreams}`;
  if (!isCount(blockBytes, sector, limits.checkBlockBytes) || (blockBytes ?? 0) % sector !== 0)
    return `a block must be a multiple of ${sector} bytes, up to ${limits.checkBlockBytes}`;
  if (!isCount(repeats, 1, limits.checkRepeats)) return `repeats must be from 1 to ${limits.checkRepeats}`;
  if (!(seconds > 0 && seconds <= limits.checkSeconds))
    return `the time must be above 0 and at most ${limits.checkSeconds} seconds`;
  if (intervalSeconds !== null && !(intervalSeconds > 0 && Number.isFinite(intervalSeconds)))
    return 'the interval must be greater than 0';
  return (sweepStreams === null ? null : problemOfSweep(sweepStreams)) ?? problemOfSustained(settings);
}

function problemOfSustained({ sustainedBytes, sustainedSeconds }: CheckSettings): string | null {
  const { checkSectorBytes: sector, sustainedSeconds: most } = limits;
  if (!isCount(sustainedBytes, sector, Number.MAX_SAFE_INTEGER))
    return `the bytes for the sustained rate must be at least ${sector}`;
  if (sustainedSeconds !== null && !(sustainedSeconds > 0 && sustainedSeconds <= most))
    return `the time for the sustained rate must be above 0 and at most ${most} seconds`;
  return null;
}

function isCount(value: number | null, least: number, most: number): boolean {
  return value === null || (Number.isSafeInteger(value) && value >= least && value <= most);
}
