/** Why a checkpoint stays, goes, or cannot be judged; pages have the words. */

/** It is never proposed, whatever the policy says. */
export type ProtectionCode =
  | 'newest'
  | 'latest-written'
  | 'two-stay'
  | 'pointer'
  | 'held'
  | 'linked'
  | 'base-of-adapter'
  | 'framework-best'
  | 'named'
  | 'marked'
  | 'model-of-run'
  | 'only-component';

/** A rule of the policy keeps it. */
export type RuleCode = 'keepLast' | 'keepEverySteps' | 'keepEveryHours' | 'keepBest' | 'milestone' | 'minimumAge';

/** No rule keeps it: each rule of the policy with why it does not. */
export type DropCode = 'not-last' | 'not-first-of-steps' | 'not-first-of-hours' | 'not-best' | 'no-milestone';

/** It is not understood, or not known well enough to let it go. */
export type CaveatCode =
  | 'incomplete'
  | 'much-smaller'
  | 'shorter-file'
  | 'without-weights'
  | 'being-written'
  | 'changed'
  | 'unreadable'
  | 'time-in-future'
  | 'same-step'
  | 'no-step'
  | 'other-owner'
  | 'name-not-utf8'
  | 'name-added-to'
  | 'no-model'
  | 'link'
  | 'not-understood'
  | 'other-run'
  | 'pointer-unreadable'
  | 'pointer-changed'
  | 'adapter-unreadable'
  | 'state-unreadable'
  | 'numbers-alone'
  | 'years-alone'
  | 'two-runs'
  | 'run-within'
  | 'listing-cut'
  | 'age-unknown'
  | 'hours-unknown'
  | 'steps-unknown'
  | 'metric-unknown'
  | 'no-verified-copy'
  | 'larger-than-kept';

export interface Reason<Code extends string = ProtectionCode | RuleCode | DropCode | CaveatCode> {
  code: Code;
  /** What it follows from: a pointer, a hold's reason, a number of the policy; null where the code is all. */
  detail: string | null;
}

export function reason<Code extends string>(code: Code, detail: string | number | null = null): Reason<Code> {
  return { code, detail: detail === null ? null : String(detail) };
}
