import { FormatError } from '../../core/bytes/formatError.js';
import { withoutSecrets } from '../../core/text/secrets.js';

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
