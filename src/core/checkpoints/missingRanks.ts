/** Files that the ranks of a job should have written, by the names that the framework gives them. */
import { limits } from '../bytes/limits.js';
import type { Finding } from '../report/finding.js';

/** How many of the missing files a finding names. */
const NAMED = 5;

/**
 * A finding that counts the files of `expected` that are not there and names the first of them; none where all are there. `worldSize` is
 * the number of files that there should be; of more than `limits.rankFiles` only as many are looked for.
 */
export function findMissingRankFiles(expected: Iterable<string>, has: (path: string) => boolean, worldSize: number): Finding[] {
  const first: string[] = [];
  let missing = 0;
  let looked = 0;
  for (const path of expected) {
    if (looked++ >= limits.rankFiles) break;
    if (has(path)) continue;
    missing += 1;
    if (first.length < NAMED) first.push(path);
  }
  if (missing === 0) return [];
  return [{ code: 'rank-file-missing', facts: { files: missing, worldSize, first: first.join(', ') } }];
}

/** Numbers below `count`, as names of ranks are made of them. */
export function* rankNumbers(count: number): Generator<number> {
  for (let rank = 0; rank < count; rank++) yield rank;
}
