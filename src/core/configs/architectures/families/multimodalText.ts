/** The language models inside of models that also see or hear. */
import { entryOf } from '../../../text/entryOf.js';
import type { Defaults, Fields } from '../../fields.js';
import type { Architecture } from '../architecture.js';
import { decoderFamilies } from './decoderFamilies.js';
import { encoderFamilies } from './encoderFamilies.js';
import { ernieVisionText } from './ernieVisionFamily.js';
import { expertFamilies } from './expertFamilies.js';
import { hybridFamilies } from './hybridFamilies.js';
import { latentFamilies } from './latentFamilies.js';
import { readSizes } from '../configSizes.js';
import { addLayers, attentionNames } from '../encoderLayer.js';
import type { TextModel } from './multimodalShape.js';
import { stepText } from './stepFamily.js';
import { ModelTensors } from '../tensorGroup.js';

/** A language model under a name of its own that is another one by its tensors. */
interface Alias {
  as: string;
  defaults: Defaults;
}

const qwen2Text: Defaults = {
  vocab_size: 152_064,
  hidden_size: 8192,
  intermediate_size: 29_568,
  num_hidden_layers: 80,
  num_attention_heads: 64,
  num_key_value_heads: 8,
  tie_word_embeddings: false,
};

/** transformers/models/{qwen2_vl,qwen3_vl,qwen3_vl_moe,glm4v,glm4v_moe,…}/configuration_*.py */
const aliases: Readonly<Record<string, Alias>> = {
  qwen2_vl_text: { as: 'qwen2', defaults: qwen2Text },
  qwen2_5_vl_text: { as: 'qwen2', defaults: qwen2Text },
  qwen2_5_omni_text: {
    as: 'qwen2',
    defaults: {
      ...qwen2Text,
      hidden_size: 3584,
      intermediate_size: 18_944,
      num_hidden_layers: 28,
      num_attention_heads: 28,
      num_key_value_heads: 4,
    },
  },
  qwen2_5_omni_talker: {
    as: 'qwen2',
    defaults: {
      ...qwen2Text,
      vocab_size: 8448,
      hidden_size: 3584,
      intermediate_size: 18_944,
      num_hidden_layers: 28,
      num_attention_heads: 28,
      num_key_value_heads: 4,
      head_dim: 128,
    },
  },
  qwen3_vl_text: {
    as: 'qwen3',
    defaults: {
      vocab_size: 151_936,
      hidden_size: 4096,
      intermediate_size: 22_016,
      num_hidden_layers: 32,
      num_attention_heads: 32,
      num_key_value_heads: 32,
      head_dim: 128,
    },
  },
  qwen3_vl_moe_text: {
    as: 'qwen3_moe',
    defaults: {
      vocab_size: 151_936,
      hidden_size: 2048,
      intermediate_size: 5632,
      num_hidden_layers: 24,
      num_attention_heads: 16,
      num_key_value_heads: 16,
      decoder_sparse_step: 1,
      moe_intermediate_size: 1408,
      num_experts_per_tok: 4,
      num_experts: 60,
    },
  },
  qwen3_omni_moe_text: {
    as: 'qwen3_moe',
    defaults: {
      vocab_size: 3584,
      hidden_size: 2048,
      intermediate_size: 18_944,
      num_hidden_layers: 28,
      num_attention_heads: 28,
      num_key_value_heads: 4,
      decoder_sparse_step: 1,
      moe_intermediate_size: 768,
      num_experts_per_tok: 8,
      num_experts: 128,
    },
  },
  qwen3_omni_moe_talker_text: {
    as: 'qwen3_moe',
    defaults: {
      vocab_size: 3072,
      hidden_size: 1024,
      intermediate_size: 2048,
      num_hidden_layers: 20,
      num_attention_heads: 16,
      num_key_value_heads: 2,
      moe_intermediate_size: 384,
      num_experts_per_tok: 8,
      num_experts: 128,
      tie_word_embeddings: false,
    },
  },
  qwen3_omni_moe_talker_code_predictor: {
    as: 'qwen3',
    defaults: {
      vocab_size: 2048,
      hidden_size: 1024,
      intermediate_size: 3072,
      num_hidden_layers: 5,
      num_attention_heads: 16,
      num_key_value_heads: 8,
      head_dim: 128,
      tie_word_embeddings: false,
    },
  },
  // Values of layers of full attention are their keys, and experts are in all (configuration_diffusion_gemma.py).
  diffusion_gemma_text: {
    as: 'gemma4_text',
    defaults: {
      vocab_size: 262_144,
      hidden_size: 2304,
      intermediate_size: 9216,
      num_hidden_layers: 30,
      num_attention_heads: 8,
      num_key_value_heads: 4,
      head_dim: 256,
      tie_word_embeddings: true,
      attention_k_eq_v: true,
      enable_moe_block: true,
    },
  },
  granite4_vision_text: {
    as: 'granite',
    defaults: {
      vocab_size: 32_000,
      hidden_size: 4096,
      intermediate_size: 11_008,
      num_hidden_layers: 32,
      num_attention_heads: 32,
      tie_word_embeddings: false,
    },
  },
  voxtral_text: {
    as: 'llama',
    defaults: {
      vocab_size: 131_072,
      hidden_size: 3072,
      intermediate_size: 8192,
      num_hidden_layers: 30,
      num_attention_heads: 32,
      num_key_value_heads: 8,
      head_dim: 128,
      tie_word_embeddings: false,
    },
  },
  paddleocr_vl_text: {
    as: 'ernie4_5',
    defaults: {
      vocab_size: 103_424,
      hidden_size: 1024,
      intermediate_size: 3072,
      num_hidden_layers: 18,
      num_attention_heads: 16,
      num_key_value_heads: 2,
      head_dim: 128,
    },
  },
  glm4v_text: {
    as: 'glm4',
    defaults: {
      vocab_size: 151_552,
      hidden_size: 4096,
      intermediate_size: 13_696,
      num_hidden_layers: 40,
      num_attention_heads: 32,
      num_key_value_heads: 2,
      attention_bias: true,
    },
  },
  hunyuan_vl_text: {
    as: 'hunyuan_v1_dense',
    defaults: {
      vocab_size: 290_943,
      hidden_size: 4096,
      intermediate_size: 11_008,
      num_hidden_layers: 32,
      num_attention_heads: 32,
      attention_bias: false,
    },
  },
  glm_ocr_text: {
    as: 'glm4',
    defaults: {
      vocab_size: 59_392,
      hidden_size: 1024,
      intermediate_size: 4096,
      num_hidden_layers: 16,
      num_attention_heads: 16,
      num_key_value_heads: 8,
      attention_bias: false,
    },
  },
  glm4v_moe_text: {
    as: 'glm4_moe',
    defaults: {
      vocab_size: 151_424,
      hidden_size: 4096,
      intermediate_size: 10_944,
      num_hidden_layers: 46,
      num_attention_heads: 96,
      num_key_value_heads: 8,
      moe_intermediate_size: 1408,
      num_experts_per_tok: 8,
      n_shared_experts: 1,
      n_routed_experts: 128,
      first_k_dense_replace: 1,
      attention_bias: true,
      use_qk_norm: false,
    },
  },
};

/** Layers of Llama, some of which attend to the image in place of the text (transformers/models/mllama/modeling_mllama.py). */
const mllamaText: Architecture = {
  modelTypes: ['mllama_text_model'],
  name: 'Llama 3.2 Vision',
  tensors(given) {
    const config = given.withDefaults({
      vocab_size: 128_256,
      hidden_size: 4096,
      intermediate_size: 14_336,
      num_hidden_layers: 40,
      num_attention_heads: 32,
      num_key_value_heads: 8,
    });
    const keys = [
      'vocab_size',
      'hidden_size',
      'intermediate_size',
      'num_hidden_layers',
      'num_attention_heads',
      'num_key_value_heads',
    ] as const;
    const sizes = readSizes(config, keys);
    if (sizes === null) return null;
    const { hidden_size: hidden, num_hidden_layers: layers, num_attention_heads: heads } = sizes;
    const headSize = Math.floor(hidden / Math.max(heads, 1));
    const listed = config.has('cross_attention_layers')
      ? config.integers('cross_attention_layers')
      : [3, 8, 13, 18, 23, 28, 33, 38];
    const copies = new Set(listed?.filter((layer) => layer >= 0 && layer < layers)).size;
    const shape = { hidden, inner: heads * headSize, keyValue: sizes.num_key_value_heads * headSize, width: 0, hasBias: false };
    const model = new ModelTensors();
    // Eight tokens more than are ever written: those of images.
    model.embedding('model.embed_tokens', sizes.vocab_size + 8, hidden);
    const noMore = { feedForward: [], norms: [] };
    const layer = 'model.layers.N';
    addLayers(model, layer, { attention: attentionNames('self_attn'), ...noMore }, { ...shape, copies: layers - copies });
    addLayers(model, layer, { attention: attentionNames('cross_attn'), ...noMore }, { ...shape, copies });
    model
      .norm(`${layer}.cross_attn.q_norm`, headSize, { copies })
      .norm(`${layer}.cross_attn.k_norm`, headSize, { copies })
      .parameter(`${layer}.cross_attn_attn_gate`, [1], { copies })
      .parameter(`${layer}.cross_attn_mlp_gate`, [1], { copies });
    for (const part of ['gate_proj', 'up_proj'])
      model.linear(`${layer}.mlp.${part}`, hidden, sizes.intermediate_size, { copies: layers });
    model
      .linear(`${layer}.mlp.down_proj`, sizes.intermediate_size, hidden, { copies: layers })
      .norm(`${layer}.input_layernorm`, hidden, { copies: layers })
      .norm(`${layer}.post_attention_layernorm`, hidden, { copies: layers })
      .norm('model.norm', hidden)
      .head('lm_head', sizes.vocab_size, hidden);
    return model;
  },
};

const byModelType = new Map(
  [
    ...decoderFamilies,
    ...expertFamilies,
    ...hybridFamilies,
    ...latentFamilies,
    ...encoderFamilies,
    ...[mllamaText, ernieVisionText, stepText],
  ].flatMap((architecture) => architecture.modelTypes.map((modelType) => [modelType, architecture] as const)),
);

/** The language model of a config, which is of this type where it does not say. */
export function readTextModel(config: Fields, usualType: string): TextModel | null {
  const written = config.text('model_type');
  const modelType = written !== undefined && (Object.hasOwn(aliases, written) || byModelType.has(written)) ? written : usualType;
  const alias = entryOf(aliases, modelType);
  const typed = config.withDefaults({ model_type: modelType });
  const tensors =
    alias === undefined
      ? byModelType.get(modelType)?.tensors(typed)
      : byModelType.get(alias.as)?.tensors(typed.withDefaults(alias.defaults));
  if (tensors === undefined || tensors === null) return null;
  const embedding = tensors.groups.find(({ kind }) => kind === 'embedding');
  // OPT may have embeddings that are narrower than its states.
  const projection = tensors.groups.find(({ name }) => name.endsWith('.project_in.weight'));
  const hidden = projection?.shape[0] ?? embedding?.shape[1];
  return hidden === undefined ? null : { groups: tensors.groups, hidden };
}
