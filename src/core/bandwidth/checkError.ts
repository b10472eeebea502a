/** Why a check was not made, or not to its end. Whatever the reason, what it had written is removed. */
export const checkErrorCodes = [
  /** What is asked for cannot be done anywhere. */
  'bad-setting',
  'not-found',
  'not-a-directory',
  'not-writable',
  'not-enough-space',
  'not-enough-files',
  /** The file system was full, or the quota reached, in the middle. */
  'space-ran-out',
  'directory-removed',
  /** What was read is not what was written. */
  'data-differ',
  'not-removed',
  'access-denied',
  'other-nodes',
  'io',
  'cancelled',
] as const;
export type CheckErrorCode = (typeof checkErrorCodes)[number];

export class CheckError extends Error {
  readonly code: CheckErrorCode;
  /** For logs and reports, in plain words. */
  readonly detail: string;

  constructor(code: CheckErrorCode, detail: string, options: { cause?: unknown } = {}) {
    super(detail, options);
    this.name = 'CheckError';
    this.code = code;
    this.detail = detail;
  }

  /** Checks the shape, as errors may cross a worker. */
  static is(error: unknown, code?: CheckErrorCode): error is CheckError {
    return error instanceof Error && error.name === 'CheckError' && (code === undefined || (error as CheckError).code === code);
  }
}
