/** What is said of a pickle that the machine did not run to its end. */
import type { FormatError, FormatErrorCode } from '../../bytes/formatError.js';
import type { FileFinding } from '../../findings/finding.js';

/** Errors of a pickle that leave the rest of a file readable. */
export const damageCodes: ReadonlySet<FormatErrorCode> = new Set<FormatErrorCode>(['corrupt', 'truncated', 'limit-exceeded']);

/** @param offset where the pickle begins in the file */
export function pickleDamage(error: FormatError, record: string, bytes: number, offset: number): FileFinding {
  if (error.code === 'limit-exceeded') return { code: 'pickle-values-cut', offset, facts: { record, bytes } };
  return { code: 'pickle-corrupt', offset: offset + (error.offset ?? 0), facts: { record, detail: error.detail } };
}
