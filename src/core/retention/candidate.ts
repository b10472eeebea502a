/** A checkpoint of the run as the rules see it. */
import type { ComponentId } from '../tensors/component.js';
import type { CaveatCode, ProtectionCode, Reason } from './reason.js';

export interface Candidate {
  /** Relative to the run. */
  path: string;
  /** Null for a name without one. */
  step: number | null;
  /** Its place in the run: the step, or the epoch in a run whose names have no steps; null where neither is known. */
  order: number | null;
  bytes: number;
  /** Milliseconds since 1970; null where no file has a time. */
  finishedMs: number | null;
  /** False where a copy, a download or somebody else may have given it. */
  isTimeKnown: boolean;
  /** With bytes, by the names of its files. */
  components: ReadonlySet<ComponentId>;
  protections: Reason<ProtectionCode>[];
  /** Where there is one, it counts for no rule and is never dropped. */
  caveats: Reason<CaveatCode>[];
  /** Of the policy's metric; `unmeasured` where it was not evaluated at this step, null where that is not known. */
  metric: number | 'unmeasured' | null;
  /** Manifests of copies in which all of its files are, with their sizes. */
  copies: number;
}
