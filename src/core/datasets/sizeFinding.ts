import type { FileFinding } from '../findings/finding.js';

/** What a shard of another size than its header or its index needs is: cut off, or of another version. */
export function sizeFinding({ detail, ...sizes }: { expectedBytes: number; bytes: number; detail: string }): FileFinding {
  return sizes.bytes < sizes.expectedBytes
    ? { code: 'shard-truncated', facts: { detail } }
    : { code: 'shard-size-differs', facts: sizes };
}
