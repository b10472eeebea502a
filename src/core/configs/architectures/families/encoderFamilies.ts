import type { Fields } from '../../fields.js';
import type { Architecture } from '../architecture.js';
import { readSizes } from '../configSizes.js';
import { convBertFamily } from './convBertFamily.js';
import { debertaFamilies } from './debertaFamilies.js';
import { encoderDecoderFamilies } from './encoderDecoderFamilies.js';
import { addLayers, attentionNames, bertLayer, type LayerNames } from '../encoderLayer.js';
import { addClassifier, addDenseClassifier, addMaskedHead, addTiedDecoder, headOf, labelCount } from '../modelHead.js';
import { rotaryEncoderFamilies } from './rotaryEncoderFamilies.js';
import { ModelTensors } from '../tensorGroup.js';
import { t5GemmaFamily } from './t5GemmaFamily.js';

const commonSizes = [
  'vocab_size',
  'hidden_size',
  'num_hidden_layers',
  'intermediate_size',
  'max_position_embeddings',
  'type_vocab_size',
] as const;

const commonDefaults = {
  vocab_size: 30_522,
  hidden_size: 768,
  num_hidden_layers: 12,
  num_attention_heads: 12,
  intermediate_size: 3072,
  max_position_embeddings: 512,
  type_vocab_size: 2,
};

/** How a family differs from BERT. */
interface BertKin {
  modelTypes: readonly string[];
  name: string;
  /** Attribute that the layers live under in models with a head. */
  base: string;
  defaults: Readonly<Record<string, number>>;
  layer: LayerNames;
  hasEmbeddingNorm: boolean;
  /** After the last layer. */
  finalNorm: string | null;
  /** Heads with a dense layer between the states and the answer. */
  pooled: readonly string[];
  pooler?: string;
  /** A head that is this family's own, and not described here. */
  otherHead?: string;
  /** How words are predicted, and how texts are classified. */
  masked: 'transform' | 'lm_head';
  classifier: 'single' | 'dense';
  /** Whether queries, keys and values have biases; true without it. */
  queryBias?: (config: Fields) => boolean;
  /** What else a config asks for. */
  extras?: (model: ModelTensors, prefix: string, config: Fields, sizes: { hidden: number; layers: number }) => void;
}

/** Of classes that keep the pooler whatever they are for. */
const allHeads = [
  'Model',
  'MaskedLM',
  'CausalLM',
  'PreTraining',
  'NextSentencePrediction',
  'SequenceClassification',
  'TokenClassification',
  'QuestionAnswering',
  'MultipleChoice',
];

const bert: BertKin = {
  modelTypes: ['bert'],
  name: 'BERT',
  base: 'bert',
  defaults: commonDefaults,
  layer: bertLayer,
  hasEmbeddingNorm: true,
  finalNorm: null,
  pooled: ['Model', 'SequenceClassification', 'MultipleChoice', 'NextSentencePrediction', 'PreTraining'],
  masked: 'transform',
  classifier: 'single',
};

const roberta: BertKin = {
  ...bert,
  modelTypes: ['roberta'],
  name: 'RoBERTa',
  base: 'roberta',
  defaults: { ...commonDefaults, vocab_size: 50_265 },
  pooled: ['Model', 'MultipleChoice'],
  masked: 'lm_head',
  classifier: 'dense',
};

/** transformers/models/{bert,roberta,xlm_roberta,camembert,longformer,ernie,data2vec,…}/modeling_*.py */
const bertKin: readonly BertKin[] = [
  bert,
  {
    ...bert,
    modelTypes: ['ernie'],
    name: 'ERNIE',
    base: 'ernie',
    extras(model, prefix, config, { hidden }) {
      if (config.flag('use_task_id') === true)
        model.embedding(`${prefix}embeddings.task_type_embeddings`, config.integer('task_type_vocab_size') ?? 3, hidden);
    },
  },
  {
    ...bert,
    modelTypes: ['big_bird'],
    name: 'BigBird',
    defaults: { ...commonDefaults, vocab_size: 50_358, max_position_embeddings: 4096 },
    pooled: allHeads,
    pooler: 'pooler',
    otherHead: 'QuestionAnswering',
    classifier: 'dense',
    queryBias: (config) => config.flag('use_bias') ?? true,
  },
  {
    ...bert,
    modelTypes: ['layoutlm'],
    name: 'LayoutLM',
    base: 'layoutlm',
    pooled: allHeads,
    extras(model, prefix, config, { hidden }) {
      // Where a word is on its page: left and top, height and width.
      for (const side of ['x', 'y', 'h', 'w'])
        model.embedding(
          `${prefix}embeddings.${side}_position_embeddings`,
          config.integer('max_2d_position_embeddings') ?? 1024,
          hidden,
        );
    },
  },
  roberta,
  { ...roberta, modelTypes: ['data2vec-text'], name: 'data2vec, text', base: 'data2vec_text', defaults: commonDefaults },
  { ...roberta, modelTypes: ['xlm-roberta', 'camembert'], defaults: commonDefaults },
  {
    ...roberta,
    modelTypes: ['longformer'],
    name: 'Longformer',
    base: 'longformer',
    defaults: commonDefaults,
    extras(model, prefix, _, { hidden, layers: copies }) {
      for (const part of ['query_global', 'key_global', 'value_global'])
        model.linear(`${prefix}encoder.layer.N.attention.self.${part}`, hidden, hidden, { copies, bias: true });
    },
  },
  {
    ...roberta,
    modelTypes: ['xlm-roberta-xl'],
    name: 'XLM-RoBERTa XL',
    defaults: {
      ...commonDefaults,
      vocab_size: 250_880,
      hidden_size: 2560,
      num_hidden_layers: 36,
      intermediate_size: 10_240,
      max_position_embeddings: 514,
      type_vocab_size: 1,
    },
    layer: { ...bertLayer, norms: ['attention.self_attn_layer_norm', 'LayerNorm'] },
    hasEmbeddingNorm: false,
    finalNorm: 'encoder.LayerNorm',
  },
  {
    ...roberta,
    modelTypes: ['roberta-prelayernorm'],
    name: 'RoBERTa, norms first',
    base: 'roberta_prelayernorm',
    layer: { ...bertLayer, norms: ['attention.LayerNorm', 'intermediate.LayerNorm'] },
    finalNorm: 'LayerNorm',
  },
  {
    ...roberta,
    modelTypes: ['mpnet'],
    name: 'MPNet',
    base: 'mpnet',
    defaults: { ...commonDefaults, vocab_size: 30_527, type_vocab_size: 0, relative_attention_num_buckets: 32 },
    layer: {
      attention: attentionNames('attention.attn', 'q k v o'),
      feedForward: bertLayer.feedForward,
      norms: ['attention.LayerNorm', 'output.LayerNorm'],
    },
    extras(model, prefix, config) {
      const buckets = config.integer('relative_attention_num_buckets') ?? 0;
      model.embedding(`${prefix}encoder.relative_attention_bias`, buckets, config.integer('num_attention_heads') ?? 0);
    },
  },
];

function bertArchitecture(kin: BertKin): Architecture {
  return { modelTypes: kin.modelTypes, name: kin.name, tensors: (config) => bertTensors(kin, config) };
}

function bertTensors(kin: BertKin, given: Fields): ModelTensors | null {
  const config = given.withDefaults(kin.defaults);
  const sizes = readSizes(config, commonSizes);
  // MPNet has no types of tokens, whatever its config says.
  if (sizes === null || config.flag('add_cross_attention') === true) return null;
  const head = headOf(config, 'MaskedLM');
  if (head === kin.otherHead) return null;
  const prefix = head === 'Model' ? '' : `${kin.base}.`;
  const { hidden_size: hidden, num_hidden_layers: layers } = sizes;
  const model = new ModelTensors();
  model
    .embedding(`${prefix}embeddings.word_embeddings`, sizes.vocab_size, hidden)
    .embedding(`${prefix}embeddings.position_embeddings`, sizes.max_position_embeddings, hidden)
    .embedding(`${prefix}embeddings.token_type_embeddings`, kin.base === 'mpnet' ? 0 : sizes.type_vocab_size, hidden);
  if (kin.hasEmbeddingNorm) model.norm(`${prefix}embeddings.LayerNorm`, hidden, { bias: true });
  const queryBias = kin.queryBias?.(config) ?? true;
  addLayers(model, `${prefix}encoder.layer.N`, kin.layer, { copies: layers, hidden, width: sizes.intermediate_size, queryBias });
  if (kin.finalNorm !== null) model.norm(`${prefix}${kin.finalNorm}`, hidden, { bias: true });
  kin.extras?.(model, prefix, config, { hidden, layers });
  if (kin.pooled.includes(head)) model.linear(`${prefix}${kin.pooler ?? 'pooler.dense'}`, hidden, hidden, { bias: true });
  return addBertHead(model, kin, config, { head, vocabulary: sizes.vocab_size, hidden }) ? model : null;
}

/** False for a head that is not known. */
function addBertHead(
  model: ModelTensors,
  { masked, classifier }: BertKin,
  config: Fields,
  { head, vocabulary, hidden }: { head: string; vocabulary: number; hidden: number },
): boolean {
  const isTied = config.flag('tie_word_embeddings') ?? true;
  switch (head) {
    case 'Model':
      return true;
    case 'CausalLM':
    case 'MaskedLM':
    case 'PreTraining':
      if (masked === 'lm_head') addLmHead(model, vocabulary, hidden, isTied);
      else addMaskedHead(model, { vocabulary, hidden, isTied });
      if (head === 'PreTraining') addClassifier(model, 2, hidden, 'cls.seq_relationship');
      return true;
    case 'NextSentencePrediction':
      addClassifier(model, 2, hidden, 'cls.seq_relationship');
      return true;
    case 'SequenceClassification':
      if (classifier === 'dense') addDenseClassifier(model, labelCount(config), hidden);
      else addClassifier(model, labelCount(config), hidden);
      return true;
    case 'TokenClassification':
      addClassifier(model, labelCount(config), hidden);
      return true;
    case 'QuestionAnswering':
      addClassifier(model, labelCount(config), hidden, 'qa_outputs');
      return true;
    case 'MultipleChoice':
      addClassifier(model, 1, hidden);
      return true;
    default:
      return false;
  }
}

function addLmHead(model: ModelTensors, vocabulary: number, hidden: number, isTied: boolean): void {
  model.linear('lm_head.dense', hidden, hidden, { bias: true }).norm('lm_head.layer_norm', hidden, { bias: true });
  addTiedDecoder(model, vocabulary, hidden, { decoder: 'lm_head.decoder', bias: 'lm_head.bias', isTied });
}

/** transformers/models/distilbert/modeling_distilbert.py */
const distilbert: Architecture = {
  modelTypes: ['distilbert'],
  name: 'DistilBERT',
  tensors(given) {
    const defaults = { vocab_size: 30_522, max_position_embeddings: 512, n_layers: 6, dim: 768, hidden_dim: 3072 };
    const config = given.withDefaults(defaults);
    const sizes = readSizes(config, ['vocab_size', 'max_position_embeddings', 'n_layers', 'dim', 'hidden_dim']);
    if (sizes === null) return null;
    const { vocab_size: vocabulary, dim: hidden } = sizes;
    const head = headOf(config, 'MaskedLM');
    const prefix = head === 'Model' ? '' : 'distilbert.';
    const model = new ModelTensors();
    model
      .embedding(`${prefix}embeddings.word_embeddings`, vocabulary, hidden)
      .embedding(`${prefix}embeddings.position_embeddings`, sizes.max_position_embeddings, hidden)
      .norm(`${prefix}embeddings.LayerNorm`, hidden, { bias: true });
    const names: LayerNames = {
      attention: attentionNames('attention', 'q_lin k_lin v_lin out_lin'),
      feedForward: ['ffn.lin1', 'ffn.lin2'],
      norms: ['sa_layer_norm', 'output_layer_norm'],
    };
    const { n_layers: copies, hidden_dim: width } = sizes;
    addLayers(model, `${prefix}transformer.layer.N`, names, { copies, hidden, width });
    if (head === 'MaskedLM') {
      const isTied = config.flag('tie_word_embeddings') ?? true;
      model.linear('vocab_transform', hidden, hidden, { bias: true }).norm('vocab_layer_norm', hidden, { bias: true });
      model.head('vocab_projector', vocabulary, hidden, { isTied, bias: true });
    } else if (head === 'SequenceClassification' || head === 'MultipleChoice') {
      model.linear('pre_classifier', hidden, hidden, { bias: true });
      addClassifier(model, head === 'MultipleChoice' ? 1 : labelCount(config), hidden);
    } else if (head === 'TokenClassification') addClassifier(model, labelCount(config), hidden);
    else if (head === 'QuestionAnswering') addClassifier(model, labelCount(config), hidden, 'qa_outputs');
    else if (head !== 'Model') return null;
    return model;
  },
};

/** transformers/models/electra/modeling_electra.py */
const electra: Architecture = {
  modelTypes: ['electra'],
  name: 'ELECTRA',
  tensors(given) {
    const defaults = {
      ...commonDefaults,
      embedding_size: 128,
      hidden_size: 256,
      num_attention_heads: 4,
      intermediate_size: 1024,
    };
    const config = given.withDefaults(defaults);
    const sizes = readSizes(config, [...commonSizes, 'embedding_size']);
    if (sizes === null || config.flag('add_cross_attention') === true) return null;
    const { hidden_size: hidden, embedding_size: embedding } = sizes;
    const head = headOf(config, 'PreTraining');
    const prefix = head === 'Model' ? '' : 'electra.';
    const model = new ModelTensors();
    model
      .embedding(`${prefix}embeddings.word_embeddings`, sizes.vocab_size, embedding)
      .embedding(`${prefix}embeddings.position_embeddings`, sizes.max_position_embeddings, embedding)
      .embedding(`${prefix}embeddings.token_type_embeddings`, sizes.type_vocab_size, embedding)
      .norm(`${prefix}embeddings.LayerNorm`, embedding, { bias: true });
    if (embedding !== hidden) model.linear(`${prefix}embeddings_project`, embedding, hidden, { bias: true });
    const { num_hidden_layers: copies, intermediate_size: width } = sizes;
    // Heads that do not divide the states would leave some of them out.
    if (hidden % (config.integer('num_attention_heads') ?? 1) !== 0) return null;
    addLayers(model, `${prefix}encoder.layer.N`, bertLayer, { copies, hidden, width });
    return addElectraHead(model, head, config, { vocabulary: sizes.vocab_size, hidden, embedding }) ? model : null;
  },
};

function addElectraHead(
  model: ModelTensors,
  head: string,
  config: Fields,
  { vocabulary, hidden, embedding }: { vocabulary: number; hidden: number; embedding: number },
): boolean {
  const isTied = config.flag('tie_word_embeddings') ?? true;
  switch (head) {
    case 'Model':
      return true;
    case 'CausalLM':
    case 'MaskedLM':
      model.norm('generator_predictions.LayerNorm', embedding, { bias: true });
      model.linear('generator_predictions.dense', hidden, embedding, { bias: true });
      model.head('generator_lm_head', vocabulary, embedding, { isTied, bias: true });
      return true;
    case 'PreTraining':
      model.linear('discriminator_predictions.dense', hidden, hidden, { bias: true });
      addClassifier(model, 1, hidden, 'discriminator_predictions.dense_prediction');
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
      model.linear('sequence_summary.summary', hidden, hidden, { bias: true });
      addClassifier(model, 1, hidden);
      return true;
    default:
      return false;
  }
}

/** Layers that are passed again and again (transformers/models/albert/modeling_albert.py). */
const albert: Architecture = {
  modelTypes: ['albert'],
  name: 'ALBERT',
  tensors(given) {
    const defaults = {
      ...commonDefaults,
      vocab_size: 30_000,
      embedding_size: 128,
      hidden_size: 4096,
      intermediate_size: 16_384,
      num_hidden_groups: 1,
      inner_group_num: 1,
    };
    const config = given.withDefaults(defaults);
    const sizes = readSizes(config, [...commonSizes, 'embedding_size', 'num_hidden_groups', 'inner_group_num']);
    if (sizes === null) return null;
    const { vocab_size: vocabulary, hidden_size: hidden, embedding_size: embedding } = sizes;
    const head = headOf(config, 'MaskedLM');
    const prefix = head === 'Model' ? '' : 'albert.';
    const model = new ModelTensors();
    model
      .embedding(`${prefix}embeddings.word_embeddings`, vocabulary, embedding)
      .embedding(`${prefix}embeddings.position_embeddings`, sizes.max_position_embeddings, embedding)
      .embedding(`${prefix}embeddings.token_type_embeddings`, sizes.type_vocab_size, embedding)
      .norm(`${prefix}embeddings.LayerNorm`, embedding, { bias: true })
      .linear(`${prefix}encoder.embedding_hidden_mapping_in`, embedding, hidden, { bias: true });
    const names: LayerNames = {
      attention: attentionNames('attention', 'query key value dense'),
      feedForward: ['ffn', 'ffn_output'],
      norms: ['attention.LayerNorm', 'full_layer_layer_norm'],
    };
    const copies = sizes.num_hidden_groups * sizes.inner_group_num;
    const layer = `${prefix}encoder.albert_layer_groups.N.albert_layers.N`;
    addLayers(model, layer, names, { copies, hidden, width: sizes.intermediate_size });
    if (['Model', 'PreTraining', 'SequenceClassification', 'MultipleChoice'].includes(head))
      model.linear(`${prefix}pooler`, hidden, hidden, { bias: true });
    if (head === 'MaskedLM' || head === 'PreTraining') {
      const isTied = config.flag('tie_word_embeddings') ?? true;
      model
        .norm('predictions.LayerNorm', embedding, { bias: true })
        .linear('predictions.dense', hidden, embedding, { bias: true });
      addTiedDecoder(model, vocabulary, embedding, { decoder: 'predictions.decoder', bias: 'predictions.bias', isTied });
      if (head === 'PreTraining') addClassifier(model, labelCount(config), hidden, 'sop_classifier.classifier');
    } else if (head === 'SequenceClassification' || head === 'TokenClassification')
      addClassifier(model, labelCount(config), hidden);
    else if (head === 'QuestionAnswering') addClassifier(model, labelCount(config), hidden, 'qa_outputs');
    else if (head === 'MultipleChoice') addClassifier(model, 1, hidden);
    else if (head !== 'Model') return null;
    return model;
  },
};

/** Rotary positions, gates, one norm in front of each part but the first (transformers/models/modernbert/modeling_modernbert.py). */
const modernbert: Architecture = {
  modelTypes: ['modernbert'],
  name: 'ModernBERT',
  tensors(given) {
    const config = given.withDefaults({ vocab_size: 50_368, hidden_size: 768, intermediate_size: 1152, num_hidden_layers: 22 });
    const sizes = readSizes(config, ['vocab_size', 'hidden_size', 'intermediate_size', 'num_hidden_layers']);
    if (sizes === null) return null;
    const { vocab_size: vocabulary, hidden_size: hidden, intermediate_size: width, num_hidden_layers: copies } = sizes;
    const head = headOf(config, 'MaskedLM');
    const prefix = head === 'Model' ? '' : 'model.';
    const norm = { bias: config.flag('norm_bias') ?? false };
    const attention = { copies, bias: config.flag('attention_bias') ?? false };
    const feedForward = { copies, bias: config.flag('mlp_bias') ?? false };
    const model = new ModelTensors();
    model
      .embedding(`${prefix}embeddings.tok_embeddings`, vocabulary, hidden)
      .norm(`${prefix}embeddings.norm`, hidden, norm)
      .linear(`${prefix}layers.N.attn.Wqkv`, hidden, 3 * hidden, attention)
      .linear(`${prefix}layers.N.attn.Wo`, hidden, hidden, attention)
      .linear(`${prefix}layers.N.mlp.Wi`, hidden, 2 * width, feedForward)
      .linear(`${prefix}layers.N.mlp.Wo`, width, hidden, feedForward)
      .norm(`${prefix}layers.N.attn_norm`, hidden, { copies: copies - 1, ...norm })
      .norm(`${prefix}layers.N.mlp_norm`, hidden, { copies, ...norm })
      .norm(`${prefix}final_norm`, hidden, norm);
    if (head === 'Model') return model;
    model.linear('head.dense', hidden, hidden, { bias: config.flag('classifier_bias') ?? false });
    model.norm('head.norm', hidden, norm);
    const isTied = config.flag('tie_word_embeddings') ?? true;
    if (head === 'MaskedLM') model.head('decoder', vocabulary, hidden, { isTied, bias: config.flag('decoder_bias') ?? true });
    else if (['SequenceClassification', 'TokenClassification', 'QuestionAnswering'].includes(head))
      addClassifier(model, labelCount(config), hidden);
    else if (head === 'MultipleChoice') addClassifier(model, 1, hidden);
    else return null;
    return model;
  },
};

/** Encoders of text, and encoder-decoders. */
export const encoderFamilies: readonly Architecture[] = [
  ...bertKin.map(bertArchitecture),
  distilbert,
  electra,
  albert,
  modernbert,
  convBertFamily,
  ...rotaryEncoderFamilies,
  ...debertaFamilies,
  ...encoderDecoderFamilies,
  t5GemmaFamily,
];
