import { decoderConfig, type DecoderSizes, type PublishedConfig, type PublishedTable } from './publishedConfig.js';

/** Gate and up together are the width of its config (Qwen/Qwen-7B, modeling_qwen.py). */
function qwen(vocabulary: number, hidden: number, layers: number, heads: number, width: number): PublishedConfig {
  return decoderConfig('qwen', vocabulary, [hidden, layers, heads, heads, width], { kv_channels: 128, no_bias: true });
}

/** Biases of queries, keys and values alone, as all that are published have it. */
function chatGlm(vocabulary: number, layers: number): PublishedConfig {
  return {
    model_type: 'chatglm',
    architectures: ['ChatGLMForConditionalGeneration'],
    padded_vocab_size: vocabulary,
    hidden_size: 4096,
    num_layers: layers,
    num_attention_heads: 32,
    kv_channels: 128,
    ffn_hidden_size: 13_696,
    multi_query_attention: true,
    multi_query_group_num: 2,
    add_bias_linear: false,
    add_qkv_bias: true,
    rmsnorm: true,
    post_layer_norm: true,
    tie_word_embeddings: false,
  };
}

function internLm2(sizes: DecoderSizes): PublishedConfig {
  return decoderConfig('internlm2', 92_544, sizes, { bias: false });
}

const miniCpm4At8 = decoderConfig('minicpm', 73_448, [4096, 32, 32, 2, 16_384]);
const glm4At9 = decoderConfig('glm', 151_552, [4096, 40, 32, 2, 13_696], { head_dim: 128, attention_bias: true });

/** Decoders that were published with code of their own beside the weights. */
export const remoteCodeModels: PublishedTable = [
  ['baichuan-inc/Baichuan-7B', decoderConfig('baichuan', 64_000, [4096, 32, 32, 32, 11_008])],
  ['baichuan-inc/Baichuan-13B', decoderConfig('baichuan', 64_000, [5120, 40, 40, 40, 13_696])],
  ['baichuan-inc/Baichuan2-7B', decoderConfig('baichuan', 125_696, [4096, 32, 32, 32, 11_008])],
  ['baichuan-inc/Baichuan2-13B', decoderConfig('baichuan', 125_696, [5120, 40, 40, 40, 13_696])],
  ['internlm/internlm-7b', decoderConfig('internlm', 103_168, [4096, 32, 32, 32, 11_008], { bias: true })],
  ['internlm/internlm-20b', decoderConfig('internlm', 103_168, [5120, 60, 40, 40, 13_824], { bias: false })],
  ['internlm/internlm2-1_8b', internLm2([2048, 24, 16, 8, 8192])],
  ['internlm/internlm2-7b', internLm2([4096, 32, 32, 8, 14_336])],
  ['internlm/internlm2-20b', internLm2([6144, 48, 48, 8, 16_384])],
  ['internlm/internlm2_5-1_8b', internLm2([2048, 24, 16, 8, 8192])],
  ['internlm/internlm2_5-7b', internLm2([4096, 32, 32, 8, 14_336])],
  ['internlm/internlm2_5-20b', internLm2([6144, 48, 48, 8, 16_384])],
  ['Qwen/Qwen-1_8B', qwen(151_936, 2048, 24, 16, 11_008)],
  ['Qwen/Qwen-7B', qwen(151_936, 4096, 32, 32, 22_016)],
  ['Qwen/Qwen-14B', qwen(152_064, 5120, 40, 40, 27_392)],
  ['Qwen/Qwen-72B', qwen(152_064, 8192, 80, 64, 49_152)],
  ['zai-org/chatglm2-6b', chatGlm(65_024, 28)],
  ['zai-org/chatglm3-6b', chatGlm(65_024, 28)],
  ['zai-org/glm-4-9b', chatGlm(151_552, 40)],
  ['zai-org/glm-4-9b-hf', glm4At9],
  ['zai-org/glm-4-9b-chat-hf', glm4At9],
  ['openbmb/MiniCPM-2B', decoderConfig('minicpm', 122_753, [2304, 40, 36, 36, 5760], { tie_word_embeddings: true })],
  ['openbmb/MiniCPM4-8B', miniCpm4At8],
  ['openbmb/MiniCPM4.1-8B', miniCpm4At8],
  [
    // transformers/models/minicpm3/configuration_minicpm3.py, whose defaults are this model's.
    'openbmb/MiniCPM3-4B',
    decoderConfig('minicpm3', 73_448, [2560, 62, 40, 40, 6400], {
      tie_word_embeddings: true,
      q_lora_rank: 768,
      kv_lora_rank: 256,
      qk_nope_head_dim: 64,
      qk_rope_head_dim: 32,
    }),
  ],
  // aiconfigurator, model_configs.
  ['XiaomiMiMo/MiMo-7B', decoderConfig('mimo', 151_680, [4096, 36, 32, 8, 11_008], { head_dim: 128, attention_bias: true })],
];
