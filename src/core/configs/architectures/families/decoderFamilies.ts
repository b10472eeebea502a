import type { Fields } from '../../fields.js';
import type { Architecture } from '../architecture.js';
import { attentionBias, decoder, type DecoderEntry, type DecoderTraits } from '../decoderEntry.js';
import type { DecoderNames } from '../decoderShape.js';
import { doryFamily } from './doryFamily.js';
import { gemmaFamilies } from './gemmaFamilies.js';
import { type DecoderSizes, flagOr, isOn, size, sizeOr } from '../sizes.js';
import { molmoText } from './molmoFamily.js';
import { museText } from './museFamily.js';

/** GPT-2's names (transformers/models/gpt2/modeling_gpt2.py), which GPT-J, CodeGen and others share in part. */
const gpt2Names: Partial<DecoderNames> = {
  embedding: 'transformer.wte',
  positions: 'transformer.wpe',
  layer: 'transformer.h.N',
  queryKeyValue: 'attn.c_attn',
  output: 'attn.c_proj',
  up: 'mlp.c_fc',
  down: 'mlp.c_proj',
  finalNorm: 'transformer.ln_f',
};

/** Names of GPT-NeoX, Bloom, Falcon and Persimmon below a layer. */
const megatronNames: Partial<DecoderNames> = {
  queryKeyValue: 'self_attention.query_key_value',
  output: 'self_attention.dense',
  up: 'mlp.dense_h_to_4h',
  down: 'mlp.dense_4h_to_h',
};

/** OPT's, XGLM's and BioGPT's names below a layer, from fairseq. */
const fairseqNames: Partial<DecoderNames> = {
  output: 'self_attn.out_proj',
  up: 'fc1',
  down: 'fc2',
};
const fairseqNorms = ['self_attn_layer_norm', 'final_layer_norm'] as const;

const entries: readonly DecoderEntry[] = [
  {
    modelTypes: ['llama', 'internlm3', 'iquestcoder', 'cwm', 'smollm3', 'granite'],
    name: 'Llama',
    traits: (config) => {
      const bias = isOn(config, 'attention_bias', 'qkv_bias');
      return { queryKeyValueBias: bias, outputBias: bias, feedForwardBias: isOn(config, 'mlp_bias', 'bias') };
    },
  },
  {
    // The output layer takes the hidden size, whatever the heads come to (modeling_helium.py).
    modelTypes: ['helium'],
    name: 'Helium',
    traits: (config, { hidden }) => ({
      queryKeyValueBias: isOn(config, 'attention_bias'),
      feedForwardBias: isOn(config, 'mlp_bias'),
      outputInputs: hidden,
    }),
  },
  { modelTypes: ['mistral', 'ministral', 'ministral3'], name: 'Mistral' },
  // transformers/models/qwen2/modeling_qwen2.py: biases of queries, keys and values are no option.
  { modelTypes: ['qwen2'], name: 'Qwen2', traits: () => ({ queryKeyValueBias: true }) },
  { modelTypes: ['qwen3'], name: 'Qwen3', traits: (config) => ({ ...attentionBias(config), queryKeyNorm: 'head' }) },
  {
    modelTypes: ['phi3', 'phi4'],
    name: 'Phi-3',
    traits: () => ({ names: { queryKeyValue: 'self_attn.qkv_proj', gateUp: 'mlp.gate_up_proj' } }),
  },
  {
    modelTypes: ['phi', 'phi-msft'],
    name: 'Phi',
    traits: (config) => ({
      queryKeyValueBias: true,
      outputBias: true,
      queryKeyNorm: isOn(config, 'qk_layernorm') ? 'head' : null,
      queryKeyNormBias: true,
      isGated: false,
      feedForwardBias: true,
      norms: ['input_layernorm'],
      normBias: true,
      headBias: true,
      names: {
        output: 'self_attn.dense',
        queryNorm: 'self_attn.q_layernorm',
        keyNorm: 'self_attn.k_layernorm',
        up: 'mlp.fc1',
        down: 'mlp.fc2',
        finalNorm: 'model.final_layernorm',
      },
    }),
  },
  {
    modelTypes: ['gpt2', 'gpt-sw3'],
    name: 'GPT-2',
    traits: (config, { hidden, layers: copies }) => ({
      queryKeyValueBias: true,
      outputBias: true,
      isGated: false,
      feedForwardBias: true,
      norms: ['ln_1', 'ln_2'],
      normBias: true,
      positions: sizeOr(config, 1024, 'n_positions', 'max_position_embeddings'),
      names: gpt2Names,
      add(model) {
        if (!isOn(config, 'add_cross_attention')) return;
        const options = { copies, bias: true };
        model
          .linear('transformer.h.N.crossattention.c_attn', hidden, 2 * hidden, options)
          .linear('transformer.h.N.crossattention.q_attn', hidden, hidden, options)
          .linear('transformer.h.N.crossattention.c_proj', hidden, hidden, options)
          .norm('transformer.h.N.ln_cross_attn', hidden, options);
      },
    }),
  },
  {
    modelTypes: ['gpt_bigcode'],
    name: 'GPT-BigCode',
    traits: (config, { heads }) => ({
      sizes: { keyValueHeads: isOn(config, 'multi_query') ? 1 : heads },
      queryKeyValueBias: true,
      outputBias: true,
      isGated: false,
      feedForwardBias: true,
      norms: ['ln_1', 'ln_2'],
      normBias: true,
      positions: sizeOr(config, 1024, 'n_positions', 'max_position_embeddings'),
      names: gpt2Names,
    }),
  },
  {
    modelTypes: ['openai-gpt'],
    name: 'GPT',
    traits: (config, { hidden }) => ({
      sizes: { width: 4 * hidden },
      queryKeyValueBias: true,
      outputBias: true,
      isGated: false,
      feedForwardBias: true,
      norms: ['ln_1', 'ln_2'],
      normBias: true,
      hasFinalNorm: false,
      positions: sizeOr(config, 512, 'n_positions', 'max_position_embeddings'),
      names: { ...gpt2Names, embedding: 'transformer.tokens_embed', positions: 'transformer.positions_embed' },
    }),
  },
  {
    modelTypes: ['gpt_neo'],
    name: 'GPT-Neo',
    traits: (config) => ({
      outputBias: true,
      isGated: false,
      feedForwardBias: true,
      norms: ['ln_1', 'ln_2'],
      normBias: true,
      positions: sizeOr(config, 2048, 'max_position_embeddings'),
      names: {
        ...gpt2Names,
        queryKeyValue: null,
        query: 'attn.attention.q_proj',
        key: 'attn.attention.k_proj',
        value: 'attn.attention.v_proj',
        output: 'attn.attention.out_proj',
      },
    }),
  },
  {
    modelTypes: ['gptj', 'codegen'],
    name: 'GPT-J',
    traits: (config) => ({
      isGated: false,
      feedForwardBias: true,
      norms: ['ln_1'],
      normBias: true,
      headBias: true,
      names: {
        ...gpt2Names,
        queryKeyValue: config.text('model_type') === 'codegen' ? 'attn.qkv_proj' : null,
        query: 'attn.q_proj',
        key: 'attn.k_proj',
        value: 'attn.v_proj',
        output: 'attn.out_proj',
        up: 'mlp.fc_in',
        down: 'mlp.fc_out',
      },
    }),
  },
  {
    modelTypes: ['gpt_neox'],
    name: 'GPT-NeoX',
    // The class knows no keys and values of fewer heads, whatever a config has.
    traits: (config, { heads }) => ({
      sizes: { keyValueHeads: heads },
      ...attentionBias(config),
      isGated: false,
      feedForwardBias: true,
      normBias: true,
      names: {
        ...megatronNames,
        embedding: 'gpt_neox.embed_in',
        layer: 'gpt_neox.layers.N',
        queryKeyValue: 'attention.query_key_value',
        output: 'attention.dense',
        finalNorm: 'gpt_neox.final_layer_norm',
      },
    }),
  },
  {
    // Only the last layer's attention has a bias, kept apart from its matrix (modeling_gpt_neox_japanese.py).
    modelTypes: ['gpt_neox_japanese'],
    name: 'GPT-NeoX Japanese',
    traits: (config, { hidden, layers }) => ({
      sizes: { ...wholeHeads(hidden), width: hidden * sizeOr(config, 4, 'intermediate_multiple_size') },
      isGated: false,
      normBias: true,
      names: {
        ...megatronNames,
        embedding: 'gpt_neox_japanese.embed_in',
        layer: 'gpt_neox_japanese.layers.N',
        queryKeyValue: 'attention.query_key_value',
        output: 'attention.dense',
        finalNorm: 'gpt_neox_japanese.final_layer_norm',
        head: 'embed_out',
      },
      add: (model) => {
        if (layers > 0)
          model.parameter(`gpt_neox_japanese.layers.${layers - 1}.attention.dense_bias`, [hidden], { kind: 'bias' });
      },
    }),
  },
  {
    modelTypes: ['opt'],
    name: 'OPT',
    traits: (config, { hidden }) => {
      const bias = isOn(config, 'enable_bias');
      const outer = sizeOr(config, hidden, 'word_embed_proj_dim');
      // opt-350m: embeddings narrower than the layers.
      const isProjected = outer !== hidden;
      return {
        queryKeyValueBias: bias,
        outputBias: bias,
        isGated: false,
        feedForwardBias: bias,
        norms: fairseqNorms,
        hasNormWeights: isOn(config, 'layer_norm_elementwise_affine'),
        normBias: true,
        hasFinalNorm: isOn(config, 'do_layer_norm_before') && !isOn(config, '_remove_final_layer_norm'),
        // OPTLearnedPositionalEmbedding: two rows before the first position.
        positions: sizeOr(config, 2048, 'max_position_embeddings') + 2,
        names: {
          ...fairseqNames,
          embedding: 'model.decoder.embed_tokens',
          positions: 'model.decoder.embed_positions',
          layer: 'model.decoder.layers.N',
          finalNorm: 'model.decoder.final_layer_norm',
        },
        embeddingSize: outer,
        add: (model) => {
          if (!isProjected) return;
          model.linear('model.decoder.project_in', outer, hidden).linear('model.decoder.project_out', hidden, outer);
        },
      };
    },
  },
  {
    modelTypes: ['xglm'],
    name: 'XGLM',
    traits: (config, { hidden, layers: copies }) => ({
      add(model) {
        if (!isOn(config, 'add_cross_attention')) return;
        for (const part of ['k_proj', 'v_proj', 'q_proj', 'out_proj'])
          model.linear(`model.layers.N.encoder_attn.${part}`, hidden, hidden, { copies, bias: true });
        model.norm('model.layers.N.encoder_attn_layer_norm', hidden, { copies, bias: true });
      },
      queryKeyValueBias: true,
      outputBias: true,
      isGated: false,
      feedForwardBias: true,
      norms: fairseqNorms,
      normBias: true,
      names: { ...fairseqNames, finalNorm: 'model.layer_norm' },
    }),
  },
  {
    modelTypes: ['biogpt'],
    name: 'BioGPT',
    traits: (config) => ({
      queryKeyValueBias: true,
      outputBias: true,
      isGated: false,
      feedForwardBias: true,
      norms: fairseqNorms,
      normBias: true,
      positions: sizeOr(config, 1024, 'max_position_embeddings') + 2,
      names: {
        ...fairseqNames,
        embedding: 'biogpt.embed_tokens',
        positions: 'biogpt.embed_positions',
        layer: 'biogpt.layers.N',
        finalNorm: 'biogpt.layer_norm',
        head: 'output_projection',
      },
    }),
  },
  {
    modelTypes: ['bloom'],
    name: 'BLOOM',
    traits: (_, { hidden, heads }) => ({
      sizes: { width: 4 * hidden, keyValueHeads: heads },
      queryKeyValueBias: true,
      outputBias: true,
      isGated: false,
      feedForwardBias: true,
      normBias: true,
      names: {
        ...megatronNames,
        embedding: 'transformer.word_embeddings',
        layer: 'transformer.h.N',
        finalNorm: 'transformer.ln_f',
      },
      add: (model) => {
        model.norm('transformer.word_embeddings_layernorm', hidden, { bias: true });
      },
    }),
  },
  { modelTypes: ['falcon'], name: 'Falcon', traits: falconTraits },
  {
    modelTypes: ['mpt'],
    name: 'MPT',
    traits: (config, { hidden }) => ({
      // The class knows neither expansion_ratio nor biases (modeling_mpt.py).
      sizes: { ...wholeHeads(hidden), width: 4 * hidden },
      isGated: false,
      norms: ['norm_1', 'norm_2'],
      names: {
        embedding: 'transformer.wte',
        layer: 'transformer.blocks.N',
        queryKeyValue: 'attn.Wqkv',
        output: 'attn.out_proj',
        up: 'ffn.up_proj',
        down: 'ffn.down_proj',
        finalNorm: 'transformer.norm_f',
      },
    }),
  },
  {
    modelTypes: ['stablelm', 'stablelm_epoch'],
    name: 'StableLM',
    traits: (config, { heads, headSize, keyValueHeads, layers: copies }) => ({
      queryKeyValueBias: isOn(config, 'use_qkv_bias'),
      norms: isOn(config, 'use_parallel_residual') ? ['input_layernorm'] : ['input_layernorm', 'post_attention_layernorm'],
      normBias: true,
      add: (model) => {
        if (!isOn(config, 'qk_layernorm')) return;
        model
          .norm('model.layers.N.self_attn.q_layernorm.norms.N', headSize, { copies: copies * heads })
          .norm('model.layers.N.self_attn.k_layernorm.norms.N', headSize, { copies: copies * keyValueHeads });
      },
    }),
  },
  {
    modelTypes: ['starcoder2'],
    name: 'StarCoder2',
    traits: (config) => {
      const bias = isOn(config, 'use_bias');
      return {
        queryKeyValueBias: bias,
        outputBias: bias,
        isGated: false,
        feedForwardBias: bias,
        normBias: true,
        names: { up: 'mlp.c_fc', down: 'mlp.c_proj' },
      };
    },
  },
  {
    modelTypes: ['cohere', 'cohere2', 'cohere_compass_text'],
    name: 'Cohere',
    traits: (config) => ({
      ...attentionBias(config),
      norms: ['input_layernorm'],
      queryKeyNorm: isOn(config, 'use_qk_norm') ? 'full' : null,
    }),
  },
  { modelTypes: ['olmo'], name: 'OLMo', traits: (config) => ({ ...attentionBias(config), hasNormWeights: false }) },
  {
    modelTypes: ['olmo2', 'olmo3'],
    name: 'OLMo 2',
    traits: (config) => ({
      ...attentionBias(config),
      queryKeyNorm: 'full',
      norms: ['post_attention_layernorm', 'post_feedforward_layernorm'],
    }),
  },
  {
    modelTypes: ['exaone4'],
    name: 'EXAONE 4',
    traits: () => ({ queryKeyNorm: 'head', norms: ['post_attention_layernorm', 'post_feedforward_layernorm'] }),
  },
  {
    modelTypes: ['glm'],
    name: 'GLM',
    traits: (config) => ({ queryKeyValueBias: isOn(config, 'attention_bias'), names: { gateUp: 'mlp.gate_up_proj' } }),
  },
  {
    modelTypes: ['glm4'],
    name: 'GLM-4',
    traits: (config) => ({
      queryKeyValueBias: isOn(config, 'attention_bias'),
      norms: ['input_layernorm', 'post_attention_layernorm', 'post_self_attn_layernorm', 'post_mlp_layernorm'],
      names: { gateUp: 'mlp.gate_up_proj' },
    }),
  },
  {
    modelTypes: ['seed_oss'],
    name: 'Seed-OSS',
    traits: (config) => ({
      queryKeyValueBias: isOn(config, 'attention_bias'),
      outputBias: isOn(config, 'attention_out_bias'),
      feedForwardBias: isOn(config, 'mlp_bias'),
    }),
  },
  molmoText,
  museText,
  {
    modelTypes: ['apertus', 'apertus1p5_text'],
    name: 'Apertus',
    traits: (config, { layers: copies, vocabulary }) => ({
      ...attentionBias(config),
      // Apertus 1.5: words that are only read, as those of images, have no row.
      headRows: isOn(config, 'tie_word_embeddings') ? vocabulary : sizeOr(config, vocabulary, 'output_vocab_size'),
      queryKeyNorm: 'head',
      isGated: false,
      feedForwardBias: isOn(config, 'mlp_bias'),
      norms: ['attention_layernorm', 'feedforward_layernorm'],
      // xIELU has two learned numbers a layer.
      add: (model) => {
        model
          .parameter('model.layers.N.mlp.act_fn.alpha_p', [1], { copies })
          .parameter('model.layers.N.mlp.act_fn.alpha_n', [1], { copies });
      },
    }),
  },
  {
    modelTypes: ['arcee'],
    name: 'Arcee',
    traits: (config) => ({ ...attentionBias(config), isGated: false, feedForwardBias: isOn(config, 'mlp_bias') }),
  },
  {
    modelTypes: ['nemotron', 'jais2'],
    name: 'Nemotron',
    traits: (config) => ({
      ...attentionBias(config),
      isGated: false,
      feedForwardBias: isOn(config, 'mlp_bias'),
      normBias: true,
    }),
  },
  {
    modelTypes: ['persimmon'],
    name: 'Persimmon',
    traits: (config, { heads }) => ({
      sizes: { keyValueHeads: heads },
      queryKeyValueBias: true,
      outputBias: true,
      queryKeyNorm: isOn(config, 'qk_layernorm') ? 'head' : null,
      queryKeyNormBias: true,
      isGated: false,
      feedForwardBias: true,
      normBias: true,
      names: {
        ...megatronNames,
        queryKeyValue: 'self_attn.query_key_value',
        output: 'self_attn.dense',
        queryNorm: 'self_attn.q_layernorm',
        keyNorm: 'self_attn.k_layernorm',
        finalNorm: 'model.final_layernorm',
      },
    }),
  },
  {
    modelTypes: ['ernie4_5'],
    name: 'ERNIE 4.5',
    traits: (config) => {
      const bias = isOn(config, 'use_bias');
      return { queryKeyValueBias: bias, outputBias: bias, feedForwardBias: bias };
    },
  },
  {
    modelTypes: ['hunyuan_v1_dense'],
    name: 'Hunyuan',
    traits: (config) => ({
      ...attentionBias(config),
      queryKeyNorm: 'head',
      names: { queryNorm: 'self_attn.query_layernorm', keyNorm: 'self_attn.key_layernorm' },
    }),
  },
  {
    modelTypes: ['hyperclovax'],
    name: 'HyperCLOVA X',
    traits: (config) => ({
      ...attentionBias(config),
      feedForwardBias: isOn(config, 'mlp_bias'),
      norms: flagOr(config, true, 'use_post_norm')
        ? ['input_layernorm', 'post_attention_layernorm', 'post_norm1', 'post_norm2']
        : ['input_layernorm', 'post_attention_layernorm'],
    }),
  },
  {
    modelTypes: ['granite_swa'],
    name: 'Granite',
    traits: (config) => ({ ...attentionBias(config), feedForwardBias: isOn(config, 'mlp_bias'), hasSinks: true }),
  },
  {
    modelTypes: ['bitnet'],
    name: 'BitNet',
    traits: (config, { hidden, width, layers: copies }) => ({
      ...attentionBias(config),
      add: (model) => {
        model
          .norm('model.layers.N.self_attn.attn_sub_norm', hidden, { copies })
          .norm('model.layers.N.mlp.ffn_sub_norm', width, { copies });
      },
    }),
  },
  {
    modelTypes: ['diffllama'],
    name: 'DiffLlama',
    traits: (config, { headSize, layers: copies }) => ({
      ...attentionBias(config),
      add: (model) => {
        for (const name of ['lambda_q1', 'lambda_k1', 'lambda_q2', 'lambda_k2'])
          model.parameter(`model.layers.N.self_attn.${name}`, [headSize], { copies });
      },
    }),
  },
  {
    // Norms without weights (modeling_nanochat.py).
    modelTypes: ['nanochat'],
    name: 'nanochat',
    traits: (config) => ({
      ...attentionBias(config),
      isGated: false,
      hasNormWeights: false,
      names: { up: 'mlp.fc1', down: 'mlp.fc2' },
    }),
  },
  {
    modelTypes: ['ctrl'],
    name: 'CTRL',
    traits: (config, { hidden }) => ({
      sizes: { ...wholeHeads(hidden), width: sizeOr(config, 4 * hidden, 'dff') },
      queryKeyValueBias: true,
      outputBias: true,
      isGated: false,
      feedForwardBias: true,
      norms: ['layernorm1', 'layernorm2'],
      normBias: true,
      headBias: true,
      names: {
        embedding: 'transformer.w',
        layer: 'transformer.h.N',
        query: 'multi_head_attention.Wq',
        key: 'multi_head_attention.Wk',
        value: 'multi_head_attention.Wv',
        output: 'multi_head_attention.dense',
        up: 'ffn.0',
        down: 'ffn.2',
        finalNorm: 'transformer.layernorm',
      },
    }),
  },
];

/** Heads that divide the hidden size among themselves: their number does not matter. */
function wholeHeads(hidden: number): Partial<DecoderSizes> {
  return { heads: 1, keyValueHeads: 1, headSize: hidden };
}

export function falconTraits(config: Fields, { hidden, heads, headSize }: DecoderSizes): DecoderTraits {
  const isNew = isOn(config, 'new_decoder_architecture');
  const bias = isOn(config, 'bias');
  const keyValueHeads = isNew ? sizeOr(config, heads, 'num_kv_heads', 'n_head_kv') : isOn(config, 'multi_query') ? 1 : heads;
  return {
    sizes: { keyValueHeads, headSize, width: sizeOr(config, 4 * hidden, 'ffn_hidden_size') },
    queryKeyValueBias: bias,
    outputBias: bias,
    isGated: false,
    feedForwardBias: bias,
    norms: falconNorms(isNew, size(config, 'num_ln_in_parallel_attn'), isOn(config, 'parallel_attn')),
    normBias: true,
    names: {
      ...megatronNames,
      embedding: 'transformer.word_embeddings',
      layer: 'transformer.h.N',
      finalNorm: 'transformer.ln_f',
    },
  };
}

/** Falcon-7B has one norm for both parts, 40B two in parallel, RW-1B two in sequence (modeling_falcon.py, FalconDecoderLayer). */
function falconNorms(isNew: boolean, inParallel: number | undefined, isParallel: boolean): readonly string[] {
  if (!isParallel) return ['post_attention_layernorm', 'input_layernorm'];
  return (inParallel ?? (isNew ? 2 : 1)) === 2 ? ['ln_attn', 'ln_mlp'] : ['input_layernorm'];
}

/** Dense decoders. */
export const decoderFamilies: readonly Architecture[] = [...[...entries, doryFamily].map(decoder), ...gemmaFamilies];
