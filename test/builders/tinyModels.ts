/** Models of transformers with one layer: configs, and the names and shapes that `save_pretrained` (5.24) gives them. */
import { buildSafetensors } from './safetensorsBuilder.js';
import { inspectFiles, json } from './torchDirectory.js';

export type Shapes = Record<string, number[]>;

export interface TinyModel {
  config: Record<string, unknown>;
  /** With the output layer of the config's class. */
  tensors: Shapes;
}

export const linear = (name: string, outputs: number, inputs = outputs): Shapes => ({
  [`${name}.weight`]: [outputs, inputs],
  [`${name}.bias`]: [outputs],
});
export const norm = (name: string, width: number): Shapes => ({ [`${name}.weight`]: [width], [`${name}.bias`]: [width] });
const weights = (shapes: Shapes): Shapes =>
  Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [`${name}.weight`, shape]));

/** The same tensors, where a name is changed. */
export const renamed = (tensors: Shapes, rename: (name: string) => string): Shapes =>
  Object.fromEntries(Object.entries(tensors).map(([name, shape]) => [rename(name), shape]));

export const tinyLlama: TinyModel = {
  config: {
    model_type: 'llama',
    architectures: ['LlamaForCausalLM'],
    ...{ vocab_size: 20, hidden_size: 16, intermediate_size: 24, num_hidden_layers: 1 },
    ...{ num_attention_heads: 4, num_key_value_heads: 2, tie_word_embeddings: false },
  },
  tensors: weights({
    'model.embed_tokens': [20, 16],
    'model.layers.0.self_attn.q_proj': [16, 16],
    'model.layers.0.self_attn.k_proj': [8, 16],
    'model.layers.0.self_attn.v_proj': [8, 16],
    'model.layers.0.self_attn.o_proj': [16, 16],
    'model.layers.0.mlp.gate_proj': [24, 16],
    'model.layers.0.mlp.up_proj': [24, 16],
    'model.layers.0.mlp.down_proj': [16, 24],
    'model.layers.0.input_layernorm': [16],
    'model.layers.0.post_attention_layernorm': [16],
    'model.norm': [16],
    lm_head: [20, 16],
  }),
};

export const tinyGpt2: TinyModel = {
  config: {
    model_type: 'gpt2',
    architectures: ['GPT2LMHeadModel'],
    vocab_size: 20,
    n_embd: 16,
    n_layer: 1,
    n_head: 4,
    n_positions: 8,
  },
  tensors: {
    'transformer.wte.weight': [20, 16],
    'transformer.wpe.weight': [8, 16],
    ...norm('transformer.h.0.ln_1', 16),
    'transformer.h.0.attn.c_attn.weight': [16, 48],
    'transformer.h.0.attn.c_attn.bias': [48],
    ...linear('transformer.h.0.attn.c_proj', 16),
    ...norm('transformer.h.0.ln_2', 16),
    'transformer.h.0.mlp.c_fc.weight': [16, 64],
    'transformer.h.0.mlp.c_fc.bias': [64],
    'transformer.h.0.mlp.c_proj.weight': [64, 16],
    'transformer.h.0.mlp.c_proj.bias': [16],
    ...norm('transformer.ln_f', 16),
  },
};

/** Its tensors under the level `bert.`, without an output layer. */
export const tinyBert: TinyModel = {
  config: {
    model_type: 'bert',
    architectures: ['BertForSequenceClassification'],
    ...{ vocab_size: 20, hidden_size: 16, intermediate_size: 24, num_hidden_layers: 1, num_attention_heads: 4 },
    ...{ max_position_embeddings: 8, type_vocab_size: 2 },
  },
  tensors: {
    'bert.embeddings.word_embeddings.weight': [20, 16],
    'bert.embeddings.position_embeddings.weight': [8, 16],
    'bert.embeddings.token_type_embeddings.weight': [2, 16],
    ...norm('bert.embeddings.LayerNorm', 16),
    ...linear('bert.encoder.layer.0.attention.self.query', 16),
    ...linear('bert.encoder.layer.0.attention.self.key', 16),
    ...linear('bert.encoder.layer.0.attention.self.value', 16),
    ...linear('bert.encoder.layer.0.attention.output.dense', 16),
    ...norm('bert.encoder.layer.0.attention.output.LayerNorm', 16),
    ...linear('bert.encoder.layer.0.intermediate.dense', 24, 16),
    ...linear('bert.encoder.layer.0.output.dense', 16, 24),
    ...norm('bert.encoder.layer.0.output.LayerNorm', 16),
    ...linear('bert.pooler.dense', 16),
    ...linear('classifier', 2, 16),
  },
};

/** The report of a directory with this config and these tensors. */
export function inspectModel(config: unknown, tensors: Shapes): ReturnType<typeof inspectFiles> {
  const stored = Object.entries(tensors).map(([name, shape]) => [name, { dtype: 'F32', shape }] as const);
  return inspectFiles({
    'config.json': json(config),
    'model.safetensors': buildSafetensors({ tensors: Object.fromEntries(stored) }),
  });
}

/** A picture of 8 × 8 in patches of 4 × 4. */
export const tinyVit: TinyModel = {
  config: {
    model_type: 'vit',
    architectures: ['ViTForImageClassification'],
    ...{ hidden_size: 16, intermediate_size: 24, num_hidden_layers: 1, num_attention_heads: 4, image_size: 8, patch_size: 4 },
  },
  tensors: {
    'vit.embeddings.cls_token': [1, 1, 16],
    'vit.embeddings.position_embeddings': [1, 5, 16],
    'vit.embeddings.patch_embeddings.projection.weight': [16, 3, 4, 4],
    'vit.embeddings.patch_embeddings.projection.bias': [16],
    ...linear('vit.encoder.layer.0.attention.attention.query', 16),
    ...linear('vit.encoder.layer.0.attention.attention.key', 16),
    ...linear('vit.encoder.layer.0.attention.attention.value', 16),
    ...linear('vit.encoder.layer.0.attention.output.dense', 16),
    ...linear('vit.encoder.layer.0.intermediate.dense', 24, 16),
    ...linear('vit.encoder.layer.0.output.dense', 16, 24),
    ...norm('vit.encoder.layer.0.layernorm_before', 16),
    ...norm('vit.encoder.layer.0.layernorm_after', 16),
    ...norm('vit.layernorm', 16),
    ...linear('classifier', 2, 16),
  },
};
