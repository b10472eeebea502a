import { FormatError } from '../core/bytes/formatError.js';
import { systemErrorCode } from './os/systemErrorCode.js';

const reasons: Record<string, string> = {
  EACCES: 'no permission to read it',
  EPERM: 'no permission to read it',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of its path is not a folder',
  ELOOP: 'its symbolic links form a loop',
  EMFILE: 'too many files are open on this machine',
  ENFILE: 'too many files are open on this machine',
  EIO: 'the disk or file server reported an input/output error',
  ESTALE: 'it was removed or replaced on the file server (stale handle)',
  EDQUOT: 'the quota is reached',
  ENAMETOOLONG: 'its path is too long',
  ENXIO: 'it is a device or socket without a reader',
  // The codes of an editor's file system providers.
  FileNotFound: 'it does not exist',
  NoPermissions: 'no permission to read it',
  FileIsADirectory: 'it is a folder',
  FileNotADirectory: 'a part of its path is not a folder',
  Unavailable: 'its file system is not available',
};

/** What went wrong with a file, in plain words and without its path where the cause is a known one. */
export function describeIoError(error: unknown): string {
  if (FormatError.is(error)) return error.detail;
  const code = systemErrorCode(error);
  const reason = code !== null && Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  return reason ?? (error instanceof Error ? error.message : String(error));
}
