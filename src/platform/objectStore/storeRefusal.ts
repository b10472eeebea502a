import { maskedText, withoutSecrets } from '../../core/text/secrets.js';

/** Of what a store says, so much is looked at, and so much is shown. */
const lookedAtLetters = 10_000;
const shownLetters = 300;

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

  /** The same, of bounded length, without texts that a store may have repeated: what proved who asks. Cut only then, so that no part of one stays. */
  without(secrets: readonly string[]): StoreRefusal {
    const masked = (text: string): string => {
      const own = secrets.reduce((shown, secret) => shown.replaceAll(secret, maskedText), text.slice(0, lookedAtLetters));
      const shown = withoutSecrets(own);
      return shown.length > shownLetters ? `${shown.slice(0, shownLetters)}…` : shown;
    };
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
