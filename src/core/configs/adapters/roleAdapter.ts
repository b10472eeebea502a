/**
 * A low-rank adapter on modules that are chosen by what they do, as LitGPT has them (litgpt/lora.py): query, key and value are parts of one matrix, and the two
 * that gate are apart, however the model's published files have them.
 */
import type { AdapterPlan, AdapterRole } from '../trainingPlan.js';
import { isExpert, isModuleWeight, moduleOf } from '../architectures/moduleNames.js';
import type { TensorGroup } from '../architectures/tensorGroup.js';
import type { AdapterCount, AdaptedModule } from './adapterTensors.js';

/** Names of modules below the attention, by what they do; all others are its output. */
const attentionRoles: Readonly<Record<string, readonly AdapterRole[]>> = {
  q_proj: ['query'],
  k_proj: ['key'],
  v_proj: ['value'],
  qkv_proj: ['query', 'key', 'value'],
  query_key_value: ['query', 'key', 'value'],
  Wqkv: ['query', 'key', 'value'],
  c_attn: ['query', 'key', 'value'],
};
const attentions: ReadonlySet<string> = new Set(['self_attn', 'self_attention', 'attention', 'attn']);

export function roleParameters(groups: readonly TensorGroup[], { rank, roles = [] }: AdapterPlan): AdapterCount {
  const weights = groups.filter((group) => isModuleWeight(group) && (group.kind === 'linear' || group.kind === 'head'));
  // Routed experts are modules of its own, of which there are no published adapters to compare with.
  const unresolved = weights.some(isExpert) && roles.includes('mlp') ? ['mlp'] : [];
  const modules = weights.flatMap((group): AdaptedModule[] => {
    const parameters = rank * sidesOf(group, weights, roles) * group.copies;
    return parameters === 0 ? [] : [{ name: moduleOf(group), parameters, isWhole: false }];
  });
  const sum = modules.reduce((total, { parameters }) => total + parameters, 0);
  const isKnown = unresolved.length === 0 && rank > 0 && sum > 0 && Number.isSafeInteger(sum);
  return { trainable: isKnown ? sum : null, modules, unmatched: [], unresolved };
}

/** Inputs and outputs of all matrices of one module that have an adapter. */
function sidesOf(group: TensorGroup, weights: readonly TensorGroup[], roles: readonly AdapterRole[]): number {
  const [outputs = 0, inputs = 0] = group.shape;
  if (group.kind === 'head') return roles.includes('head') ? inputs + outputs : 0;
  const [part = '', name = ''] = moduleOf(group).split('.').slice(-2);
  if (part === 'mlp') {
    if (!roles.includes('mlp') || isExpert(group)) return 0;
    return name === 'gate_up_proj' ? 2 * inputs + outputs : inputs + outputs;
  }
  if (!attentions.has(part)) return 0;
  const own = Object.hasOwn(attentionRoles, name) ? (attentionRoles[name] ?? []) : (['output'] as const);
  const meant = own.filter((role) => roles.includes(role));
  if (own.length === 1 || meant.length === 0) return meant.length * (inputs + outputs);
  const query = queryOutputs(group, weights);
  return meant.reduce((sum, role) => sum + inputs + (role === 'query' ? query : (outputs - query) / 2), 0);
}

/** Outputs of all query heads, which are what the output projection beside them takes in. */
function queryOutputs(group: TensorGroup, weights: readonly TensorGroup[]): number {
  const module = moduleOf(group);
  const block = module.slice(0, module.lastIndexOf('.') + 1);
  const output = weights.find((other) => other !== group && moduleOf(other).startsWith(block));
  return output?.shape[1] ?? group.shape[1] ?? 0;
}
