import { FormatError } from '../../core/bytes/formatError.js';
import { withoutSecrets } from '../../core/text/secrets.js';

/** Null in place of a refusal that says that there is no such thing. */
export async function unlessMissing<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return null;
    throw error;
  }
}

/** A server's refusal. */
export class HttpError extends FormatError {
  constructor(
    readonly status: number,
    readonly headers: Headers,
    /** The beginning of what the server sent, as text; never shown as it is. */
    readonly body: string,
    detail = `the server answers ${status}`,
  ) {
    super('io', withoutSecrets(detail));
  }

  /** The same refusal in other words. */
  inWords(detail: string): HttpError {
    return new HttpError(this.status, this.headers, this.body, detail);
  }
}
