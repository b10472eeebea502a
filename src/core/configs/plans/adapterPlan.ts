import type { Fields } from '../fields.js';
import type { AdapterPlan } from '../trainingPlan.js';

/** What programs call the members of an adapter. */
export interface AdapterKeys {
  rank: readonly string[];
  alpha: readonly string[];
  targets: readonly string[];
  saved: readonly string[];
  dora: readonly string[];
}

/** An adapter from a program's keys; `defaults` where the file leaves them out. */
export function adapterOf(
  fields: Fields,
  keys: AdapterKeys,
  defaults: { rank: number; targets: readonly string[] },
): AdapterPlan {
  const alpha = fields.number(...keys.alpha);
  const savedModules = fields.texts(...keys.saved)?.flatMap(names);
  const targets = fields.texts(...keys.targets)?.flatMap(names);
  return {
    kind: fields.flag(...keys.dora) === true ? 'dora' : 'lora',
    ...givenRank(fields.integer(...keys.rank), defaults.rank),
    targets: targets === undefined || targets.length === 0 ? defaults.targets : targets,
    ...(alpha === undefined ? {} : { alpha }),
    ...(savedModules === undefined || savedModules.length === 0 ? {} : { savedModules }),
  };
}

/** A rank that is set, or the framework's own. */
export function givenRank(rank: number | undefined, usual: number): Pick<AdapterPlan, 'rank' | 'isDefaultRank'> {
  return rank === undefined ? { rank: usual, isDefaultRank: true } : { rank };
}

/** Command lines write lists as `q_proj,v_proj`; `all` is what PEFT calls `all-linear`. */
function names(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => (name === 'all' ? 'all-linear' : name));
}
