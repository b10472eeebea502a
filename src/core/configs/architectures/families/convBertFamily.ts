/** ConvBERT: attention in half of the space, convolutions by weights of each word in the other (transformers/models/convbert/modeling_convbert.py). */
import type { Fields } from '../../fields.js';
import type { Architecture } from '../architecture.js';
import { readSizes } from '../configSizes.js';
import { addClassifier, addDenseClassifier, headOf, labelCount } from '../modelHead.js';
import { ModelTensors } from '../tensorGroup.js';

const defaults = {
  vocab_size: 30_522,
  hidden_size: 768,
  embedding_size: 768,
  num_hidden_layers: 12,
  num_attention_heads: 12,
  intermediate_size: 3072,
  max_position_embeddings: 512,
  type_vocab_size: 2,
  head_ratio: 2,
  conv_kernel_size: 9,
  num_groups: 1,
};
const keys = [
  ...(['vocab_size', 'hidden_size', 'embedding_size', 'num_hidden_layers', 'num_attention_heads', 'intermediate_size'] as const),
  ...(['max_position_embeddings', 'type_vocab_size', 'head_ratio', 'conv_kernel_size', 'num_groups'] as const),
] as const;

type Sizes = Readonly<Record<(typeof keys)[number], number>>;

function addAttention(model: ModelTensors, prefix: string, sizes: Sizes): void {
  const { hidden_size: hidden, num_hidden_layers: copies, conv_kernel_size: kernel } = sizes;
  const heads = Math.max(Math.floor(sizes.num_attention_heads / Math.max(sizes.head_ratio, 1)), 1);
  const inner = heads * Math.floor(Math.floor(hidden / heads) / 2);
  const options = { copies, bias: true };
  const own = `${prefix}.self`;
  for (const part of ['query', 'key', 'value', 'conv_out_layer']) model.linear(`${own}.${part}`, hidden, inner, options);
  model
    .linear(`${own}.conv_kernel_layer`, inner, heads * kernel, options)
    .convolution(`${own}.key_conv_attn_layer.depthwise`, [hidden, 1, kernel], { copies })
    .convolution(`${own}.key_conv_attn_layer.pointwise`, [inner, hidden, 1], { copies })
    .parameter(`${own}.key_conv_attn_layer.bias`, [inner, 1], { copies, kind: 'bias' })
    .linear(`${prefix}.output.dense`, hidden, hidden, options)
    .norm(`${prefix}.output.LayerNorm`, hidden, options);
}

/** Groups of a layer take and give a part of the states each. */
function addGrouped(
  model: ModelTensors,
  name: string,
  inputs: number,
  outputs: number,
  { num_groups, num_hidden_layers }: Sizes,
): void {
  const copies = num_hidden_layers;
  if (num_groups === 1) {
    model.linear(name, inputs, outputs, { copies, bias: true });
    return;
  }
  model
    .parameter(`${name}.weight`, [num_groups, Math.floor(inputs / num_groups), Math.floor(outputs / num_groups)], { copies })
    .parameter(`${name}.bias`, [outputs], { copies, kind: 'bias' });
}

/** False for a head that is not known. */
function addHead(model: ModelTensors, head: string, config: Fields, sizes: Sizes): boolean {
  const { hidden_size: hidden, embedding_size: embedding, vocab_size: vocabulary } = sizes;
  switch (head) {
    case 'Model':
      return true;
    case 'MaskedLM':
      model
        .norm('generator_predictions.LayerNorm', embedding, { bias: true })
        .linear('generator_predictions.dense', hidden, embedding, { bias: true })
        .head('generator_lm_head', vocabulary, embedding, { isTied: config.flag('tie_word_embeddings') ?? true, bias: true });
      return true;
    case 'SequenceClassification':
      addDenseClassifier(model, labelCount(config), hidden);
      return true;
    case 'TokenClassification':
      addClassifier(model, labelCount(config), hidden);
      return true;
    case 'QuestionAnswering':
      addClassifier(model, labelCount(config), hidden, 'qa_outputs');
      return true;
    case 'MultipleChoice':
      if (config.flag('summary_use_proj') === true) return false;
      addClassifier(model, 1, hidden);
      return true;
    default:
      return false;
  }
}

export const convBertFamily: Architecture = {
  modelTypes: ['convbert'],
  name: 'ConvBERT',
  tensors(given) {
    const config = given.withDefaults(defaults);
    const sizes = readSizes(config, keys);
    if (sizes === null || !(sizes.num_groups > 0)) return null;
    const { hidden_size: hidden, embedding_size: embedding, num_hidden_layers: copies, intermediate_size: width } = sizes;
    const head = headOf(config, 'MaskedLM');
    const prefix = head === 'Model' ? '' : 'convbert.';
    const model = new ModelTensors();
    model
      .embedding(`${prefix}embeddings.word_embeddings`, sizes.vocab_size, embedding)
      .embedding(`${prefix}embeddings.position_embeddings`, sizes.max_position_embeddings, embedding)
      .embedding(`${prefix}embeddings.token_type_embeddings`, sizes.type_vocab_size, embedding)
      .norm(`${prefix}embeddings.LayerNorm`, embedding, { bias: true });
    if (embedding !== hidden) model.linear(`${prefix}embeddings_project`, embedding, hidden, { bias: true });
    const layer = `${prefix}encoder.layer.N`;
    addAttention(model, `${layer}.attention`, sizes);
    addGrouped(model, `${layer}.intermediate.dense`, hidden, width, sizes);
    addGrouped(model, `${layer}.output.dense`, width, hidden, sizes);
    model.norm(`${layer}.output.LayerNorm`, hidden, { copies, bias: true });
    return addHead(model, head, config, sizes) ? model : null;
  },
};
