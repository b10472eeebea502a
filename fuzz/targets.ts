import type { FuzzTarget } from './target.js';
import { bandwidthTargets } from './targets/bandwidthTargets.js';
import { codecTargets } from './targets/codecTargets.js';
import { configTargets } from './targets/configTargets.js';
import { contentTargets } from './targets/contentTargets.js';
import { formatTargets } from './targets/formatTargets.js';
import { layoutTargets } from './targets/layoutTargets.js';
import { messageTargets } from './targets/messageTargets.js';
import { planTargets } from './targets/planTargets.js';

/** All that is fuzzed. */
export function fuzzTargets(): FuzzTarget[] {
  return [
    ...formatTargets(),
    ...layoutTargets(),
    ...codecTargets(),
    ...configTargets(),
    ...planTargets(),
    ...messageTargets(),
    ...bandwidthTargets(),
    ...contentTargets(),
  ];
}

/** @throws Error for a name that no target has */
export function targetNamed(name: string): FuzzTarget {
  const target = fuzzTargets().find((known) => known.name === name);
  if (target === undefined) throw new Error(`there is no target ${name}`);
  return target;
}
