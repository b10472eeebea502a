/** Why a store cannot be asked: its address is none, or there is no key for it. */
export class StoreAccessError extends Error {
  constructor(
    readonly code: 'bad-setting' | 'access-denied',
    /** For logs and reports, in plain words. */
    readonly detail: string,
  ) {
    super(detail);
    this.name = 'StoreAccessError';
  }
}
