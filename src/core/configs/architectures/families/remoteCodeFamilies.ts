import type { Fields } from '../../fields.js';
import type { Architecture } from '../architecture.js';
import { classDefaults } from '../classDefaults/classDefaults.js';
import { attentionBias, decoder, type DecoderEntry, type DecoderTraits } from '../decoderEntry.js';
import { falconTraits } from './decoderFamilies.js';
import { deepseekExperts, expertsOf } from './expertFamilies.js';
import { periodicLayers } from '../layerPattern.js';
import { type DecoderSizes, flagOr, isOn, size, sizeOr } from '../sizes.js';
import { addMamba, addMamba2 } from '../stateSpace.js';

/** ChatGLM 2 and 3, and GLM-4 as first published (THUDM/chatglm3-6b, modeling_chatglm.py). */
function chatglmTraits(config: Fields, { hidden, heads }: DecoderSizes): DecoderTraits {
  const bias = isOn(config, 'add_bias_linear');
  const isShared = isOn(config, 'multi_query_attention');
  return {
    sizes: {
      vocabulary: sizeOr(config, NaN, 'padded_vocab_size', 'vocab_size'),
      keyValueHeads: isShared ? sizeOr(config, heads, 'multi_query_group_num') : heads,
      headSize: sizeOr(config, Math.floor(hidden / heads), 'kv_channels'),
      width: sizeOr(config, NaN, 'ffn_hidden_size'),
    },
    queryKeyValueBias: bias || isOn(config, 'add_qkv_bias'),
    outputBias: bias,
    feedForwardBias: bias,
    normBias: !flagOr(config, true, 'rmsnorm'),
    hasFinalNorm: flagOr(config, true, 'post_layer_norm'),
    names: {
      embedding: 'transformer.embedding.word_embeddings',
      layer: 'transformer.encoder.layers.N',
      queryKeyValue: 'self_attention.query_key_value',
      output: 'self_attention.dense',
      gateUp: 'mlp.dense_h_to_4h',
      down: 'mlp.dense_4h_to_h',
      finalNorm: 'transformer.encoder.final_layernorm',
      head: 'transformer.output_layer',
    },
  };
}

/** Arctic: a dense part as wide as the hidden states beside the experts (Snowflake/snowflake-arctic-base, modeling_arctic.py). */
function arcticTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, layers } = sizes;
  const sparse = periodicLayers(layers, sizeOr(config, 1, 'moe_layer_frequency'), -1);
  const copies = flagOr(config, true, 'parallel_attn_mlp_res') ? sparse : 0;
  return {
    ...attentionBias(config),
    experts: expertsOf(config, sizes, { layers: sparse }),
    names: { router: 'block_sparse_moe.gate', expert: 'block_sparse_moe.experts.N' },
    add: (model) => {
      model
        .linear('model.layers.N.residual_mlp.w1', hidden, hidden, { copies })
        .linear('model.layers.N.residual_mlp.w3', hidden, hidden, { copies })
        .linear('model.layers.N.residual_mlp.w2', hidden, hidden, { copies })
        .norm('model.layers.N.residual_layernorm', hidden, { copies });
    },
  };
}

/** Mamba as its authors publish it (state-spaces/mamba, mamba_ssm/models/config_mamba.py): no `model_type`, a vocabulary that is padded. */
function mambaSsmTraits(config: Fields, { hidden, layers, vocabulary }: DecoderSizes): DecoderTraits {
  const layer = config.at('ssm_cfg');
  const multiple = Math.max(sizeOr(config, 8, 'pad_vocab_size_multiple'), 1);
  const inner = sizeOr(layer, 2, 'expand') * hidden;
  const kernel = sizeOr(layer, 4, 'd_conv');
  const prefix = 'backbone.layers.N.mixer';
  return {
    sizes: { vocabulary: multiple * Math.ceil(vocabulary / multiple) },
    attentionLayers: 0,
    feedForwardLayers: 0,
    norms: ['norm'],
    isTied: flagOr(config, true, 'tie_embeddings'),
    names: { embedding: 'backbone.embedding', layer: 'backbone.layers.N', finalNorm: 'backbone.norm_f' },
    add: (model) => {
      if (layer.text('layer') === 'Mamba2') {
        const heads = Math.floor(inner / sizeOr(layer, 64, 'headdim'));
        const state = sizeOr(layer, 128, 'd_state');
        const groups = sizeOr(layer, 1, 'ngroups');
        const biases = { convolutionBias: true, inputBias: false, outputBias: false };
        addMamba2(model, { hidden, inner, heads, state, groups, kernel, ...biases, hasNorm: true }, layers, prefix);
      } else {
        const rank = Math.ceil(hidden / 16);
        const state = sizeOr(layer, 16, 'd_state');
        addMamba(model, { hidden, inner, state, rank, kernel, convolutionBias: true, bias: false }, layers, prefix);
      }
    },
  };
}

/** OpenMoE: a dense part beside the experts, and gates of twice the width for SwiGLU (ColossalAI, colossalai/legacy/moe/openmoe/model/modeling_openmoe.py). */
function openMoeTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, layers, width } = sizes;
  const isTwice = config.text('hidden_act') === 'swiglu';
  const gateWidth = isTwice ? 2 * width : width;
  const sparse = periodicLayers(layers, sizeOr(config, 1, 'moe_layer_interval'), -1);
  const count = sizeOr(config, 0, 'num_experts');
  const active = Math.min(sizeOr(config, 2, 'topk', 'router_topk'), count);
  const layer = 'model.layers.N';
  const routed = { copies: sparse * count, activeCopies: sparse * active };
  return {
    isTied: false,
    feedForwardLayers: 0,
    add: (model) => {
      for (const [part, options] of [
        ['mlp', { copies: layers - sparse }],
        ['extra_mlp', { copies: sparse }],
        ['mlp.experts.N', routed],
      ] as const) {
        const isGated = part !== 'mlp.experts.N' || flagOr(config, true, 'gated', 'mlp_gated');
        if (isGated) model.linear(`${layer}.${part}.gate_proj`, hidden, gateWidth, options);
        model
          .linear(`${layer}.${part}.up_proj`, hidden, width, options)
          .linear(`${layer}.${part}.down_proj`, width, hidden, options);
      }
      model
        .parameter(`${layer}.mlp.gate_weight`, [count, hidden], { copies: sparse })
        .norm(`${layer}.pre_extra_mlp_layernorm`, hidden, { copies: sparse });
    },
  };
}

/** Ling and Ring (inclusionAI/Ling-lite, modeling_bailing_moe.py). */
function bailingMoeTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const bias = isOn(config, 'use_bias');
  return {
    queryKeyValueBias: isOn(config, 'use_qkv_bias'),
    outputBias: bias,
    queryKeyNorm: isOn(config, 'use_qk_norm') ? 'head' : null,
    experts: deepseekExperts(config, sizes, { hasCorrectionBias: isOn(config, 'moe_router_enable_expert_bias') }),
    names: {
      embedding: 'model.word_embeddings',
      queryKeyValue: 'attention.query_key_value',
      output: 'attention.dense',
      queryNorm: 'attention.query_layernorm',
      keyNorm: 'attention.key_layernorm',
      correctionBias: 'mlp.gate.expert_bias',
    },
  };
}

const entries: readonly DecoderEntry[] = [
  { modelTypes: ['Yi', 'xverse', 'aquila', 'skywork'], name: 'Llama' },
  {
    modelTypes: ['orion'],
    name: 'Orion',
    traits: (config) => ({ ...attentionBias(config), normBias: true }),
  },
  {
    modelTypes: ['baichuan'],
    name: 'Baichuan',
    traits: () => ({ names: { queryKeyValue: 'self_attn.W_pack' } }),
  },
  {
    modelTypes: ['internlm'],
    name: 'InternLM',
    traits: (config) => {
      const bias = flagOr(config, true, 'bias');
      return { queryKeyValueBias: bias, outputBias: bias };
    },
  },
  {
    modelTypes: ['internlm2'],
    name: 'InternLM2',
    traits: (config) => {
      const bias = flagOr(config, true, 'bias');
      return {
        queryKeyValueBias: bias,
        outputBias: bias,
        norms: ['attention_norm', 'ffn_norm'],
        names: {
          embedding: 'model.tok_embeddings',
          queryKeyValue: 'attention.wqkv',
          output: 'attention.wo',
          gate: 'feed_forward.w1',
          up: 'feed_forward.w3',
          down: 'feed_forward.w2',
          head: 'output',
        },
      };
    },
  },
  { modelTypes: ['chatglm'], name: 'ChatGLM', traits: chatglmTraits },
  {
    modelTypes: ['qwen'],
    name: 'Qwen',
    traits: (config, { hidden, heads, width }) => ({
      sizes: {
        keyValueHeads: heads,
        headSize: sizeOr(config, Math.floor(hidden / heads), 'kv_channels'),
        // Of gate and up together (Qwen/Qwen-7B, modeling_qwen.py, QWenMLP).
        width: Math.floor(width / 2),
      },
      queryKeyValueBias: true,
      outputBias: !flagOr(config, true, 'no_bias'),
      feedForwardBias: !flagOr(config, true, 'no_bias'),
      norms: ['ln_1', 'ln_2'],
      names: {
        embedding: 'transformer.wte',
        layer: 'transformer.h.N',
        queryKeyValue: 'attn.c_attn',
        output: 'attn.c_proj',
        gate: 'mlp.w2',
        up: 'mlp.w1',
        down: 'mlp.c_proj',
        finalNorm: 'transformer.ln_f',
      },
    }),
  },
  // XiaomiMiMo/MiMo-7B-Base, modeling_mimo.py: Qwen2 with a module that predicts further tokens.
  { modelTypes: ['mimo'], name: 'MiMo', traits: (config) => ({ queryKeyValueBias: flagOr(config, true, 'attention_bias') }) },
  {
    modelTypes: ['deepseek'],
    name: 'DeepSeekMoE',
    traits: (config, sizes) => ({
      ...attentionBias(config),
      experts:
        size(config, 'n_routed_experts') === undefined ? null : deepseekExperts(config, sizes, { hasCorrectionBias: false }),
    }),
  },
  {
    // openbmb/MiniCPM-2B-sft-bf16: tied where the config does not say.
    modelTypes: ['minicpm'],
    name: 'MiniCPM',
    traits: (config, sizes) => ({
      ...attentionBias(config),
      isTied: flagOr(config, true, 'tie_word_embeddings'),
      experts: (size(config, 'num_experts') ?? 0) === 0 ? null : expertsOf(config, sizes),
    }),
  },
  {
    modelTypes: ['exaone'],
    name: 'EXAONE',
    // Biases are options of transformers' own class for it, which is Llama's.
    traits: (config) => ({
      ...attentionBias(config),
      feedForwardBias: isOn(config, 'mlp_bias'),
      norms: ['ln_1', 'ln_2'],
      names: {
        embedding: 'transformer.wte',
        layer: 'transformer.h.N',
        query: 'attn.attention.q_proj',
        key: 'attn.attention.k_proj',
        value: 'attn.attention.v_proj',
        output: 'attn.attention.out_proj',
        gate: 'mlp.c_fc_0',
        up: 'mlp.c_fc_1',
        down: 'mlp.c_proj',
        finalNorm: 'transformer.ln_f',
      },
    }),
  },
  { modelTypes: ['bailing_moe', 'bailing_moe_v2'], name: 'Ling', traits: bailingMoeTraits },
  { modelTypes: ['arctic'], name: 'Arctic', traits: arcticTraits },
  { modelTypes: ['openmoe'], name: 'OpenMoE', traits: openMoeTraits },
  {
    // Falcon-40B before transformers had its class.
    modelTypes: ['RefinedWeb'],
    name: 'Falcon',
    defaults: { ...classDefaults['falcon'], new_decoder_architecture: true },
    traits: falconTraits,
  },
  { modelTypes: ['RefinedWebModel'], name: 'Falcon', defaults: { ...classDefaults['falcon'] }, traits: falconTraits },
];

/** Decoders whose classes are published beside their weights, not in transformers. */
export const remoteCodeFamilies: readonly Architecture[] = entries.map(decoder);

/** For configs of Mamba's authors, which name no type. */
export const mambaSsm: Architecture = decoder({ modelTypes: [], name: 'Mamba', traits: mambaSsmTraits });
