/** Where an input's value comes from, in a word or two. */
import type { InputOrigin } from '../../src/core/planning/inputs/planDocument.js';

export interface OriginWords {
  text: string;
  /** More of it, where there is more. */
  title: string;
  isAssumed: boolean;
}

/**
 * @param derived what the plan derives an input from that is not given; null where it has a default instead
 */
export function originWords(origin: InputOrigin | undefined, isGiven: boolean, derived: string | null): OriginWords {
  // What a named GPU fills in is not given, and yet from somewhere.
  if (!isGiven && origin?.kind !== 'read' && origin?.kind !== 'site')
    return derived === null
      ? { text: 'assumed', title: 'Default (not set)', isAssumed: true }
      : { text: derived, title: `Derived: ${derived}`, isAssumed: false };
  switch (origin?.kind) {
    case 'measured':
      return { text: 'measured', title: origin.text, isAssumed: false };
    case 'read':
      return { text: `from ${origin.text}`, title: origin.text, isAssumed: false };
    case 'site':
      return { text: 'sites file', title: origin.text, isAssumed: false };
    case 'preset':
      return { text: 'preset', title: origin.text, isAssumed: false };
    case 'set':
    case undefined:
      return { text: '', title: '', isAssumed: false };
  }
}
