/** Wav2Vec2-BERT: attention between two feed-forward parts, and a convolution (transformers/models/wav2vec2_bert/modeling_wav2vec2_bert.py). */
import type { Fields } from '../../fields.js';
import type { Architecture } from '../architecture.js';
import { readSizes } from '../configSizes.js';
import { addClassifier, headOf, labelCount } from '../modelHead.js';
import { ModelTensors } from '../tensorGroup.js';

const defaults = {
  hidden_size: 1024,
  num_hidden_layers: 24,
  num_attention_heads: 16,
  intermediate_size: 4096,
  feature_projection_input_dim: 160,
  left_max_position_embeddings: 64,
  right_max_position_embeddings: 8,
  conv_depthwise_kernel_size: 31,
  adapter_kernel_size: 3,
  num_adapter_layers: 1,
  classifier_proj_size: 768,
};
const keys = [
  ...(['hidden_size', 'num_hidden_layers', 'num_attention_heads', 'intermediate_size', 'feature_projection_input_dim'] as const),
  ...(['left_max_position_embeddings', 'right_max_position_embeddings', 'conv_depthwise_kernel_size'] as const),
  ...(['adapter_kernel_size', 'num_adapter_layers', 'classifier_proj_size'] as const),
] as const;

type Sizes = Readonly<Record<(typeof keys)[number], number>>;

function addAttention(model: ModelTensors, prefix: string, hidden: number, copies: number): void {
  for (const part of ['linear_q', 'linear_k', 'linear_v', 'linear_out'])
    model.linear(`${prefix}.${part}`, hidden, hidden, { copies, bias: true });
}

function addPositions(model: ModelTensors, prefix: string, config: Fields, sizes: Sizes): void {
  const { hidden_size: hidden, num_hidden_layers: copies, num_attention_heads: heads } = sizes;
  const headSize = Math.floor(hidden / Math.max(heads, 1));
  const kind = config.has('position_embeddings_type') ? config.text('position_embeddings_type') : 'relative_key';
  if (kind === 'relative')
    model
      .linear(`${prefix}.linear_pos`, hidden, hidden, { copies })
      .parameter(`${prefix}.pos_bias_u`, [heads, headSize], { copies })
      .parameter(`${prefix}.pos_bias_v`, [heads, headSize], { copies });
  if (kind === 'relative_key') {
    const distances = sizes.left_max_position_embeddings + sizes.right_max_position_embeddings + 1;
    model.embedding(`${prefix}.distance_embedding`, distances, headSize, { copies });
  }
}

function addFeedForward(model: ModelTensors, prefix: string, hidden: number, width: number, copies: number): void {
  model
    .linear(`${prefix}.intermediate_dense`, hidden, width, { copies, bias: true })
    .linear(`${prefix}.output_dense`, width, hidden, { copies, bias: true });
}

function addConformer(model: ModelTensors, prefix: string, config: Fields, sizes: Sizes): void {
  const { hidden_size: hidden, num_hidden_layers: copies, intermediate_size: width } = sizes;
  for (const part of ['ffn1', 'ffn2']) addFeedForward(model, `${prefix}.${part}`, hidden, width, copies);
  addAttention(model, `${prefix}.self_attn`, hidden, copies);
  addPositions(model, `${prefix}.self_attn`, config, sizes);
  model
    .convolution(`${prefix}.conv_module.pointwise_conv1`, [2 * hidden, hidden, 1], { copies })
    .convolution(`${prefix}.conv_module.depthwise_conv`, [hidden, 1, sizes.conv_depthwise_kernel_size], { copies })
    .convolution(`${prefix}.conv_module.pointwise_conv2`, [hidden, hidden, 1], { copies });
  for (const norm of ['conv_module.layer_norm', 'conv_module.depthwise_layer_norm', 'ffn1_layer_norm', 'self_attn_layer_norm'])
    model.norm(`${prefix}.${norm}`, hidden, { copies, bias: true });
  for (const norm of ['ffn2_layer_norm', 'final_layer_norm']) model.norm(`${prefix}.${norm}`, hidden, { copies, bias: true });
}

/** Layers that make the sequence shorter. Answers the size of what they give. */
function addAdapter(model: ModelTensors, prefix: string, config: Fields, sizes: Sizes): number {
  const { hidden_size: hidden, num_adapter_layers: copies, adapter_kernel_size: kernel } = sizes;
  const output = config.integer('output_hidden_size') ?? hidden;
  if (output !== hidden)
    model.linear(`${prefix}proj`, hidden, output, { bias: true }).norm(`${prefix}proj_layer_norm`, output, { bias: true });
  const layer = `${prefix}layers.N`;
  for (const part of ['residual', 'self_attn'])
    model
      .norm(`${layer}.${part}_layer_norm`, output, { copies, bias: true })
      .convolution(`${layer}.${part}_conv`, [2 * output, output, kernel], { copies, bias: true });
  addAttention(model, `${layer}.self_attn`, output, copies);
  model.norm(`${layer}.ffn_layer_norm`, output, { copies, bias: true });
  addFeedForward(model, `${layer}.ffn`, output, sizes.intermediate_size, copies);
  return output;
}

/** False for a head that is not known, or lacks a size. */
function addHead(model: ModelTensors, head: string, config: Fields, sizes: Sizes, states: number): boolean {
  const isWeighted = config.flag('use_weighted_layer_sum') === true && head !== 'CTC' && head !== 'Model';
  if (isWeighted) model.parameter('layer_weights', [sizes.num_hidden_layers + 1]);
  switch (head) {
    case 'Model':
      return true;
    case 'CTC': {
      const vocabulary = config.integer('vocab_size');
      if (vocabulary === undefined) return false;
      model.head('lm_head', vocabulary, states, { bias: true });
      return true;
    }
    case 'SequenceClassification':
      model.linear('projector', sizes.hidden_size, sizes.classifier_proj_size, { bias: true });
      addClassifier(model, labelCount(config), sizes.classifier_proj_size);
      return true;
    case 'AudioFrameClassification':
      addClassifier(model, labelCount(config), sizes.hidden_size);
      return true;
    default:
      return false;
  }
}

export const speechConformerFamily: Architecture = {
  modelTypes: ['wav2vec2-bert'],
  name: 'Wav2Vec2-BERT',
  tensors(given) {
    const config = given.withDefaults(defaults);
    const sizes = readSizes(config, keys);
    if (sizes === null) return null;
    const { hidden_size: hidden, feature_projection_input_dim: features } = sizes;
    const head = headOf(config, 'CTC');
    const prefix = head === 'Model' ? '' : 'wav2vec2_bert.';
    const model = new ModelTensors();
    model
      .norm(`${prefix}feature_projection.layer_norm`, features, { bias: true })
      .linear(`${prefix}feature_projection.projection`, features, hidden, { bias: true });
    if ((config.number('mask_time_prob') ?? 0.05) > 0 || (config.number('mask_feature_prob') ?? 0) > 0)
      model.parameter(`${prefix}masked_spec_embed`, [hidden]);
    addConformer(model, `${prefix}encoder.layers.N`, config, sizes);
    const states = config.flag('add_adapter') === true ? addAdapter(model, `${prefix}adapter.`, config, sizes) : hidden;
    if (config.flag('use_intermediate_ffn_before_adapter') === true)
      addFeedForward(model, `${prefix}intermediate_ffn`, hidden, sizes.intermediate_size, 1);
    return addHead(model, head, config, sizes, states) ? model : null;
  },
};
