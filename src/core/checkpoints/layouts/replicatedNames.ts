/**
 * Which parameters all tensor-parallel ranks hold whole, by their names. Column-parallel layers split their outputs, with the bias;
 * row-parallel layers split their inputs, and their bias is whole (megatron/core/tensor_parallel/layers.py; fairscale's and Meta's
 * layers do the same). Norms, learned positions and routers are plain modules on each rank.
 */

/** Row-parallel layers in the words of Megatron (`linear_*`, `dense*`), of its core and of transformers. */
const rowParallel = new Set(['linear_proj', 'linear_fc2', 'dense', 'dense_4h_to_h', 'o_proj', 'down_proj', 'out_proj']);

/** Modules that are not split: positions, token types, routers. */
const wholeModules = new Set(['position_embeddings', 'tokentype_embeddings', 'router', 'rope']);

/** Parameters of fused or shared modules that are whole: a norm before a column-parallel layer, the gate of shared experts. */
const wholeParameters = new Set(['layer_norm_weight', 'layer_norm_bias', 'gate_weight']);

/** Outputs of modules that some versions of a framework split, and others do not: the shape tells which. */
export type WholeOutputs = ReadonlyMap<string, number>;

const none: WholeOutputs = new Map();

/**
 * True for a name of which each tensor-parallel rank has the whole parameter. An unknown name is not one: its parts count each.
 * @param shape of one rank's tensor; needed where `outputs` lists the module
 */
export function isReplicatedByName(name: string, shape: readonly number[] = [], outputs = none): boolean {
  const [parameter = '', module = '', parent = ''] = name.split('.').reverse();
  if (wholeParameters.has(parameter) || wholeModules.has(module)) return true;
  if (isNorm(module)) return !isSplitNorm(module, parent);
  if (rowParallel.has(module) && parameter === 'bias') return true;
  if (module === 'dense' && (parent === 'pooler' || parent === 'lm_head')) return true;
  const rows = outputs.get(module);
  return rows !== undefined && shape[0] === rows;
}

function isNorm(module: string): boolean {
  return /norm/i.test(module) || /^ln(_\w+)?$/.test(module);
}

/** The gated norm of a Mamba mixer runs over the channels of its rank (megatron/core/ssm/mamba_mixer.py). */
function isSplitNorm(module: string, parent: string): boolean {
  return module === 'norm' && parent === 'mixer';
}
