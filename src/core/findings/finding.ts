export type Severity = 'error' | 'warning' | 'note';

/** Every finding there is, with its severity. The words for each are in findingText.ts. */
export const findingSeverities = {
  'file-unreadable': 'error',
  'file-changed': 'error',
  'file-empty': 'error',
  'file-truncated': 'error',
  'file-too-long': 'error',
  'file-zero-filled': 'error',
  'file-is-lfs-pointer': 'error',
  'file-is-link-text': 'error',
  'file-is-web-page': 'error',
  'file-not-its-format': 'error',
  'header-too-large': 'error',
  'header-corrupt': 'error',
  'tensor-out-of-range': 'error',
  'tensor-overlap': 'error',
  'tensor-gap': 'error',
  'tensor-size-mismatch': 'error',
  'tensor-name-duplicate': 'error',
  'tensor-shape-overflow': 'error',
  'tensor-rank-limit': 'warning',
  'dtype-unknown': 'warning',
  'zip-directory-missing': 'error',
  'zip-record-corrupt': 'error',
  'zip-record-lost': 'error',
  'storage-missing': 'error',
  'storage-size-mismatch': 'error',
  'pickle-corrupt': 'error',
  'pickle-too-large': 'warning',
  'pickle-walk-limit': 'warning',
  'pickle-import-unexpected': 'warning',
  'view-keeps-large-storage': 'warning',
  'json-corrupt': 'error',
  'index-shard-missing': 'error',
  'index-path-unsafe': 'error',
  'index-tensor-missing': 'error',
  'index-tensor-unlisted': 'warning',
  'index-total-size-differs': 'note',
  'shard-missing': 'error',
  'rank-file-missing': 'error',
  'rank-step-differs': 'error',
  'rank-file-older': 'warning',
  'rank-file-small': 'warning',
  'pointer-target-unfinished': 'warning',
  'pointer-target-missing': 'warning',
  'file-missing': 'warning',
  'save-unfinished': 'error',
  'save-unindexed': 'note',
  'run-without-checkpoint': 'error',
  'metadata-incomplete': 'warning',
  'tensor-chunks-missing': 'error',
  'tensor-slices-missing': 'error',
  'stale-files': 'warning',
  'step-differs': 'warning',
  'database-manifest-missing': 'error',
  'database-file-missing': 'error',
  'database-node-damaged': 'error',
  'array-metadata-corrupt': 'error',
  'chunks-missing': 'error',
  'chunks-not-stored': 'note',
  'item-missing': 'warning',
  'item-without-data': 'error',
  'tree-metadata-missing': 'error',
  'checkpoint-metadata-missing': 'warning',
  'checkpoint-metadata-incomplete': 'note',
  'shardings-missing': 'warning',
  'array-metadatas-missing': 'note',
  'weights-stored-twice': 'note',
  'tied-weights-stored-twice': 'note',
  'content-not-its-role': 'error',
  'weights-missing': 'error',
  'weights-are-placeholders': 'error',
  'optimizer-missing': 'warning',
  'scheduler-missing': 'warning',
  'rng-missing': 'warning',
  'trainer-state-missing': 'warning',
  'optimizer-unmatched': 'note',
  'leftover-file': 'note',
  'link-outside': 'note',
  'link-not-followed': 'note',
  'listing-incomplete': 'error',
  'unsupported-version': 'warning',
  'base-model-elsewhere': 'note',
  'nothing-here': 'note',
  'layout-unknown': 'note',
  'shard-not-its-format': 'error',
  'shard-truncated': 'error',
  'shard-corrupt': 'error',
  'shard-size-differs': 'error',
  'shards-listed-missing': 'error',
  'shard-unlisted': 'warning',
  'shard-count-differs': 'error',
  'shards-unequal': 'note',
  'shard-empty': 'note',
  'index-unmatched': 'error',
  'index-count-differs': 'error',
  'documents-empty': 'note',
  'token-dtypes-mixed': 'warning',
  'token-dtype-too-small': 'error',
  'token-dtype-wide': 'note',
  'token-outside-vocabulary': 'error',
  'columns-repeat-tokens': 'note',
  'many-small-shards': 'warning',
  'dataset-unfinished': 'error',
  'dataset-stored-twice': 'note',
  'line-corrupt': 'error',
  'text-encoding': 'warning',
  'internal-error': 'error',
} as const satisfies Record<string, Severity>;

export type FindingCode = keyof typeof findingSeverities;

/** Something that was noticed, as facts; findingText.ts makes the sentences. */
export interface Finding {
  code: FindingCode;
  /** Relative to the root; absent for what concerns the checkpoint as a whole. */
  path?: string;
  /** Byte offset in the file. */
  offset?: number;
  facts?: Record<string, string | number>;
}

/** A finding in words. */
export interface FindingReport {
  /** Stable identifier, see docs/findings.md. */
  code: string;
  severity: Severity;
  path: string | null;
  /** Byte offset in `path`. */
  offset: number | null;
  /** What was found. */
  message: string;
  /** Why it matters. */
  effect: string;
  /** What to do about it. */
  advice: string;
}
