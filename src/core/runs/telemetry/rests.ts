/** What listed saves leave of bursts: stretches that they account for are no longer uncertain, and of the others the rest alone is. */
import type { Burst } from './bursts.js';
import { explainedBy } from './explained.js';
import type { FoundJob, FoundSave } from './foundJob.js';
import type { Written } from './likelihood.js';
import { isSameSize } from './schedules.js';

/** What sizes of saves differ by, and what their edges leave: less than this share of the saves in a burst is accounted for. */
const accountedShare = 0.05;

/**
 * The bursts with what is left of each when the saves of jobs are taken out: of its cells, and of the whole burst that it is a part of, whose sum holds however the
 * rates of saves vary. Those of which nothing is left are omitted.
 */
export function restsOf(open: readonly Burst[], jobs: readonly FoundJob[], written: Written): Burst[] {
  const saves = jobs.flatMap((job) => job.saves);
  const { bytes: explained } = explainedBy(jobs, written.series);
  return open.flatMap((burst) => {
    const whole = written.bursts.find(({ first, last }) => first <= burst.first && last >= burst.last);
    const { startedMs, finishedMs } = whole ?? burst;
    const inside = saves.filter((save) => save.startedMs < finishedMs && save.finishedMs > startedMs);
    const listed = inside.reduce((sum, { bytes }) => sum + bytes, 0);
    if (!inside.some((save) => save.startedMs < burst.finishedMs && save.finishedMs > burst.startedMs)) return [burst];
    let bytes = burst.bytes;
    if (whole !== undefined) bytes = Math.min(bytes, whole.bytes - listed);
    let rest = 0;
    for (let cell = burst.first; cell <= burst.last; cell += 1)
      rest += (written.excess[cell] as number) - (explained[cell] as number);
    bytes = Math.min(bytes, rest);
    return bytes <= accountedShare * listed + 2 * burst.noiseBytes ? [] : [{ ...burst, bytes }];
  });
}

/** Whether a listed save of the same size takes most of a stretch. */
export function isListed(
  { startedMs, finishedMs, bytes }: Pick<FoundSave, 'startedMs' | 'finishedMs' | 'bytes'>,
  jobs: readonly FoundJob[],
): boolean {
  return jobs.some((job) =>
    job.saves.some((save) => {
      const insideMs = Math.min(finishedMs, save.finishedMs) - Math.max(startedMs, save.startedMs);
      return insideMs > (finishedMs - startedMs) / 2 && isSameSize(bytes, save.bytes, 0);
    }),
  );
}
