/** What the files of a job's ranks have in common: that each is there, of the same step, and of about the same size. */
import { limits } from '../../bytes/limits.js';
import type { Finding } from '../../findings/finding.js';

/** How many of the missing files a finding names. */
const NAMED = 5;

/**
 * A finding that counts the files of `expected` that are not there, and the ranks whose files these are, and names the first of them;
 * none where all are there. Of more than `limits.rankFiles` only as many are looked for.
 * @param worldSize number of ranks that write such files
 * @param rankOf the rank that a file is of; without it each file is of a rank of its own
 */
export function findMissingRankFiles(
  expected: Iterable<string>,
  has: (path: string) => boolean,
  worldSize: number,
  rankOf: (path: string) => string = (path) => path,
): Finding[] {
  const first: string[] = [];
  const ranks = new Set<string>();
  let missing = 0;
  let looked = 0;
  for (const path of expected) {
    if (looked++ >= limits.rankFiles) break;
    if (has(path)) continue;
    missing += 1;
    ranks.add(rankOf(path));
    if (first.length < NAMED) first.push(path);
  }
  if (missing === 0) return [];
  return [{ code: 'rank-file-missing', facts: { files: missing, ranks: ranks.size, worldSize, first: first.join(', ') } }];
}

/** All ranks save at the same step: a rank's file with another one is left over from another save. */
export function findMixedSteps(files: readonly { path: string; step: number | null }[]): Finding[] {
  const counts = new Map<number, number>();
  for (const { step } of files) if (step !== null) counts.set(step, (counts.get(step) ?? 0) + 1);
  if (counts.size < 2) return [];
  const [[usual] = [0]] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  return files.flatMap(({ path, step }): Finding[] =>
    step === null || step === usual ? [] : [{ code: 'rank-step-differs', path, facts: { step, usual } }],
  );
}

/**
 * Every file of a rank states the number of ranks of its job: one that states another number is of another job. `expected` is what the
 * save states elsewhere, and decides if any of the files agrees with it; otherwise most of them do.
 */
export function findMixedCounts(files: readonly { path: string; ranks: number | null }[], expected: number | null): Finding[] {
  const counts = new Map<number, number>();
  for (const { ranks } of files) if (ranks !== null) counts.set(ranks, (counts.get(ranks) ?? 0) + 1);
  if (counts.size < 2) return [];
  const [[most] = [0]] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  const usual = expected !== null && counts.has(expected) ? expected : most;
  return files.flatMap(({ path, ranks }): Finding[] =>
    ranks === null || ranks === usual ? [] : [{ code: 'rank-count-differs', path, facts: { ranks, usual } }],
  );
}

/** Files of ranks that store equal shares: one that is less than half as large as the largest lacks something. */
export function findSmallFiles(files: readonly { path: string; sizeBytes: number }[]): Finding[] {
  const usualBytes = files.reduce((largest, { sizeBytes }) => Math.max(largest, sizeBytes), 0);
  return files.flatMap(({ path, sizeBytes }): Finding[] =>
    sizeBytes * 2 < usualBytes ? [{ code: 'rank-file-small', path, facts: { bytes: sizeBytes, usualBytes } }] : [],
  );
}
