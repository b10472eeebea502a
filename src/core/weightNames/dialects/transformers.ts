/**
 * Names of transformers itself: older ones that it renames on load, fused experts, and its models in FLAX, whose leaves are called `kernel`,
 * `scale` and `embedding`.
 */
import { partsOnLoad } from '../renamedOnLoad.js';
import { splitName } from '../splitName.js';
import type { WeightPlace } from '../weightPlace.js';

/** Beginnings of names of models, each with the module below which they are with a head. */
const outermost: readonly (readonly [prefix: string, withHead: string])[] = [
  ['model.', 'model.'],
  ['transformer.', 'transformer.'],
  ['gpt_neox.', 'gpt_neox.'],
  ['backbone.', 'backbone.'],
  ['bert.', 'bert.'],
  ['roberta.', 'roberta.'],
  ['lm_head.', 'lm_head.'],
  ['embed_out.', 'embed_out.'],
  ['language_model.', 'language_model.'],
  ['vision_tower.', 'vision_tower.'],
  ['visual.', 'visual.'],
  ['layers.N.self_attn.', 'model.layers.N.self_attn.'],
  ['layers.N.mlp.', 'model.layers.N.mlp.'],
  ['layers.N.input_layernorm.', 'model.layers.N.input_layernorm.'],
  ['layers.N.post_attention_layernorm.', 'model.layers.N.post_attention_layernorm.'],
  ['embed_tokens.', 'model.embed_tokens.'],
  ['h.N.attn.', 'transformer.h.N.attn.'],
  ['h.N.mlp.', 'transformer.h.N.mlp.'],
  ['h.N.ln_1.', 'transformer.h.N.ln_1.'],
  ['h.N.ln_2.', 'transformer.h.N.ln_2.'],
  ['wte.', 'transformer.wte.'],
  ['wpe.', 'transformer.wpe.'],
  ['ln_f.', 'transformer.ln_f.'],
  ['encoder.layer.N.', 'encoder.layer.N.'],
  ['encoder.block.N.', 'encoder.block.N.'],
  ['decoder.block.N.', 'decoder.block.N.'],
];

/** Whether a name begins as those of a model of transformers do. */
export function isNameOfTransformers(name: string): boolean {
  return outermost.some(([prefix]) => name.startsWith(prefix));
}

const leavesOfFlax: Readonly<Record<string, string>> = { kernel: 'weight', scale: 'weight', embedding: 'weight' };

/** Linear layers of [in, out] (transformers/pytorch_utils.py, Conv1D), which FLAX has as [out, in] in turn. */
const conv1d = /^transformer\.h\.N\.(?:attn|crossattention|mlp)\.(?:c_attn|q_attn|c_fc|c_proj)\.(?:weight|kernel)$/;

/** Types whose modules of these names are usual linear layers. */
const typesOfLinear: ReadonlySet<string> = new Set(['gpt_bigcode', 'nanochat', 'exaone']);

/** Types that store experts as [experts, in, out]: transformers/models/{gpt_oss,llama4,qwen3_vl_moe,aria}/modeling_*.py. */
const typesOfTransposedExperts: ReadonlySet<string> = new Set([
  'gpt_oss',
  'llama4',
  'llama4_text',
  'qwen3_vl_moe',
  'qwen3_vl_moe_text',
  'aria',
  'aria_text',
]);

/** Fused experts, with the matrices of each. */
const fusedExperts: readonly (readonly [end: string, matrices: readonly string[]])[] = [
  ['.experts.gate_up_proj', ['gate_proj.weight', 'up_proj.weight']],
  ['.experts.gate_up_proj_bias', ['gate_proj.bias', 'up_proj.bias']],
  ['.experts.up_proj', ['up_proj.weight']],
  ['.experts.down_proj', ['down_proj.weight']],
  ['.experts.down_proj_bias', ['down_proj.bias']],
];

/** The place of a tensor whose name, without wrappers, is one of transformers: that name itself where nothing else is known of it. */
export function placeInTransformers(name: string, dialect: 'transformers' | 'flax', modelType: string | undefined): WeightPlace {
  const own = withOutermost(name);
  const { module, leaf } = splitName(own);
  const flaxLeaf = dialect === 'flax' && Object.hasOwn(leavesOfFlax, leaf) ? leavesOfFlax[leaf] : undefined;
  const [first = own, ...others] = partsOnLoad(flaxLeaf === undefined ? own : `${module}.${flaxLeaf}`, modelType);
  const expert = fusedExperts.find(([end]) => first.endsWith(end));
  if (expert !== undefined) return placeOfExperts(first, expert, modelType);
  const isConv1d = conv1d.test(own) && !(modelType !== undefined && typesOfLinear.has(modelType));
  const isTransposed = dialect === 'flax' ? leaf === 'kernel' && !isConv1d : isConv1d;
  return { names: [first, ...others], ...(isTransposed && { isTransposed }) };
}

function placeOfExperts(
  name: string,
  [end, matrices]: readonly [string, readonly string[]],
  modelType: string | undefined,
): WeightPlace {
  const experts = name.slice(0, name.length - end.length);
  const isTransposed = modelType !== undefined && typesOfTransposedExperts.has(modelType) && !end.endsWith('_bias');
  return {
    names: matrices.map((matrix) => `${experts}.experts.N.${matrix}`),
    isStackedExperts: true,
    ...(isTransposed && { isTransposed }),
    ...(modelType === 'gpt_oss' && matrices.length > 1 && { isInterleaved: true }),
  };
}

/** The name that a model with a head has for what is a base model's. */
function withOutermost(name: string): string {
  // The last norm of a base model is no module that others would not have.
  if (name === 'norm.weight' || name === 'norm.scale') return `model.${name}`;
  const found = outermost.find(([prefix]) => name.startsWith(prefix));
  return found === undefined ? name : `${found[1]}${name.slice(found[0].length)}`;
}
