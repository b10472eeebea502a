import { CheckError, type CheckErrorCode } from '../../core/bandwidth/checkError.js';
import { systemErrorCode } from '../os/systemErrorCode.js';

const codes: Record<string, CheckErrorCode> = {
  EROFS: 'not-writable',
  EACCES: 'not-writable',
  EPERM: 'not-writable',
  ENOSPC: 'space-ran-out',
  EDQUOT: 'space-ran-out',
  // NFS answers ESTALE where the server no longer has a directory that is open here.
  ENOENT: 'directory-removed',
  ESTALE: 'directory-removed',
  ENOTDIR: 'directory-removed',
  'data-differ': 'data-differ',
};

/** In place of what libuv has no words for. */
const reasons: Record<string, string> = {
  EDQUOT: 'the quota is reached',
  ESTALE: 'it was removed or replaced on the file server (stale handle)',
};

/**
 * What an error of the system in the middle of a check means.
 * @param doing what was being done, in plain words
 */
export function toCheckError(error: unknown, doing: string): CheckError {
  if (CheckError.is(error)) return error;
  const code = systemErrorCode(error);
  const { message } = (error ?? {}) as { message?: unknown };
  const known = code !== null && Object.hasOwn(codes, code) ? codes[code] : undefined;
  const reason = code !== null && Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  const detail = reason ?? (typeof message === 'string' ? message : String(error));
  return new CheckError(known ?? 'io', `${doing}: ${detail}`, { cause: error });
}
