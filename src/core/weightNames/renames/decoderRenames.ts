/** Names of decoders (transformers/conversion_mapping.py of transformers 5.24): experts, and the code that models were published with. */
import {
  gatedExperts,
  numberedMatrices,
  plainExperts,
  rename,
  renamesOf,
  split,
  type LoadRenames,
  type RenamesOfTypes,
} from './loadRenames.js';
import type { Rename } from './rename.js';

const qwenMoe: LoadRenames = { renames: [], merges: gatedExperts };

const mixtral: LoadRenames = {
  renames: renamesOf({ '.block_sparse_moe.': '.mlp.' }),
  splits: numberedMatrices,
  merges: gatedExperts,
};

const graniteMoe: LoadRenames = {
  renames: renamesOf({
    'block_sparse_moe.input_linear.weight': 'block_sparse_moe.experts.gate_up_proj',
    'block_sparse_moe.output_linear.weight': 'block_sparse_moe.experts.down_proj',
    'block_sparse_moe.router.layer.weight': 'block_sparse_moe.router.weight',
  }),
};

/** Text models that are stored below the name that they have in a model of text and images. */
const textAlone: LoadRenames = { renames: renamesOf({ '^model.language_model.': 'model.' }) };

/** Convolutions of query, key and value in linear attention. */
const convolutions = (module: string): Rename[] =>
  ['q', 'k', 'v'].map((part) => rename(`${module}.${part}_conv1d.weight`, `${module}.conv1d.weight`));

/** By `model_type`. */
export const decoderRenames: RenamesOfTypes = [
  [
    [
      'qwen2_moe',
      'qwen3_moe',
      'qwen3_next',
      'qwen3_omni_moe',
      'qwen3_omni_moe_text',
      'olmoe',
      'flex_olmo',
      'deepseek_v2',
      'deepseek_v3',
      'deepseek_v32',
      'afmoe',
      'beam',
      'dots1',
      'glm4_moe',
      'glm4_moe_lite',
      'glm4v_moe',
      'glm_moe_dsa',
      'longcat_flash',
      'solar_open',
      'mellum',
      'hunyuan_v1_moe',
      'sarvam_mla',
      'cohere2_moe',
    ],
    qwenMoe,
  ],
  [
    ['ernie4_5_moe'],
    {
      ...qwenMoe,
      renames: renamesOf({ 'mlp.moe_statics.e_score_correction_bias': 'mlp.gate.moe_statics.e_score_correction_bias' }),
    },
  ],
  [['exaone_moe'], { ...qwenMoe, renames: renamesOf({ 'mlp.e_score_correction_bias': 'mlp.gate.e_score_correction_bias' }) }],
  [['mimo_v2_flash'], { ...qwenMoe, renames: renamesOf({ 'self_attn.attention_sink_bias': 'self_attn.sinks' }) }],
  [['flint'], { ...qwenMoe, renames: renamesOf({ 'self_attn.softmax_offset': 'self_attn.sinks' }) }],
  [['axk1'], { ...qwenMoe, renames: renamesOf({ post_mlp_layernorm: 'mlp.post_mlp_layernorm' }) }],
  [
    ['hy_v3'],
    {
      ...qwenMoe,
      renames: renamesOf({
        'mlp.router.gate.weight': 'mlp.gate.weight',
        'mlp.expert_bias': 'mlp.e_score_correction_bias',
        'mlp.shared_mlp.': 'mlp.shared_experts.',
      }),
    },
  ],
  [
    ['laguna'],
    {
      ...qwenMoe,
      renames: renamesOf({
        'mlp.experts.e_score_correction_bias': 'mlp.gate.e_score_correction_bias',
        'mlp.shared_expert.': 'mlp.shared_experts.',
      }),
    },
  ],
  [['mixtral', 'minimax'], mixtral],
  [
    ['minimax_m2'],
    {
      ...mixtral,
      renames: renamesOf({
        '.block_sparse_moe.e_score_correction_bias': '.mlp.e_score_correction_bias',
        '.block_sparse_moe.': '.mlp.',
      }),
    },
  ],
  [['phimoe'], { ...mixtral, renames: renamesOf({ '.block_sparse_moe.': '.mlp.', '.gate.weight': '.router.weight' }) }],
  [['granitemoe', 'granitemoeshared', 'granitemoehybrid'], graniteMoe],
  [['jamba'], qwenMoe],
  [['lfm2_moe'], { ...mixtral, renames: [] }],
  [['nemotron_h'], { renames: renamesOf({ 'backbone.': 'model.' }), merges: plainExperts }],
  [
    ['kimi_linear'],
    {
      renames: renamesOf({
        'self_attn.f_a_proj.': 'self_attn.forget_gate.f_a_proj.',
        'self_attn.f_b_proj.': 'self_attn.forget_gate.f_b_proj.',
        'self_attn.dt_bias': 'self_attn.forget_gate.dt_bias',
        'self_attn.A_log': 'self_attn.forget_gate.A_log',
        '.block_sparse_moe.': '.mlp.',
      }),
      splits: numberedMatrices,
      merges: [...gatedExperts, ...convolutions('self_attn')],
    },
  ],
  [
    ['bailing_hybrid'],
    {
      renames: renamesOf({
        '^model.word_embeddings.': 'model.embed_tokens.',
        '.attention.': '.self_attn.',
        'self_attn.f_proj.': 'self_attn.forget_gate.f_proj.',
        'self_attn.dt_bias': 'self_attn.forget_gate.dt_bias',
        'self_attn.A_log': 'self_attn.forget_gate.A_log',
        '.self_attn.dense.': '.self_attn.o_proj.',
        '.mlp.gate.expert_bias': '.mlp.gate.e_score_correction_bias',
      }),
      merges: [...gatedExperts, ...convolutions('self_attn')],
    },
  ],
  [
    ['olmo_hybrid'],
    {
      renames: renamesOf({ attention_layer_norm: 'input_layernorm', feedforward_layer_norm: 'post_attention_layernorm' }),
      merges: convolutions('linear_attn'),
    },
  ],
  [
    ['aria_text'],
    {
      renames: renamesOf({
        'mlp.experts.fc1.weight': 'mlp.experts.gate_up_proj',
        'mlp.experts.fc2.weight': 'mlp.experts.down_proj',
      }),
    },
  ],
  [
    ['exaone'],
    {
      renames: renamesOf({
        '^transformer.wte.': 'model.embed_tokens.',
        '^transformer.h.': 'model.layers.',
        '^transformer.ln_f.': 'model.norm.',
        '.attn.attention.': '.self_attn.',
        '.self_attn.out_proj.': '.self_attn.o_proj.',
        '.ln_1.': '.input_layernorm.',
        '.ln_2.': '.post_attention_layernorm.',
        '.mlp.c_fc_0.': '.mlp.gate_proj.',
        '.mlp.c_fc_1.': '.mlp.up_proj.',
        '.mlp.c_proj.': '.mlp.down_proj.',
      }),
    },
  ],
  [['gpt_neox'], { renames: renamesOf({ '^embed_out.': 'lm_head.' }) }],
  [['qwen3_5_text', 'qwen3_5_moe_text', 'gemma3n_text', 'apertus1p5_text'], textAlone],
  [
    ['glm5_next', 'glm5_next_text'],
    {
      renames: renamesOf({
        'self_attn.f_a_proj.': 'self_attn.forget_gate.f_a_proj.',
        'self_attn.f_b_proj.': 'self_attn.forget_gate.f_b_proj.',
        'self_attn.dt_bias': 'self_attn.forget_gate.dt_bias',
        'self_attn.A_log': 'self_attn.forget_gate.A_log',
        hc_attn_fn: 'attn_hc.fn',
        hc_attn_base: 'attn_hc.base',
        hc_attn_scale: 'attn_hc.scale',
        hc_ffn_fn: 'ffn_hc.fn',
        hc_ffn_base: 'ffn_hc.base',
        hc_ffn_scale: 'ffn_hc.scale',
      }),
      merges: [...gatedExperts, ...convolutions('self_attn')],
    },
  ],
  [
    ['deepseek_v4'],
    {
      renames: renamesOf({
        '.attn.': '.self_attn.',
        '.ffn.': '.mlp.',
        '.indexer.compressor.': '.compressor.indexer.',
        '^embed.weight': 'embed_tokens.weight',
        '^head.weight': 'lm_head.weight',
        '^hc_head_fn': 'hc_head.hc_fn',
        '^hc_head_base': 'hc_head.hc_base',
        '^hc_head_scale': 'hc_head.hc_scale',
        '.attn_norm.': '.input_layernorm.',
        '.ffn_norm.': '.post_attention_layernorm.',
        '.hc_attn_fn': '.attn_hc.fn',
        '.hc_attn_base': '.attn_hc.base',
        '.hc_attn_scale': '.attn_hc.scale',
        '.hc_ffn_fn': '.ffn_hc.fn',
        '.hc_ffn_base': '.ffn_hc.base',
        '.hc_ffn_scale': '.ffn_hc.scale',
        '.attn_sink': '.sinks',
        '.indexer.weights_proj.': '.compressor.indexer.scorer.weights_proj.',
        '.indexer.wq_b.': '.compressor.indexer.q_b_proj.',
        '.norm.': '.kv_norm.',
        '.ape': '.position_bias',
        '.wq_a.': '.q_a_proj.',
        '.self_attn.wq_b.': '.self_attn.q_b_proj.',
        '.wkv.': '.kv_proj.',
        '.wgate.': '.gate_proj.',
        '.wo_a.': '.o_a_proj.',
        '.wo_b.': '.o_b_proj.',
        '.q_norm.': '.q_a_norm.',
        '.gate.bias': '.gate.e_score_correction_bias',
        '.shared_experts.w1.': '.shared_experts.gate_proj.',
        '.shared_experts.w2.': '.shared_experts.down_proj.',
        '.shared_experts.w3.': '.shared_experts.up_proj.',
      }),
      splits: numberedMatrices,
      merges: gatedExperts,
    },
  ],
  [
    ['sarvam_moe'],
    {
      renames: renamesOf({
        '^model.word_embeddings.': 'model.embed_tokens.',
        '.attention.': '.self_attn.',
        '.self_attn.dense.': '.self_attn.o_proj.',
        '.self_attn.query_layernorm.': '.self_attn.q_norm.',
        '.self_attn.key_layernorm.': '.self_attn.k_norm.',
        '.mlp.gate.expert_bias': '.mlp.gate.e_score_correction_bias',
      }),
      splits: [split('query_key_value', 'q_proj', 'k_proj', 'v_proj')],
      merges: gatedExperts,
    },
  ],
  [
    ['kolibri1'],
    {
      ...qwenMoe,
      renames: renamesOf({
        'moe.router.expert_bias': 'mlp.gate.e_score_correction_bias',
        post_attn_norm: 'post_self_attn_layernorm',
        post_ffn_norm: 'post_mlp_layernorm',
      }),
    },
  ],
  [
    ['axk2'],
    { ...qwenMoe, renames: renamesOf({ W_down: 'mlp.fc1', W_up: 'mlp.fc2', 'self_attn.q_b_proj.': 'self_attn.q_gate_proj.' }) },
  ],
  [
    ['hrm_text'],
    {
      renames: renamesOf({ '.attn.o_proj.': '.self_attn.o_proj.' }),
      splits: [
        split('mlp.gate_up_proj.weight', 'mlp.gate_proj.weight', 'mlp.up_proj.weight'),
        split(
          'attn.gqkv_proj.weight',
          'self_attn.gate_proj.weight',
          'self_attn.q_proj.weight',
          'self_attn.k_proj.weight',
          'self_attn.v_proj.weight',
        ),
      ],
    },
  ],
  [
    ['lara_mini'],
    {
      renames: renamesOf({ 'linear_attn.out_norm.': 'linear_attn.norm.' }),
      splits: [
        split(
          'linear_attn.in_proj',
          'linear_attn.in_proj_qkv',
          'linear_attn.in_proj_z',
          'linear_attn.in_proj_b',
          'linear_attn.in_proj_a',
        ),
      ],
    },
  ],
  [['lfm3'], { renames: renamesOf({ '.self_attn.gate_proj.': '.self_attn.g_proj.' }) }],
];
