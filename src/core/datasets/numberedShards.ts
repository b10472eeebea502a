/** Shards that say in their names how many there are: `train-00003-of-00042.parquet`, `c4-train.tfrecord-00003-of-00042`. */
import type { DatasetAccess } from './datasetLayout.js';

/** Numbers of missing shards that are named. */
const MAX_NAMED = 5;
/** More than any dataset has; a larger number in a name is not looked for. */
const MAX_SHARDS = 1_000_000;

/** A finding for each set of numbered names of which some are not here. Whoever inspects one file knows that it is one. */
export function noteMissingShards(paths: readonly string[], access: Pick<DatasetAccess, 'finding' | 'listing'>): void {
  if (access.listing.isSingleFile) return;
  const sets = new Map<string, { first: string; total: number; present: Set<number> }>();
  for (const path of paths) {
    const found = /(\d{4,})-of-(\d{4,})/.exec(path.slice(path.lastIndexOf('/') + 1));
    const total = Number(found?.[2]);
    if (found?.[1] === undefined || !(total <= MAX_SHARDS)) continue;
    const at = path.length - path.slice(path.lastIndexOf('/') + 1).length + found.index;
    const key = `${path.slice(0, at)}\n${total}`;
    const set = sets.get(key) ?? { first: path, total, present: new Set<number>() };
    sets.set(key, set.total === total ? { ...set, present: set.present.add(Number(found[1])) } : set);
  }
  for (const { first, total, present } of sets.values()) {
    const missing: number[] = [];
    // Some writers count from 1.
    const from = present.has(total) && !present.has(0) ? 1 : 0;
    for (let number = from; number < total + from && missing.length < MAX_NAMED; number++)
      if (!present.has(number)) missing.push(number);
    if (missing.length === 0) continue;
    access.finding({
      code: 'shard-count-differs',
      path: first,
      facts: { expected: total, found: present.size, first: missing.map(String).join(', ') },
    });
  }
}
