import { CheckError, type CheckErrorCode } from '../../../core/bandwidth/checkError.js';
import { FormatError } from '../../../core/bytes/formatError.js';
import { StoreAccessError } from '../../objectStore/storeAccessError.js';
import { StoreRefusal } from '../../objectStore/storeRefusal.js';
import { HttpError } from '../../remote/httpError.js';

const codes: Readonly<Record<string, CheckErrorCode>> = {
  NoSuchBucket: 'not-found',
  AccessDenied: 'access-denied',
  InvalidAccessKeyId: 'access-denied',
  SignatureDoesNotMatch: 'access-denied',
  ExpiredToken: 'access-denied',
  InvalidToken: 'access-denied',
  RequestTimeTooSkewed: 'access-denied',
  RequestExpired: 'access-denied',
  AllAccessDisabled: 'access-denied',
  AccountProblem: 'access-denied',
  // Azure answers 409 to these.
  PublicAccessNotPermitted: 'access-denied',
  AccountIsDisabled: 'access-denied',
  // Ceph, and MinIO.
  QuotaExceeded: 'space-ran-out',
  XMinioStorageFull: 'space-ran-out',
};

/** Anything that went wrong with a store, as an error of a check. */
export function storeError(error: unknown, host: string): CheckError {
  if (CheckError.is(error)) return error;
  if (error instanceof StoreAccessError) return new CheckError(error.code, error.detail, { cause: error });
  if (error instanceof StoreRefusal) return new CheckError(codeOf(error), detailOf(error), { cause: error });
  // What asks a login for a token.
  if (FormatError.is(error))
    return new CheckError(error instanceof HttpError ? 'access-denied' : 'io', error.detail, { cause: error });
  const { code, message } = error as { code?: unknown; message?: unknown };
  const reason = Object.hasOwn(networkReasons, String(code)) ? networkReasons[String(code)] : String(message ?? error);
  return new CheckError('io', `${host}: ${reason}`, { cause: error });
}

const networkReasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'no response in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself; NODE_EXTRA_CA_CERTS names the file of one to trust',
  SELF_SIGNED_CERT_IN_CHAIN: 'no trusted authority issued its certificate; NODE_EXTRA_CA_CERTS names the file of one to trust',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'no trusted authority issued its certificate; NODE_EXTRA_CA_CERTS names the file of one to trust',
};

function codeOf({ status, code }: StoreRefusal): CheckErrorCode {
  const known = Object.hasOwn(codes, code) ? codes[code] : undefined;
  if (known !== undefined) return known;
  if (status === 401 || status === 403) return 'access-denied';
  if (status === 507) return 'space-ran-out';
  return status === 404 ? 'not-found' : 'io';
}

function detailOf({ status, code, detail }: StoreRefusal): string {
  const said = [code, detail].filter((part) => part !== '').join(': ') || `the store answered ${status}`;
  if (code !== 'RequestTimeTooSkewed') return said;
  return `${said} The clocks of this machine and of the store differ: it is ${new Date().toISOString()} here`;
}
