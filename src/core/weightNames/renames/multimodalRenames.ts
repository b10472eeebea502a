/** Names of models of text with images or sound (transformers/conversion_mapping.py of transformers 5.24): what older releases had beside each other is below `model`. */
import {
  gatedExperts,
  numberedMatrices,
  rename,
  renamesOf,
  split,
  type LoadRenames,
  type RenamesOfTypes,
} from './loadRenames.js';
import type { Rename } from './rename.js';

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

/** By `model_type`. */
export const multimodalRenames: RenamesOfTypes = [
  [
    ['aria'],
    {
      renames: [
        ...llava.renames,
        ...renamesOf({ 'mlp.experts.fc1.weight': 'mlp.experts.gate_up_proj', 'mlp.experts.fc2.weight': 'mlp.experts.down_proj' }),
      ],
    },
  ],
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
    ['qwen2_5_omni_thinker', 'qwen3_omni_moe_thinker'],
    {
      renames: [
        rename('^thinker.', ''),
        ...belowModel('audio_tower', 'visual'),
        rename('^model', 'model.language_model', { unless: ['.language_model', '.visual', '.audio_tower'] }),
      ],
      merges: gatedExperts,
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
  [
    ['emu3'],
    {
      renames: [
        rename('^text_model.lm_head', 'lm_head'),
        ...belowModel('text_model', 'vqmodel'),
        rename('^model.text_model.model', 'model.text_model'),
      ],
    },
  ],
  [
    ['gemma4_unified'],
    {
      renames: renamesOf({
        'vision_embedder.patch_ln1': 'embed_vision.patch_ln1',
        'vision_embedder.patch_dense': 'embed_vision.patch_dense',
        'vision_embedder.patch_ln2': 'embed_vision.patch_ln2',
        'vision_embedder.pos_embedding': 'embed_vision.pos_embedding',
        'vision_embedder.pos_norm': 'embed_vision.pos_norm',
        'embed_vision.embedding_projection': 'embed_vision.multimodal_embedder.embedding_projection',
      }),
    },
  ],
  [
    ['hunyuan_vl'],
    {
      renames: [
        ...renamesOf({
          'mlp.dense_h_to_4h': 'mlp.fc1',
          'mlp.dense_4h_to_h': 'mlp.fc2',
          '^vit.layers.N.input_layernorm.': 'vit.layers.N.layer_norm1.',
          '^vit.layers.N.post_attention_layernorm.': 'vit.layers.N.layer_norm2.',
          'perceive.proj.0.': 'perceive.proj_conv.',
          'perceive.proj.2.': 'perceive.proj_out.',
          'perceive.': 'patch_merger.',
        }),
        rename('^model', 'model.language_model', { unless: ['.language_model', '.vit', '.vision_tower'] }),
        rename('^model.vit', 'model.vision_tower'),
        rename('^vit', 'model.vision_tower'),
      ],
    },
  ],
  [
    ['step3p7'],
    {
      renames: renamesOf({
        '^vision_model.': 'model.vision_model.',
        '^vit_large_projector.': 'model.multi_modal_projector.',
        '^model.embed_tokens.': 'model.language_model.embed_tokens.',
        '^model.layers.': 'model.language_model.layers.',
        '^model.norm.': 'model.language_model.norm.',
        '.moe.gate.weight': '.mlp.gate.weight',
        '.moe.router_bias': '.mlp.gate.e_score_correction_bias',
        '.moe.down_proj.weight': '.mlp.experts.down_proj',
        '.moe.down_proj.weight_scale_inv': '.mlp.experts.down_proj_scale_inv',
        '.share_expert.': '.mlp.shared_experts.',
        '^model.vision_model.conv1.weight': 'model.vision_model.embeddings.patch_embedding.weight',
        '^model.vision_model.positional_embedding': 'model.vision_model.embeddings.position_embedding.weight',
        '^model.vision_model.transformer.resblocks.': 'model.vision_model.layers.',
        '^model.vision_model.ln_pre.': 'model.vision_model.pre_layernorm.',
        '^model.vision_model.vit_downsampler1.': 'model.vision_model.downsampler1.',
        '^model.vision_model.vit_downsampler2.': 'model.vision_model.downsampler2.',
        '.ls_1.gamma': '.lambda_1',
        '.ls_2.gamma': '.lambda_2',
        '.mlp.c_fc.': '.mlp.fc1.',
        '.mlp.c_proj.': '.mlp.fc2.',
        '.attn.': '.self_attn.',
        '.ln_1.': '.layernorm_before.',
        '.ln_2.': '.layernorm_after.',
      }),
      splits: [
        split('attn.in_proj_weight', 'attn.q_proj.weight', 'attn.k_proj.weight', 'attn.v_proj.weight'),
        split('attn.in_proj_bias', 'attn.q_proj.bias', 'attn.k_proj.bias', 'attn.v_proj.bias'),
      ],
      merges: renamesOf({ 'moe.gate_proj.weight': 'mlp.experts.gate_up_proj', 'moe.up_proj.weight': 'mlp.experts.gate_up_proj' }),
    },
  ],
  [
    ['minimax_m3_vl'],
    {
      renames: renamesOf({
        '^language_model.lm_head': 'lm_head',
        '^language_model.model.': 'model.language_model.',
        '^vision_tower.vision_model.embeddings.patch_embedding.': 'model.vision_tower.embeddings.proj.',
        '^vision_tower.vision_model.encoder.layers.': 'model.vision_tower.layers.',
        '^vision_tower.vision_model.pre_layrnorm.': 'model.vision_tower.pre_layrnorm.',
        '^multi_modal_projector.linear_1.': 'model.multi_modal_projector.linear_1.',
        '^multi_modal_projector.linear_2.': 'model.multi_modal_projector.linear_2.',
        '^patch_merge_mlp.linear_1.': 'model.multi_modal_projector.merge_linear_1.',
        '^patch_merge_mlp.linear_2.': 'model.multi_modal_projector.merge_linear_2.',
        '.block_sparse_moe.experts.': '.mlp.experts.',
        '.block_sparse_moe.gate.': '.mlp.gate.',
        '.block_sparse_moe.shared_experts.': '.mlp.shared_experts.',
        '.block_sparse_moe.e_score_correction_bias': '.mlp.gate.e_score_correction_bias',
        '.self_attn.index_q_proj.': '.self_attn.indexer.q_proj.',
        '.self_attn.index_k_proj.': '.self_attn.indexer.k_proj.',
        '.self_attn.index_q_norm.': '.self_attn.indexer.q_norm.',
        '.self_attn.index_k_norm.': '.self_attn.indexer.k_norm.',
      }),
      splits: numberedMatrices,
      merges: [
        ...gatedExperts,
        ...renamesOf({ '.gate_proj.weight': '.gate_up_proj.weight', '.up_proj.weight': '.gate_up_proj.weight' }),
      ],
    },
  ],
  [
    ['molmo2'],
    {
      renames: [
        rename('transformer.', 'language_model.', { unless: ['ln_f.', 'blocks.'], notAfter: 'image_vit.' }),
        rename('transformer.ln_f.', 'language_model.norm.', { notAfter: 'image_vit.' }),
        rename('transformer.blocks.', 'language_model.layers.', { notAfter: 'image_vit.' }),
        rename('vision_backbone.image_vit.', 'vision_tower.', { unless: ['transformer.resblocks.'] }),
        ...renamesOf({
          'vision_backbone.image_vit.transformer.resblocks.': 'vision_tower.layers.',
          'vision_backbone.image_pooling_2d.': 'multi_modal_projector.image_pooling_2d.',
          'vision_backbone.image_projector.': 'multi_modal_projector.image_projector.',
          '.attention.wq': '.self_attn.q_proj',
          '.attention.wk': '.self_attn.k_proj',
          '.attention.wv': '.self_attn.v_proj',
          '.attention.wo': '.self_attn.o_proj',
          '.feed_forward.w1': '.mlp.fc1',
          '.feed_forward.w2': '.mlp.fc2',
          '.attention_norm': '.layer_norm1',
          '.ffn_norm': '.layer_norm2',
          'image_pooling_2d.wq': 'image_pooling_2d.q_proj',
          'image_pooling_2d.wk': 'image_pooling_2d.k_proj',
          'image_pooling_2d.wv': 'image_pooling_2d.v_proj',
          'image_pooling_2d.wo': 'image_pooling_2d.o_proj',
          'image_projector.w1': 'image_projector.gate_proj',
          'image_projector.w2': 'image_projector.down_proj',
          'image_projector.w3': 'image_projector.up_proj',
          '.attn_norm.': '.input_layernorm.',
          '.ff_norm.': '.post_attention_layernorm.',
          'self_attn.attn_out': 'self_attn.o_proj',
          'mlp.ff_out': 'mlp.down_proj',
        }),
      ],
      splits: [
        split('self_attn.att_proj', 'self_attn.q_proj', 'self_attn.k_proj', 'self_attn.v_proj'),
        split('mlp.ff_proj.weight', 'mlp.up_proj.weight', 'mlp.gate_proj.weight'),
      ],
      merges: renamesOf({ 'wte.embedding': 'embed_tokens.weight', 'wte.new_embedding': 'embed_tokens.weight' }),
    },
  ],
  // Norms and layers of the tower are counted from 0 in the code that it was published with.
  [
    ['kimi_k25'],
    {
      renames: renamesOf({
        'language_model.model': 'model.language_model',
        'language_model.lm_head': 'lm_head',
        'vision_tower.encoder.blocks.N.norm1': 'vision_tower.encoder.blocks.N.norm2',
        'vision_tower.encoder.blocks.N.norm0': 'vision_tower.encoder.blocks.N.norm1',
        'vision_tower.encoder.blocks.N.mlp.fc1': 'vision_tower.encoder.blocks.N.mlp.fc2',
        'vision_tower.encoder.blocks.N.mlp.fc0': 'vision_tower.encoder.blocks.N.mlp.fc1',
        'vision_tower.encoder.blocks.N.wo': 'vision_tower.encoder.blocks.N.attn.proj',
        'vision_tower.encoder': 'model.vision_tower',
        'mm_projector.proj.0': 'model.mm_projector.in_proj',
        'mm_projector.proj.2': 'model.mm_projector.out_proj',
        blocks: 'layers',
        'vision_tower.patch_embed.pos_emb.weight': 'model.vision_tower.patch_embed.pos_emb.position_embeddings',
      }),
      splits: [split('wqkv', 'attn.q_proj', 'attn.k_proj', 'attn.v_proj')],
      merges: gatedExperts,
    },
  ],
];
