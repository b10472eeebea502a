/** Which rank wrote a file, and what each rank wrote: a rank whose files are smaller than the others' is where a save went wrong. */
import type { RankReport } from '../report/checkpointReport.js';
import type { FilePart } from './parts.js';

/** What each rank wrote, in the order of the listing. */
export function ranksOf(files: readonly FilePart[]): RankReport[] {
  const ranks = new Map<string, RankReport>();
  for (const { rank, sizeBytes } of files) {
    if (rank === undefined) continue;
    const report = ranks.get(rank) ?? { rank, bytes: 0, files: 0 };
    ranks.set(rank, report);
    report.bytes += sizeBytes;
    report.files += 1;
  }
  return [...ranks.values()];
}
