/** Encoders of text and of proteins whose layers are younger than BERT's. */
import type { Fields } from '../../fields.js';
import type { Architecture } from '../architecture.js';
import { readSizes } from '../configSizes.js';
import { addLayers, attentionNames, bertLayer, type LayerNames } from '../encoderLayer.js';
import { gteFamily } from './gteFamily.js';
import { addClassifier, addDenseClassifier, addMaskedHead, headOf, labelCount } from '../modelHead.js';
import { ModelTensors } from '../tensorGroup.js';
import { xlnetFamily } from './xlnetFamily.js';

const keys = ['vocab_size', 'hidden_size', 'num_hidden_layers', 'num_attention_heads', 'intermediate_size'] as const;
const defaults = { hidden_size: 768, num_hidden_layers: 12, num_attention_heads: 12, intermediate_size: 3072 };
const gatedNames: LayerNames = {
  attention: attentionNames('self_attn'),
  feedForward: ['mlp.gate_proj', 'mlp.up_proj', 'mlp.down_proj'],
  norms: [],
};

/** transformers/models/esm/modeling_esm.py */
const esm: Architecture = {
  modelTypes: ['esm'],
  name: 'ESM',
  tensors(given) {
    const config = given.withDefaults({ ...defaults, max_position_embeddings: 1026, position_embedding_type: 'absolute' });
    const sizes = readSizes(config, [...keys, 'max_position_embeddings']);
    if (sizes === null || config.flag('is_folding_model') === true || config.flag('add_cross_attention') === true) return null;
    const { hidden_size: hidden, num_hidden_layers: copies, num_attention_heads: heads, vocab_size: vocabulary } = sizes;
    const head = headOf(config, 'MaskedLM');
    const prefix = head === 'Model' ? '' : 'esm.';
    const isAbsolute = config.text('position_embedding_type') === 'absolute';
    const model = new ModelTensors();
    model.embedding(`${prefix}embeddings.word_embeddings`, vocabulary, hidden);
    if (config.flag('emb_layer_norm_before') === true) model.norm(`${prefix}embeddings.layer_norm`, hidden, { bias: true });
    model.embedding(`${prefix}embeddings.position_embeddings`, isAbsolute ? sizes.max_position_embeddings : 0, hidden);
    const names = { ...bertLayer, norms: ['attention.LayerNorm', 'LayerNorm'] };
    addLayers(model, `${prefix}encoder.layer.N`, names, { copies, hidden, width: sizes.intermediate_size });
    model.norm(`${prefix}encoder.emb_layer_norm_after`, hidden, { bias: true });
    if (head === 'Model') model.linear('pooler.dense', hidden, hidden, { bias: true });
    // Which residues touch, by the attention of every head of every layer.
    model.linear(`${prefix}contact_head.regression`, copies * heads, 1, { bias: true });
    return addEsmHead(model, head, config, { vocabulary, hidden }) ? model : null;
  },
};

function addEsmHead(
  model: ModelTensors,
  head: string,
  config: Fields,
  { vocabulary, hidden }: { vocabulary: number; hidden: number },
): boolean {
  if (head === 'MaskedLM') {
    const isTied = config.flag('tie_word_embeddings') ?? true;
    model.linear('lm_head.dense', hidden, hidden, { bias: true }).norm('lm_head.layer_norm', hidden, { bias: true });
    model.parameter('lm_head.bias', [vocabulary], { kind: 'bias' }).head('lm_head.decoder', vocabulary, hidden, { isTied });
  } else if (head === 'SequenceClassification') addDenseClassifier(model, labelCount(config), hidden);
  else if (head === 'TokenClassification') addClassifier(model, labelCount(config), hidden);
  else return head === 'Model';
  return true;
}

/** transformers/models/nomic_bert/modeling_nomic_bert.py */
const nomic: Architecture = {
  modelTypes: ['nomic_bert'],
  name: 'Nomic BERT',
  tensors(given) {
    const config = given.withDefaults({ ...defaults, vocab_size: 30_528, type_vocab_size: 2 });
    const sizes = readSizes(config, [...keys, 'type_vocab_size']);
    if (sizes === null) return null;
    const { hidden_size: hidden, num_hidden_layers: copies, num_attention_heads: heads, vocab_size: vocabulary } = sizes;
    const inner = heads * (config.integer('head_dim') ?? Math.floor(hidden / Math.max(heads, 1)));
    const head = headOf(config, 'MaskedLM');
    const prefix = head === 'Model' ? '' : 'nomic_bert.';
    const model = new ModelTensors();
    model
      .embedding(`${prefix}embeddings.word_embeddings`, vocabulary, hidden)
      .embedding(`${prefix}embeddings.token_type_embeddings`, sizes.type_vocab_size, hidden)
      .norm(`${prefix}embeddings.LayerNorm`, hidden, { bias: true });
    const names = { ...gatedNames, norms: ['post_attention_layernorm', 'post_mlp_layernorm'] };
    const width = sizes.intermediate_size;
    addLayers(model, `${prefix}layers.N`, names, { copies, hidden, inner, width, hasBias: false });
    if (head === 'MaskedLM') {
      const isTied = config.flag('tie_word_embeddings') ?? true;
      addMaskedHead(model, { vocabulary, hidden, isTied, norm: 'layer_norm' });
    } else if (head === 'SequenceClassification') {
      model.linear(`${prefix}pooler.dense`, hidden, hidden, { bias: true });
      addClassifier(model, labelCount(config), hidden);
    } else if (head === 'TokenClassification') addClassifier(model, labelCount(config), hidden);
    else if (head !== 'Model') return null;
    return model;
  },
};

/** Llama's layers, looking both ways (transformers/models/eurobert/modeling_eurobert.py). */
const eurobert: Architecture = {
  modelTypes: ['eurobert'],
  name: 'EuroBERT',
  tensors(given) {
    const config = given.withDefaults({ ...defaults, vocab_size: 128_256 });
    const sizes = readSizes(config, keys);
    if (sizes === null) return null;
    const { hidden_size: hidden, num_hidden_layers: copies, num_attention_heads: heads, vocab_size: vocabulary } = sizes;
    const headSize = config.integer('head_dim') ?? Math.floor(hidden / Math.max(heads, 1));
    const head = headOf(config, 'MaskedLM');
    const prefix = head === 'Model' ? '' : 'model.';
    const model = new ModelTensors();
    model.embedding(`${prefix}embed_tokens`, vocabulary, hidden);
    addLayers(
      model,
      `${prefix}layers.N`,
      { ...gatedNames, norms: ['input_layernorm', 'post_attention_layernorm'] },
      {
        copies,
        hidden,
        inner: heads * headSize,
        keyValue: (config.integer('num_key_value_heads') ?? heads) * headSize,
        width: sizes.intermediate_size,
        hasBias: config.flag('attention_bias') ?? false,
        feedForwardBias: config.flag('mlp_bias') ?? false,
        normBias: false,
      },
    );
    model.norm(`${prefix}norm`, hidden);
    if (head === 'MaskedLM') {
      // One flag for the biases of the feed-forward part and of the output layer.
      const bias = config.flag('mlp_bias') ?? false;
      model.head('lm_head', vocabulary, hidden, { isTied: config.flag('tie_word_embeddings') ?? false, bias });
    } else if (head === 'SequenceClassification') {
      model.linear('dense', hidden, hidden, { bias: true });
      addClassifier(model, labelCount(config), hidden);
    } else if (head === 'TokenClassification') addClassifier(model, labelCount(config), hidden);
    else if (head !== 'Model') return null;
    return model;
  },
};

export const rotaryEncoderFamilies: readonly Architecture[] = [esm, nomic, eurobert, gteFamily, xlnetFamily];
