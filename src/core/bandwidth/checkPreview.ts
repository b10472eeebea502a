/** What a check would do, told before it is asked for. */
import type { CheckErrorCode } from './checkError.js';
import type { CheckRequest } from './measurement.js';
import type { TargetFacts } from './targetFacts.js';

export interface CheckPreview {
  facts: TargetFacts;
  /** Null where the check cannot be made; `refusal` says why then. */
  request: CheckRequest | null;
  refusal: { code: CheckErrorCode; detail: string } | null;
  /** Most bytes that lie there at once, and what set this bound. */
  space: { bytes: number; boundBy: 'standard' | 'free-space' | 'told' | 'checkpoint' };
  /** Why it has to be asked for twice; empty where once is enough. */
  cautions: Caution[];
}

export type Caution = { code: 'login-node'; reason: string } | { code: 'shared-file-system'; name: string };
