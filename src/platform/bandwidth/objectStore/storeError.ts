import { CheckError, type CheckErrorCode } from '../../../core/bandwidth/checkError.js';
import { S3Error } from '../../objectStore/s3Error.js';
import { StoreAccessError } from '../../objectStore/storeAccessError.js';

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
  // Ceph, and MinIO.
  QuotaExceeded: 'space-ran-out',
  XMinioStorageFull: 'space-ran-out',
};

/** Anything that went wrong with a store, as an error of a check. */
export function storeError(error: unknown, host: string): CheckError {
  if (CheckError.is(error)) return error;
  if (error instanceof StoreAccessError) return new CheckError(error.code, error.detail, { cause: error });
  if (error instanceof S3Error) return new CheckError(codeOf(error), detailOf(error), { cause: error });
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

function codeOf({ status, code }: S3Error): CheckErrorCode {
  const known = Object.hasOwn(codes, code) ? codes[code] : undefined;
  if (known !== undefined) return known;
  if (status === 401 || status === 403) return 'access-denied';
  if (status === 507) return 'space-ran-out';
  return status === 404 ? 'not-found' : 'io';
}

function detailOf({ status, code, detail }: S3Error): string {
  const said = [code, detail].filter((part) => part !== '').join(': ') || `the store answered ${status}`;
  if (code !== 'RequestTimeTooSkewed') return said;
  return `${said} The clocks of this machine and of the store differ: it is ${new Date().toISOString()} here`;
}
