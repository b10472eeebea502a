import type { RunRetention } from '../runs/runRetention.js';
import type { RetentionReport } from './retentionReport.js';

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
