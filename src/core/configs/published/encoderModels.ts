import type { PublishedConfig, PublishedTable } from './publishedConfig.js';

/** hidden_size, num_hidden_layers, num_attention_heads, intermediate_size: what encoders differ in. */
type Sizes = readonly [hidden: number, layers: number, heads: number, width: number];

const base: Sizes = [768, 12, 12, 3072];
const large: Sizes = [1024, 24, 16, 4096];

function encoder(
  modelType: string,
  architecture: string | null,
  vocabulary: number,
  [hidden, layers, heads, width]: Sizes,
  rest: PublishedConfig = {},
): PublishedConfig {
  return {
    model_type: modelType,
    ...(architecture === null ? {} : { architectures: [architecture] }),
    vocab_size: vocabulary,
    hidden_size: hidden,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    intermediate_size: width,
    max_position_embeddings: 512,
    type_vocab_size: 2,
    ...rest,
  };
}

function bert(vocabulary: number, sizes: Sizes): PublishedConfig {
  return encoder('bert', 'BertForMaskedLM', vocabulary, sizes);
}

/** As embedding models publish it, without an output layer. */
function plainBert(sizes: Sizes): PublishedConfig {
  return encoder('bert', 'BertModel', 30_522, sizes);
}

function distilBert(vocabulary: number): PublishedConfig {
  return {
    model_type: 'distilbert',
    architectures: ['DistilBertForMaskedLM'],
    vocab_size: vocabulary,
    dim: 768,
    hidden_dim: 3072,
    n_layers: 6,
    n_heads: 12,
    max_position_embeddings: 512,
  };
}

const positions = { max_position_embeddings: 514, type_vocab_size: 1 };

function roberta(sizes: Sizes): PublishedConfig {
  return encoder('roberta', 'RobertaForMaskedLM', 50_265, sizes, positions);
}

function xlmRoberta(sizes: Sizes, architecture = 'XLMRobertaForMaskedLM'): PublishedConfig {
  return encoder('xlm-roberta', architecture, 250_002, sizes, positions);
}

/** Version 3 names no class. */
function deberta3(sizes: Sizes): PublishedConfig {
  return encoder('deberta-v2', null, 128_100, sizes, {
    type_vocab_size: 0,
    relative_attention: true,
    position_buckets: 256,
    max_relative_positions: -1,
    position_biased_input: false,
    norm_rel_ebd: 'layer_norm',
    share_att_key: true,
    pos_att_type: 'p2c|c2p',
  });
}

function electra(embedding: number, sizes: Sizes): PublishedConfig {
  return encoder('electra', 'ElectraForPreTraining', 30_522, sizes, { embedding_size: embedding });
}

function albert(sizes: Sizes): PublishedConfig {
  return encoder('albert', 'AlbertForMaskedLM', 30_000, sizes, { embedding_size: 128, num_hidden_groups: 1, inner_group_num: 1 });
}

function modernBert(sizes: Sizes): PublishedConfig {
  return encoder('modernbert', 'ModernBertForMaskedLM', 50_368, sizes, {
    max_position_embeddings: 8192,
    tie_word_embeddings: true,
  });
}

/** Encoders of text. */
export const encoderModels: PublishedTable = [
  ['google-bert/bert-base-uncased', bert(30_522, base)],
  ['google-bert/bert-base-cased', bert(28_996, base)],
  ['google-bert/bert-large-uncased', bert(30_522, large)],
  ['google-bert/bert-large-cased', bert(28_996, large)],
  ['google-bert/bert-base-multilingual-cased', bert(119_547, base)],
  ['google-bert/bert-base-multilingual-uncased', bert(105_879, base)],
  ['google-bert/bert-base-chinese', bert(21_128, base)],
  ['distilbert/distilbert-base-uncased', distilBert(30_522)],
  ['distilbert/distilbert-base-cased', distilBert(28_996)],
  ['distilbert/distilbert-base-multilingual-cased', distilBert(119_547)],
  ['FacebookAI/roberta-base', roberta(base)],
  ['FacebookAI/roberta-large', roberta(large)],
  ['distilbert/distilroberta-base', roberta([768, 6, 12, 3072])],
  ['FacebookAI/xlm-roberta-base', xlmRoberta(base)],
  ['FacebookAI/xlm-roberta-large', xlmRoberta(large)],
  ['microsoft/deberta-v3-xsmall', deberta3([384, 12, 6, 1536])],
  ['microsoft/deberta-v3-small', deberta3([768, 6, 12, 3072])],
  ['microsoft/deberta-v3-base', deberta3(base)],
  ['microsoft/deberta-v3-large', deberta3(large)],
  ['google/electra-small-discriminator', electra(128, [256, 12, 4, 1024])],
  ['google/electra-base-discriminator', electra(768, base)],
  ['google/electra-large-discriminator', electra(1024, large)],
  ['albert/albert-base-v2', albert(base)],
  ['albert/albert-large-v2', albert(large)],
  ['albert/albert-xlarge-v2', albert([2048, 24, 16, 8192])],
  ['albert/albert-xxlarge-v2', albert([4096, 12, 64, 16_384])],
  ['answerdotai/ModernBERT-base', modernBert([768, 22, 12, 1152])],
  ['answerdotai/ModernBERT-large', modernBert([1024, 28, 16, 2624])],
  ['BAAI/bge-small-en-v1.5', plainBert([384, 12, 12, 1536])],
  ['BAAI/bge-base-en-v1.5', plainBert(base)],
  ['BAAI/bge-large-en-v1.5', plainBert(large)],
  ['BAAI/bge-m3', encoder('xlm-roberta', 'XLMRobertaModel', 250_002, large, { ...positions, max_position_embeddings: 8194 })],
  ['sentence-transformers/all-MiniLM-L6-v2', plainBert([384, 6, 12, 1536])],
  ['sentence-transformers/all-MiniLM-L12-v2', plainBert([384, 12, 12, 1536])],
  ['intfloat/multilingual-e5-large', xlmRoberta(large, 'XLMRobertaModel')],
];
