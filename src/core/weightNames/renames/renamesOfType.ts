/**
 * Names that transformers 5.24 takes for others when it loads a checkpoint, by `model_type` (transformers/conversion_mapping.py): those of older
 * releases, of the code that a model was published with, and of what is stored in several tensors and loaded into one.
 */
import type { Rename } from './rename.js';

export interface LoadRenames {
  /** One after the other. */
  renames: readonly Rename[];
  /** After those, the first that applies: parts of fused tensors, and experts by the names of their matrices. */
  splits?: readonly Rename[];
  /** After those, the first that applies: several tensors that are loaded into one. */
  merges?: readonly Rename[];
}

function rename(from: string, to: string, more: Omit<Rename, 'from' | 'to'> = {}): Rename {
  return { from, to: [to], ...more };
}

function split(from: string, ...to: string[]): Rename {
  return { from, to };
}

function all(renames: Readonly<Record<string, string>>): Rename[] {
  return Object.entries(renames).map(([from, to]) => rename(from, to));
}

/** Of every type, after its own. */
export const legacyRenames: readonly Rename[] = all({
  'LayerNorm.gamma': 'LayerNorm.weight',
  'LayerNorm.beta': 'LayerNorm.bias',
  '.weight_g': '.parametrizations.weight.original0',
  '.weight_v': '.parametrizations.weight.original1',
  '^model.language_model.model': 'model.language_model',
  '^language_model.model.model': 'model.language_model',
});

/** Experts of three matrices, loaded as two tensors of a layer. */
const gatedExperts = all({
  '.experts.N.gate_proj.weight': '.experts.gate_up_proj',
  '.experts.N.up_proj.weight': '.experts.gate_up_proj',
  '.experts.N.down_proj.weight': '.experts.down_proj',
});

/** Experts of two matrices. */
const plainExperts = all({
  '.experts.N.up_proj.weight': '.experts.up_proj',
  '.experts.N.down_proj.weight': '.experts.down_proj',
});

/** Names that Llama's own code has for the matrices of an expert. */
const numberedMatrices = all({
  '.experts.N.w1.weight': '.experts.N.gate_proj.weight',
  '.experts.N.w2.weight': '.experts.N.down_proj.weight',
  '.experts.N.w3.weight': '.experts.N.up_proj.weight',
});

const qwenMoe: LoadRenames = { renames: [], merges: gatedExperts };

const mixtral: LoadRenames = { renames: all({ '.block_sparse_moe.': '.mlp.' }), splits: numberedMatrices, merges: gatedExperts };

const graniteMoe: LoadRenames = {
  renames: all({
    'block_sparse_moe.input_linear.weight': 'block_sparse_moe.experts.gate_up_proj',
    'block_sparse_moe.output_linear.weight': 'block_sparse_moe.experts.down_proj',
    'block_sparse_moe.router.layer.weight': 'block_sparse_moe.router.weight',
  }),
};

/** Modules that an older release had beside each other, and that are below `model` now. */
function belowModel(...modules: string[]): Rename[] {
  return modules.map((module) => rename(`^${module}`, `model.${module}`));
}

/** A decoder with a head of its own in older releases. */
const decoderBelowModel: readonly Rename[] = [rename('^language_model.lm_head', 'lm_head'), ...belowModel('language_model')];
const withoutInnerModel = rename('^model.language_model.model', 'model.language_model');

/** Towers of CLIP and SigLIP had one more level. */
function withoutVisionModel(...towers: string[]): Rename[] {
  return towers.map((tower) => rename(`^model.${tower}.vision_model.`, `model.${tower}.`));
}

const llava: LoadRenames = {
  renames: [
    ...decoderBelowModel,
    ...belowModel('vision_tower', 'multi_modal_projector', 'image_newline'),
    withoutInnerModel,
    ...withoutVisionModel('vision_tower'),
  ],
};

const qwenVision: LoadRenames = {
  renames: [...belowModel('visual'), rename('^model', 'model.language_model', { unless: ['.language_model', '.visual'] })],
};

const qwenAudio: LoadRenames = {
  renames: [...decoderBelowModel, ...belowModel('audio_tower', 'multi_modal_projector'), withoutInnerModel],
};

/** Text models that are stored below the name that they have in a model of text and images. */
const textAlone: LoadRenames = { renames: all({ '^model.language_model.': 'model.' }) };

/** Attention and feed-forward part of vision transformers before they had the names of decoders. */
const visionTransformer = all({
  'encoder.layer.': 'layers.',
  'attention.query': 'q_proj',
  'attention.key': 'k_proj',
  'attention.value': 'v_proj',
  'attention.output.dense': 'attention.o_proj',
  'intermediate.dense': 'mlp.fc1',
  'output.dense': 'mlp.fc2',
});

const dinov2: LoadRenames = {
  renames: all({
    'attention.attention.query': 'attention.q_proj',
    'attention.attention.key': 'attention.k_proj',
    'attention.attention.value': 'attention.v_proj',
    'attention.output.dense': 'attention.o_proj',
    'mlp.weights_out': 'mlp.down_proj',
  }),
  splits: [
    split('mlp.weights_in.weight', 'mlp.gate_proj.weight', 'mlp.up_proj.weight'),
    split('mlp.weights_in.bias', 'mlp.gate_proj.bias', 'mlp.up_proj.bias'),
  ],
};

/** Convolutions of query, key and value in linear attention. */
const convolutions = (module: string): Rename[] =>
  ['q', 'k', 'v'].map((part) => rename(`${module}.${part}_conv1d.weight`, `${module}.conv1d.weight`));

const types: readonly (readonly [modelTypes: readonly string[], LoadRenames])[] = [
  [
    [
      'qwen2_moe',
      'qwen3_moe',
      'qwen3_next',
      'qwen3_omni_moe',
      'qwen3_omni_moe_text',
      'qwen3_omni_moe_thinker',
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
    { ...qwenMoe, renames: all({ 'mlp.moe_statics.e_score_correction_bias': 'mlp.gate.moe_statics.e_score_correction_bias' }) },
  ],
  [['exaone_moe'], { ...qwenMoe, renames: all({ 'mlp.e_score_correction_bias': 'mlp.gate.e_score_correction_bias' }) }],
  [['mimo_v2_flash'], { ...qwenMoe, renames: all({ 'self_attn.attention_sink_bias': 'self_attn.sinks' }) }],
  [['flint'], { ...qwenMoe, renames: all({ 'self_attn.softmax_offset': 'self_attn.sinks' }) }],
  [['axk1'], { ...qwenMoe, renames: all({ post_mlp_layernorm: 'mlp.post_mlp_layernorm' }) }],
  [
    ['hy_v3'],
    {
      ...qwenMoe,
      renames: all({
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
      renames: all({
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
      renames: all({
        '.block_sparse_moe.e_score_correction_bias': '.mlp.e_score_correction_bias',
        '.block_sparse_moe.': '.mlp.',
      }),
    },
  ],
  [['phimoe'], { ...mixtral, renames: all({ '.block_sparse_moe.': '.mlp.', '.gate.weight': '.router.weight' }) }],
  [['granitemoe', 'granitemoeshared', 'granitemoehybrid'], graniteMoe],
  [['jamba'], qwenMoe],
  [['lfm2_moe'], { ...mixtral, renames: [] }],
  [['nemotron_h'], { renames: all({ 'backbone.': 'model.' }), merges: plainExperts }],
  [
    ['kimi_linear'],
    {
      renames: all({
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
      renames: all({
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
      renames: all({ attention_layer_norm: 'input_layernorm', feedforward_layer_norm: 'post_attention_layernorm' }),
      merges: convolutions('linear_attn'),
    },
  ],
  [
    ['aria_text'],
    { renames: all({ 'mlp.experts.fc1.weight': 'mlp.experts.gate_up_proj', 'mlp.experts.fc2.weight': 'mlp.experts.down_proj' }) },
  ],
  [
    ['aria'],
    {
      renames: [
        ...llava.renames,
        ...all({ 'mlp.experts.fc1.weight': 'mlp.experts.gate_up_proj', 'mlp.experts.fc2.weight': 'mlp.experts.down_proj' }),
      ],
    },
  ],
  [
    ['exaone'],
    {
      renames: all({
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
  [['gpt_neox'], { renames: all({ '^embed_out.': 'lm_head.' }) }],
  [
    [
      'llava',
      'llava_next',
      'llava_next_video',
      'llava_onevision',
      'vipllava',
      'paligemma',
      'gemma3',
      'mistral3',
      'internvl',
      'aya_vision',
      'got_ocr2',
      'pp_chart2table',
    ],
    llava,
  ],
  [
    ['video_llava'],
    {
      renames: [
        ...decoderBelowModel,
        ...belowModel('image_tower', 'video_tower', 'multi_modal_projector'),
        withoutInnerModel,
        ...withoutVisionModel('image_tower', 'video_tower'),
      ],
    },
  ],
  [['mllama'], { renames: [...decoderBelowModel, ...belowModel('vision_model', 'multi_modal_projector'), withoutInnerModel] }],
  [['fuyu'], { renames: [...decoderBelowModel, ...belowModel('vision_embed_tokens'), withoutInnerModel] }],
  [['qwen2_vl', 'qwen2_5_vl'], qwenVision],
  [
    ['qwen2_5_omni_thinker'],
    {
      renames: [
        rename('^thinker.', ''),
        ...belowModel('audio_tower', 'visual'),
        rename('^model', 'model.language_model', { unless: ['.language_model', '.visual', '.audio_tower'] }),
      ],
    },
  ],
  [['qwen2_audio', 'voxtral', 'voxtral_realtime', 'audioflamingo3', 'musicflamingo', 'glmasr'], qwenAudio],
  [
    ['granite_speech', 'granite_speech_plus'],
    { renames: [...decoderBelowModel, ...belowModel('encoder', 'projector'), withoutInnerModel] },
  ],
  [
    ['paddleocr_vl'],
    {
      renames: [
        rename('^mlp_AR', 'model.projector'),
        ...belowModel('visual'),
        rename('^model', 'model.language_model', { unless: ['.visual', '.projector', '.language_model'] }),
      ],
    },
  ],
  [['qwen3_5_text', 'qwen3_5_moe_text', 'gemma3n_text', 'apertus1p5_text'], textAlone],
  [['vit', 'deit', 'ijepa', 'vit_msn', 'vivit', 'audio-spectrogram-transformer'], { renames: visionTransformer }],
  [['dinov2', 'dinov2_with_registers'], dinov2],
  [
    ['swin'],
    {
      renames: all({
        'attention.self.query': 'attention.q_proj',
        'attention.self.key': 'attention.k_proj',
        'attention.self.value': 'attention.v_proj',
        'attention.self.relative_position_bias_table': 'attention.relative_position_bias.relative_position_bias_table',
        'attention.output.dense': 'attention.o_proj',
        'intermediate.dense': 'mlp.fc1',
        'output.dense': 'mlp.fc2',
      }),
    },
  ],
  [
    ['nomic_bert'],
    {
      renames: all({
        'encoder.layers': 'layers',
        emb_ln: 'embeddings.LayerNorm',
        'attn.out_proj': 'self_attn.o_proj',
        fc11: 'up_proj',
        fc12: 'gate_proj',
        fc2: 'down_proj',
        norm1: 'post_attention_layernorm',
        norm2: 'post_mlp_layernorm',
      }),
      splits: [split('attn.Wqkv', 'self_attn.q_proj', 'self_attn.k_proj', 'self_attn.v_proj')],
    },
  ],
];

/** What differs from the names of the loaded model, by `model_type`. */
export const renamesOfType: ReadonlyMap<string, LoadRenames> = new Map(
  types.flatMap(([modelTypes, renames]) => modelTypes.map((modelType) => [modelType, renames] as const)),
);
