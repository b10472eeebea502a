/** How far a whole check is, over all of its phases. */
import type { CheckProgress } from './measurement.js';

/** Of the check, the part that small files and removing take: they are few operations, whose time is not known before. */
const restShare = 0.1;

/**
 * From 0 to 1, never going back: each repeat writes and reads, which take equal parts; small files come after them, then the sweep and the
 * sustained rate by their times, and removing.
 */
export function shareOfCheck(progress: CheckProgress | undefined): number {
  if (progress === undefined) return 0;
  const { phase, repeat, repeats, phaseSeconds, parts } = progress;
  const ofPhase = phaseShare(progress);
  const counted = Math.max(1, repeats);
  const { checkSeconds, sweepSeconds, sustainedSeconds } = parts;
  const total = checkSeconds + sweepSeconds + sustainedSeconds;
  const whole = (check: number, sweep: number, sustained: number): number =>
    total > 0 ? (check * checkSeconds + sweep * sweepSeconds + sustained * sustainedSeconds) / total : check;
  const beforeRest = 1 - restShare / 2;
  const ofRepeats = (finished: number): number => ((1 - restShare) * finished) / (2 * counted);
  switch (phase) {
    case 'preparing':
      return 0;
    case 'write':
      return whole(ofRepeats(2 * (repeat - 1) + ofPhase), 0, 0);
    case 'read':
      return whole(ofRepeats(2 * (repeat - 1) + 1 + ofPhase), 0, 0);
    case 'metadata':
      return whole(beforeRest - (restShare / 2) * (1 - ofPhase), 0, 0);
    case 'sweep':
      return whole(beforeRest, (beforeRest * (repeat - 1 + ofPhase)) / counted, 0);
    case 'sustained':
      // Whichever bound comes first ends it.
      return whole(beforeRest, beforeRest, beforeRest * Math.max(ofPhase, Math.min(1, phaseSeconds / sustainedSeconds)));
    case 'removing':
      return beforeRest;
  }
}

function phaseShare({ done, total }: CheckProgress): number {
  return total > 0 ? Math.max(0, Math.min(1, done / total)) : 0;
}
