/** Errors of an inspection that say that data of the checkpoint are missing, cut or damaged: what their values are is not known. */
import { damagedContents } from '../findings/damagedContents.js';
import type { FindingCode, FindingReport } from '../findings/finding.js';

const codes: ReadonlySet<string> = new Set<FindingCode>([
  ...damagedContents,
  'shards-listed-missing',
  'shard-truncated',
  'shard-corrupt',
  'shard-not-its-format',
  'shard-count-differs',
  'index-path-unsafe',
  'weights-missing',
  'zero-weights-missing',
  'universal-files-missing',
  'rank-file-missing',
  'pipeline-layers-missing',
  'common-state-missing',
  'save-unfinished',
  'tensors-absent',
  'tensor-chunks-missing',
  'tensor-slices-missing',
  'chunks-missing',
  'arrays-missing',
  'item-without-data',
  'array-metadata-corrupt',
  'database-manifest-missing',
  'database-file-missing',
  'database-node-damaged',
  'cache-link-broken',
  'listing-incomplete',
]);

export function isOfMissingData({ severity, code }: FindingReport): boolean {
  return severity === 'error' && codes.has(code);
}
