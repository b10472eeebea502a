/** How many checkpoints stay, in words. */
import { advisedKeep } from '../../planning/keeping/quota.js';
import type { StoragePlan } from '../../planning/storagePlan.js';
import { ordinal } from '../../text/ordinal.js';
import { formatCount } from '../../text/units.js';

/** `keep the last 3`, and what of the plan's own that takes the place of. */
export function keepWords({ inputs, quota }: StoragePlan): string {
  const keep = advisedKeep(inputs, quota);
  if (keep === null) return 'keep all';
  const planned = inputs.keepEvery === 1 ? 'all' : formatCount(Math.max(1, inputs.keepLast));
  const instead = planned === formatCount(keep) ? '' : `, not ${planned}`;
  const forever = inputs.keepEvery > 1 ? ` and every ${ordinal(inputs.keepEvery)}` : '';
  return `keep the last ${formatCount(keep)}${instead}${forever}`;
}
