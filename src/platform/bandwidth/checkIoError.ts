import { CheckError, type CheckErrorCode } from '../../core/bandwidth/checkError.js';

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

/**
 * What an error of the system in the middle of a check means.
 * @param doing what was being done, in plain words
 */
export function toCheckError(error: unknown, doing: string): CheckError {
  if (CheckError.is(error)) return error;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const known = typeof code === 'string' && Object.hasOwn(codes, code) ? codes[code] : undefined;
  return new CheckError(known ?? 'io', `${doing}: ${typeof message === 'string' ? message : String(error)}`, { cause: error });
}
