import { maskedText, withoutSecrets } from '../../core/text/secrets.js';

/** A store's refusal. */
export class S3Error extends Error {
  constructor(
    readonly status: number,
    /** `NoSuchBucket`; empty where the store names none. */
    readonly code: string,
    readonly detail: string,
    /** That the store would have it signed for, where it says so. */
    readonly region: string | null,
  ) {
    super(`${status} ${code} ${detail}`.trim());
    this.name = 'S3Error';
  }

  /** The same without texts that a store may have repeated: the keys of the request. */
  without(secrets: readonly (string | null)[]): S3Error {
    const masked = (text: string): string =>
      secrets.reduce<string>((shown, secret) => (secret ? shown.replaceAll(secret, maskedText) : shown), withoutSecrets(text));
    return new S3Error(this.status, masked(this.code), masked(this.detail), this.region);
  }

  /** Trying again may help ("Error responses" of Amazon S3's API reference, and what proxies before a store answer). */
  get isPassing(): boolean {
    return [429, 500, 502, 503, 504].includes(this.status) || this.code === 'RequestTimeout';
  }
}
