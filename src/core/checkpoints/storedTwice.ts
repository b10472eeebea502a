/** Bytes that lie on disk more than once, with what says so. */
import { baseName } from '../files/paths.js';
import type { CheckpointReport } from './checkpointReport.js';
import { areCopies, type ComparedPair } from './compareCopies.js';
import type { Parts } from './parts.js';

export type StoredTwice = CheckpointReport['storedTwice'];

/** What layouts know, and the copies whose bytes do not differ. */
export function findStoredTwice({ duplicates }: Parts, pairs: readonly ComparedPair[]): StoredTwice {
  const known = duplicates.map((item): StoredTwice['items'][number] => ({ ...item, basis: 'names', coverage: null }));
  const items = [...known, ...pairs.filter((pair) => areCopies(pair) && !pair.isSameFile).map(itemOf)];
  return { bytes: items.reduce((sum, item) => sum + item.bytes, 0), items };
}

function itemOf({ what, paths, bytes, tensors, compared }: ComparedPair): StoredTwice['items'][number] {
  return {
    what: `${what} of the same names in ${shortPath(paths[0])} and ${shortPath(paths[1])}`,
    bytes,
    paths,
    setting: null,
    basis: compared > 0 ? 'sampled' : 'names',
    coverage: { counted: compared, of: tensors, unit: 'tensors' },
  };
}

/** With its directory where that is what tells two files apart. */
function shortPath(path: string): string {
  return path.includes('/sharded/') || path.startsWith('sharded/') ? `sharded/${baseName(path)}` : baseName(path);
}
