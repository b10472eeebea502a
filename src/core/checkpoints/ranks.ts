/** What each rank wrote: a rank whose files are smaller or older than the others' is where a save went wrong. */
import type { RankReport } from './checkpointReport.js';
import type { Finding } from '../findings/finding.js';
import type { FilePart } from './parts.js';

/** What each rank wrote, in the order of the listing. */
export function ranksOf(files: readonly FilePart[]): RankReport[] {
  return [...gatherRanks(files)].map(([rank, { bytes, files: count, modifiedMs }]) => ({
    rank,
    bytes,
    files: count,
    modified: modifiedMs === null ? null : new Date(modifiedMs).toISOString(),
  }));
}

interface RankFiles {
  bytes: number;
  files: number;
  modifiedMs: number | null;
}

function gatherRanks(files: readonly FilePart[]): Map<string, RankFiles> {
  const ranks = new Map<string, RankFiles>();
  for (const { rank, sizeBytes, modifiedMs } of files) {
    if (rank === undefined) continue;
    const known = ranks.get(rank) ?? { bytes: 0, files: 0, modifiedMs: null };
    ranks.set(rank, known);
    known.bytes += sizeBytes;
    known.files += 1;
    if (modifiedMs !== null) known.modifiedMs = Math.max(known.modifiedMs ?? 0, modifiedMs);
  }
  return ranks;
}

/** Ranks write a save together: the slowest file systems take minutes, not hours. */
const MAX_SPREAD_MS = 3_600_000;

/** A finding for ranks whose newest file is much older than the others': left from an earlier save. */
export function findOldRanks(files: readonly FilePart[]): Finding[] {
  const ranks = [...gatherRanks(files)].flatMap(([rank, { modifiedMs }]) => (modifiedMs === null ? [] : [{ rank, modifiedMs }]));
  if (ranks.length < 2) return [];
  const sorted = ranks.map(({ modifiedMs }) => modifiedMs).sort((a, b) => a - b);
  const usual = sorted[Math.floor(sorted.length / 2)] as number;
  const old = ranks.filter(({ modifiedMs }) => usual - modifiedMs > MAX_SPREAD_MS);
  if (old.length === 0) return [];
  const hours = Math.round((usual - (sorted[0] as number)) / 3_600_000);
  return [
    {
      code: 'rank-file-older',
      facts: {
        ranks: old
          .slice(0, 5)
          .map(({ rank }) => rank)
          .join(', '),
        count: old.length,
        hours,
      },
    },
  ];
}
