import { maskedText, withoutSecrets } from '../../core/text/secrets.js';

/** What a store answers in place of doing what was asked. */
export class StoreRefusal extends Error {
  constructor(
    readonly status: number,
    /** `NoSuchBucket`; empty where the store names none. */
    readonly code: string,
    readonly detail: string,
    /** That the store would have it signed for, where it says so. */
    readonly region: string | null = null,
  ) {
    super(`${status} ${code} ${detail}`.trim());
    this.name = 'StoreRefusal';
  }

  /** The same without texts that a store may have repeated: the keys of the request. */
  without(secrets: readonly (string | null)[]): StoreRefusal {
    const masked = (text: string): string =>
      secrets.reduce<string>((shown, secret) => (secret ? shown.replaceAll(secret, maskedText) : shown), withoutSecrets(text));
    return new StoreRefusal(this.status, masked(this.code), masked(this.detail), this.region);
  }

  /**
   * Trying again may help ("Error responses" of Amazon S3's API reference, "HTTP status and error codes for JSON" of Google Cloud Storage, and what proxies
   * before a store answer).
   */
  get isPassing(): boolean {
    return [408, 429, 500, 502, 503, 504].includes(this.status) || passingCodes.has(this.code);
  }
}

const passingCodes: ReadonlySet<string> = new Set(['RequestTimeout', 'rateLimitExceeded', 'userRateLimitExceeded']);
