/** The save that is under way, in a line. */
import type { SaveUnderWay } from '../../runs/saveUnderWay.js';
import { capitalized } from '../../text/capitalized.js';
import { shortShare, shortTime } from '../../text/quantities.js';
import { formatBytes } from '../../text/units.js';
import { saveName } from './runWords.js';

/** `Saving step 1,000: 40 %`, or `step 1,000 stalled for 12 min, usual 50 s`. */
export function underWayWords({ path, step, bytes, usualBytes, usualSeconds, quietSeconds, isStalled }: SaveUnderWay): string {
  const name = saveName(step, path);
  if (isStalled)
    return `${capitalized(name)} stalled for ${shortTime(quietSeconds)}${usualSeconds === null ? '' : `, usual ${shortTime(usualSeconds)}`}`;
  return `Saving ${name}: ${usualBytes === null || usualBytes === 0 ? formatBytes(bytes) : shortShare(Math.min(1, bytes / usualBytes))}`;
}
