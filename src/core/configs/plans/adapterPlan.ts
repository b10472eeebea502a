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

/** `trainable_token_indices` of PEFT: a list for the input embedding, or lists by names of modules (peft/tuners/lora/config.py). */
export function trainedTokensOf(fields: Fields, key: string): Pick<AdapterPlan, 'trainedTokens'> {
  const ofInput = fields.lengthOf(key);
  const byModule = fields.at(key);
  const counts =
    ofInput === undefined ? byModule.keys.map((name) => [name, byModule.lengthOf(name) ?? 0] as const) : [['', ofInput] as const];
  return counts.length === 0 ? {} : { trainedTokens: Object.fromEntries(counts.filter(([name]) => name !== '__proto__')) };
}

/** Command lines write lists as `q_proj,v_proj`; `all` is what PEFT calls `all-linear`. */
function names(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => (name === 'all' ? 'all-linear' : name));
}
