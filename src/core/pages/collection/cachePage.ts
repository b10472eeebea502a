/** The cache of the Hugging Face Hub in words: what its bytes are, and what pruning frees. */
import type { CacheByteKind, CacheReport } from '../../inspection/hubCache/cacheReport.js';
import type { RepositoryType } from '../../text/hubRevision.js';
import { counted, listed } from '../../text/quantities.js';
import { formatBytes, formatCount } from '../../text/units.js';

/** What revisions without a layout are. */
export const repositoryNames: Readonly<Record<RepositoryType, string>> = {
  model: 'model repository',
  dataset: 'data set repository',
  space: 'space',
  kernel: 'kernel',
};

const usageLabels: Readonly<Record<CacheByteKind, string>> = {
  revision: 'in one revision',
  shared: 'shared by several revisions',
  unlinked: 'blobs without a link',
  incomplete: 'incomplete downloads',
  xet: 'Xet chunks and shards',
  locks: 'locks',
  metadata: 'refs and notes of the cache',
  parts: 'other parts',
  other: 'other files',
};

export interface UsageRow {
  label: string;
  bytes: number;
  size: string;
  files: string;
}

/** Heads of the columns of `usageRowsOf`. */
export const usageHeads = ['bytes', 'size', 'files'] as const;

/** What the bytes are: each counts in one row. */
export function usageRowsOf({ usage }: CacheReport): UsageRow[] {
  return usage.map(({ kind, bytes, files }) => ({
    label: usageLabels[kind],
    bytes,
    size: formatBytes(bytes),
    files: formatCount(files),
  }));
}

/** What pruning frees, behind what lies beside the revisions. */
export function cacheSentence({ prune }: CacheReport, beside: string): string {
  return [beside, ...(prune === null ? [] : [pruneSentence(prune)])].filter((each) => each !== '').join(' ');
}

function pruneSentence({ revisions, incompleteFiles, storeFiles, bytes }: NonNullable<CacheReport['prune']>): string {
  const what = [
    ...(revisions.length > 0 ? [`${counted(revisions.length, 'revision')} without a ref`] : []),
    ...(incompleteFiles > 0 ? [counted(incompleteFiles, 'incomplete download')] : []),
    ...(storeFiles > 0 ? [`${counted(storeFiles, 'file')} of the shared store`] : []),
  ];
  return what.length === 0
    ? 'hf cache prune would remove nothing.'
    : `hf cache prune would free ${formatBytes(bytes)}: ${listed(what)}.`;
}
