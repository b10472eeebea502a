/** T5Gemma: two Gemma 2, the second of which attends to the first (transformers/models/t5gemma/modeling_t5gemma.py). */
import type { Fields } from '../../fields.js';
import type { Architecture } from '../architecture.js';
import { readSizes } from '../configSizes.js';
import { headOf } from '../modelHead.js';
import { flagOr, isOn } from '../sizes.js';
import { ModelTensors } from '../tensorGroup.js';

const defaults = {
  vocab_size: 256_000,
  hidden_size: 2304,
  intermediate_size: 9216,
  num_hidden_layers: 26,
  num_attention_heads: 8,
  num_key_value_heads: 4,
  head_dim: 256,
};

const keys = [
  ...(['vocab_size', 'hidden_size', 'intermediate_size', 'num_hidden_layers'] as const),
  ...(['num_attention_heads', 'num_key_value_heads', 'head_dim'] as const),
] as const;

type Sizes = Record<(typeof keys)[number], number>;

interface Attention {
  module: string;
  sizes: Sizes;
  /** Of the states that keys and values are made from. */
  attended: number;
  bias: boolean;
}

function addAttention(model: ModelTensors, { module, sizes, attended, bias }: Attention): void {
  const { hidden_size: hidden, num_hidden_layers: copies } = sizes;
  const queries = sizes.num_attention_heads * sizes.head_dim;
  const values = sizes.num_key_value_heads * sizes.head_dim;
  model
    .linear(`${module}.q_proj`, hidden, queries, { copies, bias })
    .linear(`${module}.k_proj`, attended, values, { copies, bias })
    .linear(`${module}.v_proj`, attended, values, { copies, bias })
    .linear(`${module}.o_proj`, queries, hidden, { copies, bias });
}

function addNorms(
  model: ModelTensors,
  layer: string,
  part: string,
  { hidden_size: hidden, num_hidden_layers: copies }: Sizes,
): void {
  for (const side of ['pre', 'post']) model.norm(`${layer}.${side}_${part}_layernorm`, hidden, { copies });
}

/** An embedding, layers, a norm; a decoder is as wide as its states, and attends to those of the encoder. */
function addStack(model: ModelTensors, prefix: string, config: Fields, sizes: Sizes, encoderHidden: number | null): void {
  const { hidden_size: hidden, intermediate_size: width, num_hidden_layers: copies } = sizes;
  const layer = `${prefix}layers.N`;
  const bias = isOn(config, 'attention_bias');
  model.embedding(`${prefix}embed_tokens`, sizes.vocab_size, hidden);
  addAttention(model, { module: `${layer}.self_attn`, sizes, attended: hidden, bias });
  addNorms(model, layer, 'self_attn', sizes);
  if (encoderHidden !== null) {
    addAttention(model, { module: `${layer}.cross_attn`, sizes, attended: encoderHidden, bias });
    addNorms(model, layer, 'cross_attn', sizes);
  }
  for (const part of ['gate_proj', 'up_proj']) model.linear(`${layer}.mlp.${part}`, hidden, width, { copies });
  model.linear(`${layer}.mlp.down_proj`, width, hidden, { copies });
  addNorms(model, layer, 'feedforward', sizes);
  model.norm(`${prefix}norm`, hidden);
}

function tensorsOf(config: Fields): ModelTensors | null {
  const [encoder, decoder] = [config.at('encoder'), config.at('decoder')];
  const encoderSizes = readSizes(encoder.withDefaults(defaults), keys);
  const decoderSizes = readSizes(decoder.withDefaults(defaults), keys);
  if (encoderSizes === null || decoderSizes === null) return null;
  // Classifiers and encoders alone are others than people mean, and not described here.
  if (headOf(config, 'ConditionalGeneration') !== 'ConditionalGeneration') return null;
  const model = new ModelTensors();
  addStack(model, 'model.encoder.', encoder, encoderSizes, null);
  addStack(model, 'model.decoder.', decoder, decoderSizes, encoderSizes.hidden_size);
  model.head('lm_head.out_proj', decoderSizes.vocab_size, decoderSizes.hidden_size, {
    isTied: flagOr(config, true, 'tie_word_embeddings'),
  });
  return model;
}

export const t5GemmaFamily: Architecture = { modelTypes: ['t5gemma'], name: 'T5Gemma', tensors: tensorsOf };
