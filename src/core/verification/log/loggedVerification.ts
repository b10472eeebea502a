import type { LoggedVerification } from '../../findings/loggedCheck.js';
import type { VerificationReport } from '../verification.js';

/** What a log has of a verification. */
export function loggedVerification({ files, failed, unverifiable, manifest }: VerificationReport): LoggedVerification {
  return {
    what: 'verify',
    matched: files.filter(({ status }) => status === 'same').length,
    failed,
    unverifiable,
    extra: files.filter(({ status }) => status === 'extra').length,
    coveredBytes: files.reduce((sum, { coverage }) => sum + coverage.bytes, 0),
    ofBytes: files.reduce((sum, { coverage }) => sum + coverage.of, 0),
    by: [...new Set(files.flatMap(({ by }) => by))].sort(),
    manifest,
  };
}
