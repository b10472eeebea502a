import type { Damage, Extent } from '../verification.js';

/** Finds the sums of a file while its bytes pass, and checks them. */
export interface SumStream {
  push(bytes: Uint8Array): void;
  end(): { damage: Damage[]; covered: Extent[] };
}
