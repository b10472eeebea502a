import { decoderConfig, type DecoderSizes, type PublishedConfig, type PublishedTable } from './publishedConfig.js';

const tied = { tie_word_embeddings: true };

function family(modelType: string, vocabulary: number, common: PublishedConfig = {}) {
  return (sizes: DecoderSizes, rest: PublishedConfig = {}) => decoderConfig(modelType, vocabulary, sizes, { ...common, ...rest });
}

const llama2 = family('llama', 32_000);
const llama3 = family('llama', 128_256);
/** Windows of attention, which decide the cache of a long sequence: of the first one alone. */
const mistral = family('mistral', 32_000, { sliding_window: null });
const firstMistral = mistral([4096, 32, 32, 8, 14_336], { sliding_window: 4096 });
const qwen2 = family('qwen2', 151_936);
/** From 7B on the vocabulary is padded further. */
const largeQwen2 = family('qwen2', 152_064);
const qwen3 = family('qwen3', 151_936, { head_dim: 128 });
const gemma = family('gemma', 256_000, { ...tied, head_dim: 256 });
const gemma2 = family('gemma2', 256_000, { ...tied, sliding_window: 4096 });
const gemma3 = family('gemma3_text', 262_144, { ...tied, head_dim: 256, sliding_window: 512 });
const yi = family('llama', 64_000);
const deepSeek = family('llama', 102_400);
/** Those of the other ones are as long as their context, or none. */
const phi3 = family('phi3', 32_064, { sliding_window: null });
const smol = family('llama', 49_152, tied);
const olmo2 = family('olmo2', 100_352);
const olmo3 = family('olmo3', 100_278, { sliding_window: 4096 });
const glm4 = family('glm4', 151_552, { head_dim: 128, attention_bias: true });
const granite = family('granite', 49_155, tied);
/** Before they are tuned Granite's models have no tokens for tools and turns. */
const graniteBase = family('granite', 49_152, tied);
const falcon3 = family('llama', 131_072, { head_dim: 256 });
const starcoder2 = family('starcoder2', 49_152, { ...tied, use_bias: true, sliding_window: 4096 });

const llama3At8 = llama3([4096, 32, 32, 8, 14_336]);
const llama3At70 = llama3([8192, 80, 64, 8, 28_672]);
const llama1At7 = llama2([4096, 32, 32, 32, 11_008]);
const llama1At13 = llama2([5120, 40, 40, 40, 13_824]);
const tinyLlama = llama2([2048, 22, 32, 4, 5632]);
const yiAt34 = yi([7168, 60, 56, 8, 20_480]);
const mistralAt22 = mistral([6144, 56, 48, 8, 16_384], { vocab_size: 32_768, head_dim: 128 });
const mistralAt24 = mistral([5120, 40, 32, 8, 32_768], { vocab_size: 131_072, head_dim: 128 });
// Its card counts no biases of norms in layers: 1,644,417,024.
const stableLm2 = decoderConfig('stablelm', 100_352, [2048, 24, 32, 32, 5632], { use_qkv_bias: true });
const stableLmAt3 = decoderConfig('stablelm', 50_304, [2560, 32, 32, 32, 6912], { use_qkv_bias: false });
const qwen25At32 = largeQwen2([5120, 64, 40, 8, 27_648]);

/** Decoders without experts whose configs use the common words. */
export const denseModels: PublishedTable = [
  ['huggyllama/llama-7b', llama1At7],
  ['huggyllama/llama-13b', llama1At13],
  ['huggyllama/llama-30b', llama2([6656, 60, 52, 52, 17_920])],
  ['huggyllama/llama-65b', llama2([8192, 80, 64, 64, 22_016])],
  ['meta-llama/Llama-2-7b', llama1At7],
  ['meta-llama/Llama-2-13b', llama1At13],
  ['meta-llama/Llama-2-70b', llama2([8192, 80, 64, 8, 28_672])],
  ['meta-llama/Meta-Llama-3-8B', llama3At8],
  ['meta-llama/Meta-Llama-3-70B', llama3At70],
  ['meta-llama/Llama-3.1-8B', llama3At8],
  ['meta-llama/Llama-3.1-70B', llama3At70],
  ['meta-llama/Llama-3.1-405B', llama3([16_384, 126, 128, 8, 53_248])],
  ['meta-llama/Llama-3.2-1B', llama3([2048, 16, 32, 8, 8192], { ...tied, head_dim: 64 })],
  ['meta-llama/Llama-3.2-3B', llama3([3072, 28, 24, 8, 8192], { ...tied, head_dim: 128 })],
  ['meta-llama/Llama-3.3-70B', llama3At70],
  ['deepseek-ai/DeepSeek-R1-Distill-Llama-8B', llama3At8],
  ['deepseek-ai/DeepSeek-R1-Distill-Llama-70B', llama3At70],
  ['meta-llama/Llama-Guard-3-8B', llama3At8],
  ['NousResearch/Hermes-3-Llama-3.1-8B', llama3At8],
  ['nvidia/Llama-3.1-Nemotron-70B-Instruct-HF', llama3At70],
  ['codellama/CodeLlama-7b', llama2([4096, 32, 32, 32, 11_008], { vocab_size: 32_016 })],
  ['codellama/CodeLlama-13b', llama2([5120, 40, 40, 40, 13_824], { vocab_size: 32_016 })],
  ['codellama/CodeLlama-34b', llama2([8192, 48, 64, 8, 22_016])],
  ['TinyLlama/TinyLlama-1.1B', tinyLlama],
  ['TinyLlama/TinyLlama-1.1B-Chat-v1.0', tinyLlama],
  ['TinyLlama/TinyLlama-1.1B-Chat-v0.6', tinyLlama],
  // Three tokens for turns, as copies of it have them; configs of v0.1, v0.2, v0.4 and v0.5 were not found.
  ['TinyLlama/TinyLlama-1.1B-Chat-v0.3', llama2([2048, 22, 32, 4, 5632], { vocab_size: 32_003 })],
  ['TinyLlama/TinyLlama_v1.1', tinyLlama],
  ['TinyLlama/TinyLlama-1.1B-step-50K-105b', tinyLlama],
  ['TinyLlama/TinyLlama-1.1B-intermediate-step-240k-503b', tinyLlama],
  ['TinyLlama/TinyLlama-1.1B-intermediate-step-480k-1T', tinyLlama],
  ['TinyLlama/TinyLlama-1.1B-intermediate-step-715k-1.5T', tinyLlama],
  ['TinyLlama/TinyLlama-1.1B-intermediate-step-955k-token-2T', tinyLlama],
  ['TinyLlama/TinyLlama-1.1B-intermediate-step-1195k-token-2.5T', tinyLlama],
  ['TinyLlama/TinyLlama-1.1B-intermediate-step-1431k-3T', tinyLlama],
  ['lmsys/vicuna-7b-v1.5', llama1At7],
  ['lmsys/vicuna-13b-v1.5', llama1At13],
  ['lmsys/vicuna-7b-v1.3', llama1At7],
  ['lmsys/vicuna-13b-v1.3', llama1At13],
  ['lmsys/vicuna-33b-v1.3', llama2([6656, 60, 52, 52, 17_920])],
  ['lmsys/vicuna-7b-v1.5-16k', llama1At7],
  ['lmsys/vicuna-13b-v1.5-16k', llama1At13],
  ['01-ai/Yi-6B', yi([4096, 32, 32, 4, 11_008])],
  ['01-ai/Yi-9B', yi([4096, 48, 32, 4, 11_008])],
  ['01-ai/Yi-34B', yiAt34],
  ['01-ai/Yi-6B-200K', yi([4096, 32, 32, 4, 11_008])],
  ['01-ai/Yi-9B-200K', yi([4096, 48, 32, 4, 11_008])],
  ['01-ai/Yi-34B-200K', yiAt34],
  ['01-ai/Yi-1.5-6B', yi([4096, 32, 32, 4, 11_008])],
  ['01-ai/Yi-1.5-9B', yi([4096, 48, 32, 4, 11_008])],
  ['01-ai/Yi-1.5-34B', yiAt34],
  ['01-ai/Yi-1.5-9B-Chat-16K', yi([4096, 48, 32, 4, 11_008])],
  ['01-ai/Yi-1.5-34B-Chat-16K', yiAt34],
  [
    'ByteDance-Seed/Seed-OSS-36B',
    decoderConfig('seed_oss', 155_136, [5120, 64, 80, 8, 27_648], { head_dim: 128, attention_bias: true }),
  ],
  ['deepseek-ai/deepseek-llm-7b', deepSeek([4096, 30, 32, 32, 11_008])],
  ['deepseek-ai/deepseek-llm-67b', deepSeek([8192, 95, 64, 8, 22_016])],
  ['deepseek-ai/deepseek-coder-1.3b', deepSeek([2048, 24, 16, 16, 5504], { vocab_size: 32_256 })],
  ['deepseek-ai/deepseek-coder-6.7b', deepSeek([4096, 32, 32, 32, 11_008], { vocab_size: 32_256 })],
  ['deepseek-ai/deepseek-coder-33b', deepSeek([7168, 62, 56, 8, 19_200], { vocab_size: 32_256 })],
  ['mistralai/Mistral-7B-v0.1', firstMistral],
  ['mistralai/Mistral-7B-v0.2', mistral([4096, 32, 32, 8, 14_336])],
  ['mistralai/Mistral-7B-v0.3', mistral([4096, 32, 32, 8, 14_336], { vocab_size: 32_768 })],
  ['mistralai/Mistral-Nemo', mistral([5120, 40, 32, 8, 14_336], { vocab_size: 131_072, head_dim: 128 })],
  ['mistralai/Mistral-Small-24B', mistralAt24],
  ['mistralai/Devstral-Small-2505', mistralAt24],
  ['mistralai/Devstral-Small-2507', mistralAt24],
  ['mistralai/Mistral-Small-Instruct-2409', mistralAt22],
  ['mistralai/Codestral-22B-v0.1', mistralAt22],
  ['mistralai/Ministral-8B-Instruct-2410', mistral([4096, 36, 32, 8, 12_288], { vocab_size: 131_072, head_dim: 128 })],
  ['mistralai/Mistral-Large-Instruct-2407', mistral([12_288, 88, 96, 8, 28_672], { vocab_size: 32_768, head_dim: 128 })],
  ['HuggingFaceH4/mistral-7b-sft-beta', firstMistral],
  ['HuggingFaceH4/zephyr-7b-beta', firstMistral],
  ['Qwen/Qwen1.5-0.5B', qwen2([1024, 24, 16, 16, 2816], tied)],
  ['Qwen/Qwen1.5-1.8B', qwen2([2048, 24, 16, 16, 5504])],
  ['Qwen/Qwen1.5-4B', qwen2([2560, 40, 20, 20, 6912])],
  ['Qwen/Qwen1.5-7B', qwen2([4096, 32, 32, 32, 11_008])],
  ['Qwen/Qwen1.5-14B', largeQwen2([5120, 40, 40, 40, 13_696])],
  ['Qwen/Qwen1.5-32B', largeQwen2([5120, 64, 40, 8, 27_392])],
  ['Qwen/Qwen1.5-72B', largeQwen2([8192, 80, 64, 64, 24_576])],
  ['Qwen/Qwen1.5-110B', largeQwen2([8192, 80, 64, 8, 49_152])],
  ['Qwen/Qwen2-0.5B', qwen2([896, 24, 14, 2, 4864], tied)],
  ['Qwen/Qwen2-1.5B', qwen2([1536, 28, 12, 2, 8960], tied)],
  ['Qwen/Qwen2-7B', largeQwen2([3584, 28, 28, 4, 18_944])],
  ['Qwen/Qwen2-72B', largeQwen2([8192, 80, 64, 8, 29_568])],
  ['Qwen/Qwen2.5-0.5B', qwen2([896, 24, 14, 2, 4864], tied)],
  ['Qwen/Qwen2.5-1.5B', qwen2([1536, 28, 12, 2, 8960], tied)],
  ['Qwen/Qwen2.5-3B', qwen2([2048, 36, 16, 2, 11_008], tied)],
  ['Qwen/Qwen2.5-7B', largeQwen2([3584, 28, 28, 4, 18_944])],
  ['Qwen/Qwen2.5-14B', largeQwen2([5120, 48, 40, 8, 13_824])],
  ['Qwen/Qwen2.5-32B', qwen25At32],
  ['Qwen/Qwen2.5-72B', largeQwen2([8192, 80, 64, 8, 29_568])],
  ['Qwen/QwQ-32B', qwen25At32],
  ['deepseek-ai/DeepSeek-R1-Distill-Qwen-1.5B', qwen2([1536, 28, 12, 2, 8960])],
  ['deepseek-ai/DeepSeek-R1-Distill-Qwen-7B', largeQwen2([3584, 28, 28, 4, 18_944])],
  ['deepseek-ai/DeepSeek-R1-Distill-Qwen-14B', largeQwen2([5120, 48, 40, 8, 13_824])],
  ['deepseek-ai/DeepSeek-R1-Distill-Qwen-32B', qwen25At32],
  ['Qwen/Qwen3-0.6B', qwen3([1024, 28, 16, 8, 3072], tied)],
  ['Qwen/Qwen3-1.7B', qwen3([2048, 28, 16, 8, 6144], tied)],
  ['Qwen/Qwen3-4B', qwen3([2560, 36, 32, 8, 9728], tied)],
  ['Qwen/Qwen3-8B', qwen3([4096, 36, 32, 8, 12_288])],
  ['Qwen/Qwen3-14B', qwen3([5120, 40, 40, 8, 17_408])],
  ['Qwen/Qwen3-32B', qwen3([5120, 64, 64, 8, 25_600])],
  ['deepseek-ai/DeepSeek-R1-0528-Qwen3-8B', qwen3([4096, 36, 32, 8, 12_288])],
  ['google/gemma-2b', gemma([2048, 18, 8, 1, 16_384])],
  ['google/gemma-7b', gemma([3072, 28, 16, 16, 24_576])],
  ['google/gemma-2-2b', gemma2([2304, 26, 8, 4, 9216], { head_dim: 256 })],
  ['google/gemma-2-9b', gemma2([3584, 42, 16, 8, 14_336], { head_dim: 256 })],
  ['google/gemma-2-27b', gemma2([4608, 46, 32, 16, 36_864], { head_dim: 128 })],
  ['google/gemma-3-270m', gemma3([640, 18, 4, 1, 2048])],
  ['google/gemma-3-1b', gemma3([1152, 26, 4, 1, 6912])],
  ['microsoft/Phi-3-mini-4k', phi3([3072, 32, 32, 32, 8192], { sliding_window: 2047 })],
  ['microsoft/Phi-3-mini-128k', phi3([3072, 32, 32, 32, 8192])],
  ['microsoft/Phi-3.5-mini', phi3([3072, 32, 32, 32, 8192])],
  ['microsoft/Phi-3-medium-4k', phi3([5120, 40, 40, 10, 17_920], { sliding_window: 2047 })],
  ['microsoft/Phi-3-medium-128k', phi3([5120, 40, 40, 10, 17_920])],
  ['microsoft/phi-4', phi3([5120, 40, 40, 10, 17_920], { vocab_size: 100_352 })],
  ['microsoft/Phi-4-mini', phi3([3072, 32, 24, 8, 8192], { ...tied, vocab_size: 200_064 })],
  ['HuggingFaceTB/SmolLM-135M', smol([576, 30, 9, 3, 1536])],
  ['HuggingFaceTB/SmolLM-360M', smol([960, 32, 15, 5, 2560])],
  ['HuggingFaceTB/SmolLM-1.7B', smol([2048, 24, 32, 32, 8192])],
  ['HuggingFaceTB/SmolLM2-135M', smol([576, 30, 9, 3, 1536])],
  ['HuggingFaceTB/SmolLM2-360M', smol([960, 32, 15, 5, 2560])],
  ['HuggingFaceTB/SmolLM2-1.7B', smol([2048, 24, 32, 32, 8192])],
  ['HuggingFaceTB/SmolLM3-3B', decoderConfig('smollm3', 128_256, [2048, 36, 16, 4, 11_008], tied)],
  ['allenai/OLMo-1B', decoderConfig('olmo', 50_304, [2048, 16, 16, 16, 8192], tied)],
  ['allenai/OLMo-1B-0724-hf', decoderConfig('olmo', 50_304, [2048, 16, 16, 16, 8192])],
  ['allenai/OLMo-7B', decoderConfig('olmo', 50_304, [4096, 32, 32, 32, 11_008])],
  ['allenai/OLMo-1.7-7B', decoderConfig('olmo', 50_304, [4096, 32, 32, 32, 11_008])],
  ['allenai/OLMo-2-0425-1B', olmo2([2048, 16, 16, 16, 8192])],
  ['allenai/OLMo-2-1124-7B', olmo2([4096, 32, 32, 32, 11_008])],
  ['allenai/OLMo-2-1124-13B', olmo2([5120, 40, 40, 40, 13_824])],
  ['allenai/OLMo-2-0325-32B', olmo2([5120, 64, 40, 8, 27_648])],
  ['allenai/Olmo-3-7B', olmo3([4096, 32, 32, 32, 11_008])],
  ['allenai/Olmo-3-32B', olmo3([5120, 64, 40, 8, 27_648])],
  ['allenai/Olmo-3.1-32B', olmo3([5120, 64, 40, 8, 27_648])],
  ['zai-org/GLM-4-9B-0414', glm4([4096, 40, 32, 2, 13_696])],
  ['zai-org/GLM-Z1-9B-0414', glm4([4096, 40, 32, 2, 13_696])],
  ['zai-org/GLM-4-32B-0414', glm4([6144, 61, 48, 2, 23_040], { attention_bias: false })],
  ['zai-org/GLM-Z1-32B-0414', glm4([6144, 61, 48, 2, 23_040], { attention_bias: false })],
  ['ibm-granite/granite-3.0-2b-base', graniteBase([2048, 40, 32, 8, 8192])],
  ['ibm-granite/granite-3.0-8b-base', graniteBase([4096, 40, 32, 8, 12_800])],
  ['ibm-granite/granite-3.1-2b-base', graniteBase([2048, 40, 32, 8, 8192])],
  ['ibm-granite/granite-3.1-8b-base', graniteBase([4096, 40, 32, 8, 12_800])],
  ['ibm-granite/granite-3.3-2b-base', graniteBase([2048, 40, 32, 8, 8192])],
  ['ibm-granite/granite-3.3-8b-base', graniteBase([4096, 40, 32, 8, 12_800])],
  ['ibm-granite/granite-3.0-2b', granite([2048, 40, 32, 8, 8192])],
  ['ibm-granite/granite-3.0-8b', granite([4096, 40, 32, 8, 12_800])],
  ['ibm-granite/granite-3.1-2b', granite([2048, 40, 32, 8, 8192])],
  ['ibm-granite/granite-3.1-8b', granite([4096, 40, 32, 8, 12_800])],
  ['ibm-granite/granite-3.2-2b', granite([2048, 40, 32, 8, 8192])],
  ['ibm-granite/granite-3.2-8b', granite([4096, 40, 32, 8, 12_800])],
  ['ibm-granite/granite-3.3-2b', granite([2048, 40, 32, 8, 8192], { vocab_size: 49_159 })],
  ['ibm-granite/granite-3.3-8b', granite([4096, 40, 32, 8, 12_800], { vocab_size: 49_159 })],
  ['tiiuae/Falcon3-1B', falcon3([2048, 18, 8, 4, 8192])],
  ['tiiuae/Falcon3-3B', falcon3([3072, 22, 12, 4, 9216])],
  ['tiiuae/Falcon3-7B', falcon3([3072, 28, 12, 4, 23_040])],
  ['tiiuae/Falcon3-10B', falcon3([3072, 40, 12, 4, 23_040])],
  ['bigcode/starcoder2-3b', starcoder2([3072, 30, 24, 2, 12_288])],
  ['bigcode/starcoder2-7b', starcoder2([4608, 32, 36, 4, 18_432])],
  ['bigcode/starcoder2-15b', starcoder2([6144, 40, 48, 4, 24_576], { tie_word_embeddings: false })],
  // litgpt/config.py.
  ['openlm-research/open_llama_3b', llama2([3200, 26, 32, 32, 8640])],
  ['openlm-research/open_llama_7b', llama1At7],
  ['openlm-research/open_llama_13b', llama1At13],
  ['stabilityai/stablelm-3b-4e1t', stableLmAt3],
  ['stabilityai/stablelm-zephyr-3b', stableLmAt3],
  ['stabilityai/stablelm-2-1_6b', stableLm2],
  ['stabilityai/stablelm-2-zephyr-1_6b', stableLm2],
  // transformers/models/cohere/configuration_cohere.py, whose defaults are this model's.
  ['CohereForAI/c4ai-command-r-v01', decoderConfig('cohere', 256_000, [8192, 40, 64, 64, 22_528], tied)],
];
