/** How far a whole check is, over all of its phases. */
import type { CheckProgress } from './measurement.js';

/** Of the check, the part that small files and removing take: they are few operations, whose time is not known before. */
const restShare = 0.1;

/** From 0 to 1: each repeat writes and reads, which take equal parts; small files and removing come after all of them. Never goes back. */
export function shareOfCheck(progress: CheckProgress | undefined): number {
  if (progress === undefined) return 0;
  const { phase, repeat, repeats, done, total } = progress;
  const ofPhase = total > 0 ? Math.max(0, Math.min(1, done / total)) : 0;
  const parts = 2 * Math.max(1, repeats);
  const ofRepeats = (finished: number): number => ((1 - restShare) * finished) / parts;
  switch (phase) {
    case 'preparing':
      return 0;
    case 'write':
      return ofRepeats(2 * (repeat - 1) + ofPhase);
    case 'read':
      return ofRepeats(2 * (repeat - 1) + 1 + ofPhase);
    case 'metadata':
      return 1 - restShare + (restShare / 2) * ofPhase;
    case 'removing':
      return 1 - restShare / 2;
  }
}
