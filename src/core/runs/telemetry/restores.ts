/** Restores among the reads: a burst that reads as much as a job's save has. */
import type { Burst } from './bursts.js';
import type { FoundJob } from './foundJob.js';
import { isSameSize } from './schedules.js';

/** A job reads its checkpoint before it saves for the first time, and within its run: so many intervals around its saves. */
const aroundIntervals = 3;

export interface FoundRestores {
  /** By job. */
  restores: Map<FoundJob, Burst[]>;
  /** Reads that are as large as the saves of several jobs. */
  ambiguous: { burst: Burst; jobs: FoundJob[] }[];
  /** Reads of no job. */
  other: Burst[];
}

export function findRestores(jobs: readonly FoundJob[], reads: readonly Burst[]): FoundRestores {
  const found: FoundRestores = { restores: new Map(), ambiguous: [], other: [] };
  for (const burst of reads) {
    const own = jobs.filter((job) => isSameSize(burst.bytes, job.bytes, burst.noiseBytes) && isDuring(burst, job));
    const [only] = own;
    if (only === undefined) found.other.push(burst);
    else if (own.length > 1) found.ambiguous.push({ burst, jobs: own });
    else found.restores.set(only, [...(found.restores.get(only) ?? []), burst]);
  }
  return found;
}

function isDuring({ centreMs }: Burst, { saves, intervalMs }: FoundJob): boolean {
  const [first, last] = [saves[0], saves.at(-1)];
  const aroundMs = aroundIntervals * intervalMs;
  return first !== undefined && last !== undefined && centreMs > first.centreMs - aroundMs && centreMs < last.centreMs + aroundMs;
}
