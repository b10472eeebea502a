/** Attention to content and to distance apart (transformers/models/{deberta,deberta_v2}/modeling_*.py). */
import type { Fields } from '../../fields.js';
import type { Architecture } from '../architecture.js';
import { readSizes } from '../configSizes.js';
import { addLayers, attentionNames, bertLayer } from '../encoderLayer.js';
import { addClassifier, addTiedDecoder, headOf, labelCount } from '../modelHead.js';
import { ModelTensors } from '../tensorGroup.js';

const encoder = 'encoder.layer.N.attention.self';

interface DebertaSizes {
  vocabulary: number;
  hidden: number;
  /** Of the embeddings. */
  embedding: number;
  layers: number;
  width: number;
  heads: number;
  positions: number;
  tokenTypes: number;
}

function sizesOf(config: Fields): DebertaSizes | null {
  const sizes = readSizes(config, [
    'vocab_size',
    'hidden_size',
    'num_hidden_layers',
    'intermediate_size',
    'num_attention_heads',
    'max_position_embeddings',
    'type_vocab_size',
  ]);
  if (sizes === null) return null;
  return {
    vocabulary: sizes.vocab_size,
    hidden: sizes.hidden_size,
    embedding: config.integer('embedding_size') ?? sizes.hidden_size,
    layers: sizes.num_hidden_layers,
    width: sizes.intermediate_size,
    heads: sizes.num_attention_heads,
    positions: sizes.max_position_embeddings,
    tokenTypes: sizes.type_vocab_size,
  };
}

/** Kinds of distances that are attended to: a list, or `p2c|c2p`. */
function positionKinds(config: Fields): string[] {
  return (config.texts('pos_att_type') ?? []).flatMap((kinds) => kinds.toLowerCase().split('|')).map((kind) => kind.trim());
}

/** Half of the distances that have an embedding. */
function distances(config: Fields, positions: number): number {
  const maximum = config.signedInteger('max_relative_positions') ?? -1;
  return maximum < 1 ? positions : maximum;
}

function addEmbeddings(model: ModelTensors, prefix: string, config: Fields, sizes: DebertaSizes): void {
  const isBiased = config.flag('position_biased_input') ?? true;
  model
    .embedding(`${prefix}embeddings.word_embeddings`, sizes.vocabulary, sizes.embedding)
    .embedding(`${prefix}embeddings.position_embeddings`, isBiased ? sizes.positions : 0, sizes.embedding)
    .embedding(`${prefix}embeddings.token_type_embeddings`, sizes.tokenTypes, sizes.embedding);
  if (sizes.embedding !== sizes.hidden) model.linear(`${prefix}embeddings.embed_proj`, sizes.embedding, sizes.hidden);
  model.norm(`${prefix}embeddings.LayerNorm`, sizes.hidden, { bias: true });
}

function addHead(model: ModelTensors, head: string, config: Fields, sizes: DebertaSizes): boolean {
  const { vocabulary, hidden, embedding } = sizes;
  if (head === 'MaskedLM') {
    // The head of new checkpoints takes the embeddings themselves.
    const isLegacy = config.flag('legacy') ?? true;
    const module = isLegacy ? 'cls.predictions.transform' : 'lm_predictions.lm_head';
    const width = isLegacy ? embedding : hidden;
    model.linear(`${module}.dense`, hidden, width, { bias: true }).norm(`${module}.LayerNorm`, width, { bias: true });
    const isTied = config.flag('tie_word_embeddings') ?? true;
    if (isLegacy)
      addTiedDecoder(model, vocabulary, width, { decoder: 'cls.predictions.decoder', bias: 'cls.predictions.bias', isTied });
    else model.parameter(`${module}.bias`, [vocabulary], { kind: 'bias' });
  } else if (head === 'SequenceClassification' || head === 'MultipleChoice') {
    const pooled = config.integer('pooler_hidden_size') ?? hidden;
    model.linear('pooler.dense', pooled, pooled, { bias: true });
    addClassifier(model, head === 'MultipleChoice' ? 1 : labelCount(config), hidden);
  } else if (head === 'TokenClassification') addClassifier(model, labelCount(config), hidden);
  else if (head === 'QuestionAnswering') addClassifier(model, labelCount(config), hidden, 'qa_outputs');
  else return head === 'Model';
  return true;
}

const deberta: Architecture = {
  modelTypes: ['deberta'],
  name: 'DeBERTa',
  tensors(given) {
    const defaults = {
      vocab_size: 50_265,
      hidden_size: 768,
      num_hidden_layers: 12,
      num_attention_heads: 12,
      intermediate_size: 3072,
      max_position_embeddings: 512,
      type_vocab_size: 0,
    };
    const config = given.withDefaults(defaults);
    const sizes = sizesOf(config);
    if (sizes === null) return null;
    const { hidden, layers: copies, heads, width } = sizes;
    const head = headOf(config, 'MaskedLM');
    const prefix = head === 'Model' ? '' : 'deberta.';
    const model = new ModelTensors();
    addEmbeddings(model, prefix, config, sizes);
    model
      .parameter(`${prefix}${encoder}.q_bias`, [hidden], { copies, kind: 'bias' })
      .parameter(`${prefix}${encoder}.v_bias`, [hidden], { copies, kind: 'bias' })
      .linear(`${prefix}${encoder}.in_proj`, hidden, 3 * hidden, { copies });
    if (config.flag('talking_head') === true)
      for (const part of ['head_logits_proj', 'head_weights_proj'])
        model.linear(`${prefix}${encoder}.${part}`, heads, heads, { copies });
    if (config.flag('relative_attention') === true) {
      const kinds = positionKinds(config);
      if (kinds.includes('c2p')) model.linear(`${prefix}${encoder}.pos_proj`, hidden, hidden, { copies });
      if (kinds.includes('p2c')) model.linear(`${prefix}${encoder}.pos_q_proj`, hidden, hidden, { copies, bias: true });
      model.embedding(`${prefix}encoder.rel_embeddings`, 2 * distances(config, sizes.positions), hidden);
    }
    model.linear(`${prefix}encoder.layer.N.attention.output.dense`, hidden, hidden, { copies, bias: true });
    for (const norm of bertLayer.norms) model.norm(`${prefix}encoder.layer.N.${norm}`, hidden, { copies, bias: true });
    model
      .linear(`${prefix}encoder.layer.N.intermediate.dense`, hidden, width, { copies, bias: true })
      .linear(`${prefix}encoder.layer.N.output.dense`, width, hidden, { copies, bias: true });
    return addHead(model, head, config, sizes) ? model : null;
  },
};

const debertaV2: Architecture = {
  modelTypes: ['deberta-v2'],
  name: 'DeBERTa v2, v3',
  tensors(given) {
    const defaults = {
      vocab_size: 128_100,
      hidden_size: 1536,
      num_hidden_layers: 24,
      num_attention_heads: 24,
      intermediate_size: 6144,
      max_position_embeddings: 512,
      type_vocab_size: 0,
    };
    const config = given.withDefaults(defaults);
    const sizes = sizesOf(config);
    if (sizes === null) return null;
    const { hidden, layers: copies, heads, width } = sizes;
    const headSize = config.integer('attention_head_size') ?? Math.floor(hidden / Math.max(heads, 1));
    const inner = heads * headSize;
    const head = headOf(config, 'MaskedLM');
    const prefix = head === 'Model' ? '' : 'deberta.';
    const model = new ModelTensors();
    addEmbeddings(model, prefix, config, sizes);
    const [query, key, value] = attentionNames('attention.self', 'query_proj key_proj value_proj');
    const names = { ...bertLayer, attention: [query, key, value, 'attention.output.dense'] as const };
    // What comes out is as wide as the hidden states, so heads of another size could not be.
    addLayers(model, `${prefix}encoder.layer.N`, names, { copies, hidden, inner, width });
    if (inner !== hidden) return null;
    if (config.flag('relative_attention') === true) addDistances(model, prefix, config, sizes);
    // Made without distances too, for which it is.
    if (
      (config.text('norm_rel_ebd') ?? '')
        .toLowerCase()
        .split('|')
        .some((norm) => norm.trim() === 'layer_norm')
    )
      model.norm(`${prefix}encoder.LayerNorm`, hidden, { bias: true });
    const kernel = config.integer('conv_kernel_size') ?? 0;
    if (kernel > 0) {
      const groups = Math.max(config.integer('conv_groups') ?? 1, 1);
      model.convolution(`${prefix}encoder.conv.conv`, [hidden, Math.floor(hidden / groups), kernel], { bias: true });
      model.norm(`${prefix}encoder.conv.LayerNorm`, hidden, { bias: true });
    }
    return addHead(model, head, config, sizes) ? model : null;
  },
};

function addDistances(
  model: ModelTensors,
  prefix: string,
  config: Fields,
  { hidden, layers: copies, positions }: DebertaSizes,
): void {
  if (config.flag('share_att_key') !== true) {
    const kinds = positionKinds(config);
    if (kinds.includes('c2p')) model.linear(`${prefix}${encoder}.pos_key_proj`, hidden, hidden, { copies, bias: true });
    if (kinds.includes('p2c')) model.linear(`${prefix}${encoder}.pos_query_proj`, hidden, hidden, { copies, bias: true });
  }
  const buckets = config.signedInteger('position_buckets') ?? -1;
  model.embedding(`${prefix}encoder.rel_embeddings`, 2 * (buckets > 0 ? buckets : distances(config, positions)), hidden);
}

export const debertaFamilies: readonly Architecture[] = [deberta, debertaV2];
