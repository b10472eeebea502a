/** Names of encoders of text and of images (transformers/conversion_mapping.py of transformers 5.24). */
import { rename, renamesOf, split, type LoadRenames, type RenamesOfTypes } from './loadRenames.js';

/** Attention and feed-forward part of vision transformers before they had the names of decoders. */
const visionTransformer = renamesOf({
  'encoder.layer.': 'layers.',
  'attention.query': 'q_proj',
  'attention.key': 'k_proj',
  'attention.value': 'v_proj',
  'attention.output.dense': 'attention.o_proj',
  'intermediate.dense': 'mlp.fc1',
  'output.dense': 'mlp.fc2',
});

const dinov2: LoadRenames = {
  renames: renamesOf({
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

/** By `model_type`. */
export const encoderRenames: RenamesOfTypes = [
  [['vit', 'deit', 'ijepa', 'vit_msn', 'vivit', 'audio-spectrogram-transformer'], { renames: visionTransformer }],
  [['dinov2', 'dinov2_with_registers'], dinov2],
  [
    ['swin'],
    {
      renames: renamesOf({
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
      renames: renamesOf({
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
  [['dinov3_vit'], { renames: [rename('layer.', 'model.layer.', { notAfter: 'model.' })] }],
  [
    ['jina_embeddings_v3'],
    {
      renames: renamesOf({
        emb_ln: 'embeddings.LayerNorm',
        'encoder.layers': 'layers',
        'mixer.out_proj': 'self_attn.o_proj',
        norm1: 'post_attention_layernorm',
        norm2: 'post_mlp_layernorm',
      }),
      splits: [split('mixer.Wqkv', 'self_attn.q_proj', 'self_attn.k_proj', 'self_attn.v_proj')],
    },
  ],
  [
    ['gte'],
    {
      renames: renamesOf({
        '^new.': '',
        'encoder.layer': 'layers',
        'attention.o_proj': 'self_attn.o_proj',
        attn_ln: 'post_attention_layernorm',
        mlp_ln: 'post_mlp_layernorm',
        'lm_head.norm': 'lm_head.layer_norm',
      }),
      splits: [
        split('attention.qkv_proj', 'self_attn.q_proj', 'self_attn.k_proj', 'self_attn.v_proj'),
        split('mlp.up_gate_proj', 'mlp.up_proj', 'mlp.gate_proj'),
      ],
    },
  ],
];
