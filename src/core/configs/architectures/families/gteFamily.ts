/** GTE: an encoder with rotary positions and gates (transformers/models/gte/modeling_gte.py). */
import type { Architecture } from '../architecture.js';
import { readSizes } from '../configSizes.js';
import { addLayers, attentionNames, type LayerNames } from '../encoderLayer.js';
import { addClassifier, headOf, labelCount } from '../modelHead.js';
import { ModelTensors } from '../tensorGroup.js';

const names: LayerNames = {
  attention: attentionNames('self_attn'),
  feedForward: ['mlp.gate_proj', 'mlp.up_proj', 'mlp.down_proj'],
  norms: ['post_attention_layernorm', 'post_mlp_layernorm'],
};

const defaults = {
  vocab_size: 250_048,
  hidden_size: 768,
  num_hidden_layers: 12,
  num_attention_heads: 12,
  intermediate_size: 3072,
  type_vocab_size: 1,
};

export const gteFamily: Architecture = {
  modelTypes: ['gte'],
  name: 'GTE',
  tensors(given) {
    const config = given.withDefaults(defaults);
    const keys = ['vocab_size', 'hidden_size', 'num_hidden_layers', 'intermediate_size', 'type_vocab_size'] as const;
    const sizes = readSizes(config, keys);
    if (sizes === null) return null;
    const { vocab_size: vocabulary, hidden_size: hidden, num_hidden_layers: copies, intermediate_size: width } = sizes;
    const head = headOf(config, 'MaskedLM');
    const prefix = head === 'Model' ? '' : 'gte.';
    const layer = `${prefix}layers.N`;
    const model = new ModelTensors();
    model
      .embedding(`${prefix}embeddings.word_embeddings`, vocabulary, hidden)
      .embedding(`${prefix}embeddings.token_type_embeddings`, sizes.type_vocab_size, hidden)
      .norm(`${prefix}embeddings.LayerNorm`, hidden, { bias: true });
    addLayers(model, layer, names, { copies, hidden, width, feedForwardBias: false });
    model.parameter(`${layer}.mlp.down_proj.bias`, [hidden], { copies, kind: 'bias' });
    switch (head) {
      case 'Model':
        return model;
      case 'MaskedLM':
        return model
          .linear('lm_head.dense', hidden, hidden, { bias: true })
          .norm('lm_head.layer_norm', hidden, { bias: true })
          .head('lm_head.decoder', vocabulary, hidden, { isTied: config.flag('tie_word_embeddings') ?? true, bias: true });
      case 'SequenceClassification':
        model.linear(`${prefix}pooler.dense`, hidden, hidden, { bias: true });
        addClassifier(model, labelCount(config), hidden);
        return model;
      case 'TokenClassification':
        addClassifier(model, labelCount(config), hidden);
        return model;
      default:
        return null;
    }
  },
};
