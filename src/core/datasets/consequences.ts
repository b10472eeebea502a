/** Findings that only follow from another one: a pointer has another size than the shard that it points to. */
import type { Finding, FindingCode } from '../findings/finding.js';

/** Findings of files in which there are no data at all, whatever their formats. */
export const absence: readonly FindingCode[] = [
  'file-unreadable',
  'file-empty',
  'file-is-lfs-pointer',
  'file-is-web-page',
  'file-is-link-text',
  'file-saved-as-text',
  'file-zero-filled',
];

/** What comparing such a file with others finds. */
const consequences: ReadonlySet<FindingCode> = new Set([
  'shard-size-differs',
  'shard-truncated',
  'shard-corrupt',
  'shard-not-its-format',
  'shard-empty',
  'index-count-differs',
  'line-corrupt',
]);

/** The findings without those that another one of the same file explains. */
export function withoutConsequences(findings: readonly Finding[]): Finding[] {
  const absent = new Set(findings.flatMap(({ code, path }) => (path !== undefined && absence.includes(code) ? [path] : [])));
  return findings.filter(({ code, path }) => path === undefined || !absent.has(path) || !consequences.has(code));
}
