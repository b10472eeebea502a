/** Keys of a model's config: which mean the same under the names of several releases, and which the model computes by. */

/** Names before transformers 5, and those since (its configuration_utils.py and modeling_rope_utils.py). */
const newNames: Readonly<Record<string, string>> = {
  torch_dtype: 'dtype',
  rope_theta: 'rope_parameters.rope_theta',
  rotary_emb_base: 'rope_parameters.rope_theta',
  rotary_pct: 'rope_parameters.partial_rotary_factor',
  partial_rotary_factor: 'rope_parameters.partial_rotary_factor',
};

/** What a config without these keys means as well. */
const defaults: Readonly<Record<string, string>> = { 'rope_parameters.rope_type': 'default', rope_scaling: 'null' };

/**
 * Leaves of config.json under the names of today: `rope_theta` is `rope_parameters.rope_theta`, as transformers 5 writes it. What stands there in both
 * forms stays as it is.
 */
export function withNewNames(leaves: ReadonlyMap<string, string>): Map<string, string> {
  const renamed = new Map<string, string>();
  for (const [key, value] of leaves) {
    const name = newNameOf(key);
    if (defaults[lastPart(name)] === value || defaults[lastParts(name)] === value) continue;
    renamed.set(name === key || leaves.has(name) ? key : name, value);
  }
  return renamed;
}

function newNameOf(key: string): string {
  const own = key
    .replace(/(^|\.)rope_scaling\./, '$1rope_parameters.')
    .replace(/(^|\.)rope_parameters\.type$/, '$1rope_parameters.rope_type');
  const last = lastPart(own);
  const name = Object.hasOwn(newNames, last) && !own.includes('rope_parameters.') ? newNames[last] : undefined;
  return name === undefined ? own : own.slice(0, own.length - last.length) + name;
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1);
}

function lastParts(key: string): string {
  return key.split('.').slice(-2).join('.');
}

/** By which the same weights give other outputs: positions, activations, norms, windows, scales and experts of transformers and PEFT. */
const computing =
  /(?:^|\.)(?:rope_parameters(?:\..+)?|rope_scaling(?:\..+)?|hidden_act(?:ivation)?|activation_function|(?:rms_|layer_)?norm_(?:eps|epsilon)|sliding_window|use_sliding_window|attention_window|alibi|is_causal|(?:attn|final)_logit_softcapping|logit_scale|logits_scaling|(?:embedding|residual|attention)_multiplier|scale_attn_weights|query_pre_attn_scalar|num_experts_per_tok|norm_topk_prob|routed_scaling_factor|scoring_func|tie_word_embeddings|lora_alpha|use_rslora|alpha_pattern\..+|layer_types\.\d+)$/;

/** Whether a model computes by this key of its config. */
export function isComputing(key: string): boolean {
  return computing.test(key);
}
