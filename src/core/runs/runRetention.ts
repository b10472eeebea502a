/** What a retention policy says of a run, in short: `stowage retention` has the reasons. */
import type { RetentionReport } from '../retention/retentionReport.js';

export interface RunRetention {
  keep: number;
  /** Paths of the checkpoints that may go. */
  drop: string[];
  undecided: number;
  freedBytes: number;
  /** Paths of the checkpoints that are best: by the framework's own record, or by the policy's metric. */
  best: string[];
  /** Why nothing is proposed for this run; null where something was judged. */
  refused: string | null;
}

/** @param pathOf of a checkpoint, from its path relative to the run */
export function retentionInShort(
  { keep, drop, undecided, freedBytes }: RetentionReport,
  pathOf: (path: string) => string,
): RunRetention {
  const best = keep.filter(({ reasons }) => reasons.some(({ code }) => code === 'framework-best' || code === 'keepBest'));
  return {
    keep: keep.length,
    drop: drop.map(({ path }) => pathOf(path)),
    undecided: undecided.length,
    freedBytes,
    best: best.map(({ path }) => pathOf(path)),
    refused: null,
  };
}

export function refusedRetention(refused: string): RunRetention {
  return { keep: 0, drop: [], undecided: 0, freedBytes: 0, best: [], refused };
}
