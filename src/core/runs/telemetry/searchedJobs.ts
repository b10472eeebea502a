/** Jobs in what is written, where drains that overlap may be below them: their rates are a background of the others, and what others write is no part of theirs. */
import type { Background } from './background.js';
import { burstsOf, excessOf, largestOf, type Burst } from './bursts.js';
import { fittedDrains, type FittedDrains } from './drainFit.js';
import { explainedBy } from './explained.js';
import { findJobs, type Found } from './findJobs.js';
import type { FoundJob } from './foundJob.js';
import { overlappingDrains, type OverlappingDrains } from './overlappingDrains.js';
import {
  hiddenByDrains,
  isHiddenByDrains,
  isRestOf,
  jobOfDrains,
  measuredDrains,
  withDrains,
  type Hidden,
} from './overlappingJob.js';
import { withPlateaus } from './plateaus.js';
import type { Series } from './series.js';

export interface SearchedJobs extends Found {
  /** Bursts that were searched, and the number of smaller ones. */
  searched: Burst[];
  unsearched: number;
  /** Drains that overlap, and where they hide what. */
  drains: OverlappingDrains | null;
  hidden: Hidden[];
}

export function searchedJobs(series: Series, background: Background): SearchedJobs {
  const drains = overlappingDrains(series);
  if (drains === null) return { ...foundAbove(withPlateaus(series, background), series), drains, hidden: [] };
  let left = series;
  for (let pass = 1; ; pass += 1) {
    const fit = fittedDrains(drains, left);
    const raised = withDrains(background, drains, fit, left);
    const found = foundAbove(raised, series);
    const hidden = hiddenByDrains(drains, raised, series);
    const others = othersThan(drains, fit, hidden, found.jobs);
    if (pass === passes || others.length === 0) {
      const jobs = [...others, measuredDrains(jobOfDrains(drains, fit), drains, fit, others, series)];
      return { ...found, jobs, drains, hidden };
    }
    left = without(others, drains, series);
  }
}

/** The second is among drains that are fitted without what the others of the first write. */
const passes = 2;

function foundAbove(raised: Background, series: Series): Omit<SearchedJobs, 'drains' | 'hidden'> {
  const bursts = burstsOf(series, raised);
  const searched = largestOf(bursts);
  const found = findJobs({ series, excess: excessOf(series, raised), background: raised, bursts: searched });
  return { ...found, searched, unsearched: bursts.length - searched.length };
}

function othersThan(
  drains: OverlappingDrains,
  fit: FittedDrains,
  hidden: readonly Hidden[],
  jobs: readonly FoundJob[],
): FoundJob[] {
  const job = jobOfDrains(drains, fit);
  return jobs.filter((other) => !isRestOf(other, job) && !isHiddenByDrains(other, hidden));
}

/** Of the rate of drains: where others write more, what drains write is not known. */
const mostOtherShare = 0.3;

/** What other jobs leave, to which drains are fitted. */
function without(jobs: readonly FoundJob[], { bytesPerSecond }: OverlappingDrains, series: Series): Series {
  const { startMs, endMs } = series;
  const { bytes: explained, edge } = explainedBy(jobs, series);
  const isFilled = series.isFilled.slice();
  const bytes = series.bytes.map((count, cell) => {
    const seconds = ((endMs[cell] as number) - (startMs[cell] as number)) / 1000;
    if ((explained[cell] as number) + (edge[cell] as number) > mostOtherShare * bytesPerSecond * seconds) isFilled[cell] = 1;
    return Math.max(0, count - (explained[cell] as number));
  });
  return { ...series, bytes, isFilled };
}
