import { FormatError, type FormatErrorCode } from '../bytes/formatError.js';
import { LfsPointerError } from '../files/lfsPointer.js';
import type { FileFinding, FindingCode } from './finding.js';
import { ImpostorError } from './impostorError.js';

type Codes = Record<Exclude<FormatErrorCode, 'cancelled'>, FindingCode>;

const common = {
  'limit-exceeded': 'header-too-large',
  unsupported: 'unsupported-version',
  io: 'file-unreadable',
} as const satisfies Partial<Codes>;

const codesOf = {
  file: { ...common, 'not-this-format': 'file-not-its-format', truncated: 'file-truncated', corrupt: 'header-corrupt' },
  shard: { ...common, 'not-this-format': 'shard-not-its-format', truncated: 'shard-truncated', corrupt: 'shard-corrupt' },
} as const satisfies Record<string, Codes>;

/**
 * The finding for an error that ended the reading of a file: damage by its code, anything else as `internal-error`.
 * @param kind a file of a checkpoint, or a shard of a dataset, whose damage costs other things
 * @throws the error itself where it is a cancellation
 */
export function findingOfError(error: unknown, kind: keyof typeof codesOf): FileFinding {
  if (!FormatError.is(error)) {
    const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { code: 'internal-error', facts: { detail } };
  }
  if (error.code === 'cancelled') throw error;
  if (error instanceof LfsPointerError)
    return { code: 'file-is-lfs-pointer', offset: 0, facts: { expectedBytes: error.expectedBytes } };
  if (error instanceof ImpostorError) return error.finding;
  const { code, detail, offset } = error;
  return { code: codesOf[kind][code], ...(offset === undefined ? {} : { offset }), facts: { detail } };
}
