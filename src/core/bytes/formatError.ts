/** Why a file could not be read as what it claims to be. `io` may pass when tried again; all others are facts about the bytes. */
export type FormatErrorCode = 'not-this-format' | 'truncated' | 'corrupt' | 'limit-exceeded' | 'unsupported' | 'io' | 'cancelled';

declare global {
  interface ErrorConstructor {
    /** Of V8, which all editors run on; the types of core have no program around it. */
    stackTraceLimit: number;
  }
}

/**
 * The only error that core throws on purpose. `detail` is for logs and reports, in plain words and without a path; the host and
 * the command line turn `code` into a sentence that says what to do. It has no stack trace.
 */
export class FormatError extends Error {
  readonly code: FormatErrorCode;
  /** Byte offset in the file at which the trouble begins, where it is known. */
  readonly offset: number | undefined;
  readonly detail: string;

  constructor(code: FormatErrorCode, detail: string, options: { offset?: number; cause?: unknown } = {}) {
    // Each damaged file makes some, and a trace takes longer than to read a small file: 14 of 15 microseconds.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'FormatError';
    this.code = code;
    this.offset = options.offset;
    this.detail = detail;
  }

  /** True for a FormatError, and for one of that code where a code is given. Checks the shape, as errors may cross a worker. */
  static is(error: unknown, code?: FormatErrorCode): error is FormatError {
    return error instanceof Error && error.name === 'FormatError' && (code === undefined || (error as FormatError).code === code);
  }
}

/** Throws `cancelled` when the signal was aborted. Call it between reads and inside long loops. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new FormatError('cancelled', 'the inspection was cancelled');
}
