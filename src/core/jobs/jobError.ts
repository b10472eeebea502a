/** Why a job was not made, or has no result. */
export type JobErrorCode =
  /** What is asked for cannot be part of a job. */
  | 'bad-setting'
  /** No folder for the job can be made. */
  | 'not-writable'
  /** The cluster refused the job, or it ended too early. */
  | 'other-nodes'
  | 'cancelled';

export class JobError extends Error {
  readonly code: JobErrorCode;
  /** In plain words. */
  readonly detail: string;

  constructor(code: JobErrorCode, detail: string, options: { cause?: unknown } = {}) {
    super(detail, options);
    this.name = 'JobError';
    this.code = code;
    this.detail = detail;
  }

  static is(error: unknown, code?: JobErrorCode): error is JobError {
    return error instanceof JobError && (code === undefined || error.code === code);
  }
}
