import { describe, expect, it } from 'vitest';
import { countGroups } from '../../../src/core/configs/architectures/tensorGroup.js';
import { readArchitecture } from '../../../src/core/configs/architectures/readArchitecture.js';
import { publishedFlavor, publishedModel, publishedModels } from '../../../src/core/configs/publishedModels.js';

/** Totals of the Hub's own pages (safetensors metadata), of papers, and of transformers 5.23 on the meta device; tied parameters once. */
const totals: Readonly<Record<string, number>> = {
  'huggyllama/llama-7b': 6_738_415_616,
  'huggyllama/llama-13b': 13_015_864_320,
  'huggyllama/llama-30b': 32_528_943_616,
  'huggyllama/llama-65b': 65_285_660_672,
  'meta-llama/Llama-2-7b': 6_738_415_616,
  'meta-llama/Llama-2-13b': 13_015_864_320,
  'meta-llama/Llama-2-70b': 68_976_648_192,
  'meta-llama/Meta-Llama-3-8B': 8_030_261_248,
  'meta-llama/Meta-Llama-3-70B': 70_553_706_496,
  'meta-llama/Llama-3.1-405B': 405_853_388_800,
  'meta-llama/Llama-3.2-1B': 1_235_814_400,
  'meta-llama/Llama-3.2-3B': 3_212_749_824,
  'TinyLlama/TinyLlama-1.1B': 1_100_048_384,
  'codellama/CodeLlama-7b': 6_738_546_688,
  'codellama/CodeLlama-34b': 33_743_970_304,
  'mistralai/Mistral-7B-v0.1': 7_241_732_096,
  'mistralai/Mistral-7B-v0.3': 7_248_023_552,
  'mistralai/Mistral-Nemo': 12_247_782_400,
  'mistralai/Mistral-Small-24B': 23_572_403_200,
  'Qwen/Qwen1.5-0.5B': 463_987_712,
  'Qwen/Qwen1.5-1.8B': 1_836_828_672,
  'Qwen/Qwen1.5-4B': 3_950_369_280,
  'Qwen/Qwen1.5-7B': 7_721_324_544,
  'Qwen/Qwen1.5-14B': 14_167_290_880,
  'Qwen/Qwen1.5-32B': 32_512_218_112,
  'Qwen/Qwen1.5-72B': 72_287_920_128,
  'Qwen/Qwen1.5-110B': 111_209_914_368,
  'Qwen/Qwen2-1.5B': 1_543_714_304,
  'Qwen/Qwen2.5-0.5B': 494_032_768,
  'Qwen/Qwen2.5-1.5B': 1_543_714_304,
  'Qwen/Qwen2.5-3B': 3_085_938_688,
  'Qwen/Qwen2.5-7B': 7_615_616_512,
  'Qwen/Qwen2.5-14B': 14_770_033_664,
  'Qwen/Qwen2.5-32B': 32_763_876_352,
  'Qwen/Qwen2.5-72B': 72_706_203_648,
  'deepseek-ai/DeepSeek-R1-Distill-Qwen-1.5B': 1_777_088_000,
  'Qwen/Qwen3-0.6B': 596_049_920,
  'Qwen/Qwen3-1.7B': 1_720_574_976,
  'Qwen/Qwen3-4B': 4_022_468_096,
  'Qwen/Qwen3-8B': 8_190_735_360,
  'Qwen/Qwen3-14B': 14_768_307_200,
  'Qwen/Qwen3-32B': 32_762_123_264,
  'Qwen/Qwen3-30B-A3B': 30_532_122_624,
  'Qwen/Qwen3-235B-A22B': 235_093_634_560,
  'Qwen/Qwen1.5-MoE-A2.7B': 14_315_784_192,
  'google/gemma-2b': 2_506_172_416,
  'google/gemma-7b': 8_537_680_896,
  'google/gemma-2-2b': 2_614_341_888,
  'google/gemma-2-9b': 9_241_705_984,
  'google/gemma-2-27b': 27_227_128_320,
  'google/gemma-3-270m': 268_098_176,
  'google/gemma-3-1b': 999_885_952,
  'google/gemma-3-4b': 4_300_079_472,
  'google/gemma-3-12b': 12_187_325_040,
  'google/gemma-3-27b': 27_432_406_640,
  'microsoft/phi-1_5': 1_418_270_720,
  'microsoft/phi-2': 2_779_683_840,
  'microsoft/Phi-3-mini-4k': 3_821_079_552,
  'microsoft/Phi-3-medium-4k': 13_960_238_080,
  'microsoft/Phi-3.5-MoE': 41_873_153_344,
  'microsoft/phi-4': 14_659_507_200,
  'microsoft/Phi-4-mini': 3_836_021_760,
  'HuggingFaceTB/SmolLM2-135M': 134_515_008,
  'HuggingFaceTB/SmolLM2-360M': 361_821_120,
  'HuggingFaceTB/SmolLM2-1.7B': 1_711_376_384,
  'HuggingFaceTB/SmolLM3-3B': 3_075_098_624,
  'allenai/OLMo-1B': 1_176_764_416,
  'allenai/OLMo-1B-0724-hf': 1_279_787_008,
  'allenai/OLMo-7B': 6_888_095_744,
  'allenai/OLMo-2-0425-1B': 1_484_916_736,
  'allenai/OLMo-2-1124-7B': 7_298_617_344,
  'allenai/OLMo-2-1124-13B': 13_716_198_400,
  'allenai/OLMo-2-0325-32B': 32_234_279_936,
  'allenai/OLMoE-1B-7B-0924': 6_919_161_856,
  'ibm-granite/granite-3.3-2b': 2_533_539_840,
  'ibm-granite/granite-3.3-8b': 8_170_864_640,
  'ibm-granite/granite-3.1-1b-a400m': 1_334_628_352,
  'ibm-granite/granite-3.1-3b-a800m': 3_298_793_472,
  'bigcode/starcoder2-3b': 3_030_371_328,
  'bigcode/starcoder2-7b': 7_173_923_840,
  'bigcode/starcoder2-15b': 15_957_889_024,
  'mistralai/Mixtral-8x7B-v0.1': 46_702_792_704,
  'mistralai/Mixtral-8x22B-v0.1': 140_620_634_112,
  'mistralai/Mixtral-8x22B-v0.3': 140_630_071_296,
  'deepseek-ai/DeepSeek-V2-Lite': 15_706_484_224,
  'deepseek-ai/DeepSeek-V2': 235_741_434_880,
  'deepseek-ai/DeepSeek-V3': 671_026_419_200,
  'moonshotai/Kimi-K2': 1_026_408_232_448,
  'openai/gpt-oss-20b': 20_914_757_184,
  'openai/gpt-oss-120b': 116_829_156_672,
  'zai-org/GLM-4.5-Air': 106_852_251_264,
  'openai-community/gpt2': 124_439_808,
  'openai-community/gpt2-medium': 354_823_168,
  'openai-community/gpt2-large': 774_030_080,
  'openai-community/gpt2-xl': 1_557_611_200,
  'distilbert/distilgpt2': 81_912_576,
  'EleutherAI/gpt-neo-125m': 125_198_592,
  'EleutherAI/gpt-neo-1.3B': 1_315_575_808,
  'EleutherAI/gpt-neo-2.7B': 2_651_307_520,
  'EleutherAI/gpt-j-6b': 6_050_882_784,
  'EleutherAI/gpt-neox-20b': 20_554_567_680,
  'EleutherAI/pythia-70m': 70_426_624,
  'EleutherAI/pythia-160m': 162_322_944,
  'EleutherAI/pythia-410m': 405_334_016,
  'EleutherAI/pythia-1b': 1_011_781_632,
  'EleutherAI/pythia-1.4b': 1_414_647_808,
  'EleutherAI/pythia-2.8b': 2_775_208_960,
  'EleutherAI/pythia-6.9b': 6_857_302_016,
  'EleutherAI/pythia-12b': 11_846_072_320,
  'facebook/opt-125m': 125_239_296,
  'facebook/opt-350m': 331_196_416,
  'facebook/opt-1.3b': 1_315_758_080,
  'facebook/opt-2.7b': 2_651_596_800,
  'facebook/opt-6.7b': 6_658_473_984,
  'facebook/opt-13b': 12_853_473_280,
  'facebook/opt-30b': 29_974_540_288,
  'facebook/opt-66b': 65_719_701_504,
  'bigscience/bloom-560m': 559_214_592,
  'bigscience/bloom-1b1': 1_065_314_304,
  'bigscience/bloom-1b7': 1_722_408_960,
  'bigscience/bloom-3b': 3_002_557_440,
  'bigscience/bloom-7b1': 7_069_016_064,
  'bigscience/bloom': 176_247_271_424,
  'tiiuae/falcon-7b': 6_921_720_704,
  'tiiuae/falcon-40b': 41_303_293_952,
  'tiiuae/falcon-180B': 178_557_088_768,
  'mosaicml/mpt-7b': 6_649_286_656,
  'google-t5/t5-small': 60_506_624,
  'google-t5/t5-base': 222_903_552,
  'google-t5/t5-large': 737_668_096,
  'google-t5/t5-3b': 2_851_598_336,
  'google-t5/t5-11b': 11_307_321_344,
  // transformers 5 ties the output layer of these too, whatever the config says.
  'google/t5-v1_1-base': 222_903_552,
  'google-bert/bert-base-uncased': 109_514_298,
  'google-bert/bert-base-cased': 108_340_804,
  'google-bert/bert-large-uncased': 335_174_458,
  'state-spaces/mamba-130m': 129_135_360,
  'state-spaces/mamba-370m': 371_516_416,
  'state-spaces/mamba-790m': 793_204_224,
  'state-spaces/mamba-1.4b': 1_372_178_432,
  'state-spaces/mamba-2.8b': 2_768_345_600,
};

function unique(name: string): number | undefined {
  const model = publishedModel(name);
  const reading = model === null ? null : readArchitecture(model.fields);
  return reading?.basis === 'architecture' ? countGroups(reading.tensors.groups)?.unique : undefined;
}

describe('published models', () => {
  it.each(Object.entries(totals))('%s', (name, total) => {
    expect(publishedModel(name)?.name).toBe(name);
    expect(unique(name)).toBe(total);
  });

  it('finds each entry by its own name, and counts it', () => {
    for (const [name] of publishedModels) {
      expect.soft(publishedModel(name)?.name).toBe(name);
      expect.soft(unique(name), name).toBeGreaterThan(0);
    }
  });

  it.each([
    ['unsloth/Meta-Llama-3.1-8B-Instruct-bnb-4bit', 'meta-llama/Llama-3.1-8B'],
    ['NousResearch/Meta-Llama-3-8B', 'meta-llama/Meta-Llama-3-8B'],
    ['NousResearch/Llama-2-7b-chat-hf', 'meta-llama/Llama-2-7b'],
    ['mistralai/Mistral-7B-Instruct-v0.3', 'mistralai/Mistral-7B-v0.3'],
    ['mistralai/Mistral-Nemo-Instruct-2407', 'mistralai/Mistral-Nemo'],
    ['qwen/qwen2.5-coder-7b-instruct', 'Qwen/Qwen2.5-7B'],
    ['Qwen/Qwen3-4B-Instruct-2507', 'Qwen/Qwen3-4B'],
    ['/models/Qwen2.5-0.5B/', 'Qwen/Qwen2.5-0.5B'],
    ['EleutherAI/pythia-1.4b-deduped', 'EleutherAI/pythia-1.4b'],
    ['allenai/OLMo-2-1124-7B-Instruct', 'allenai/OLMo-2-1124-7B'],
    ['moonshotai/Kimi-K2-Instruct-0905', 'moonshotai/Kimi-K2'],
    ['tiny-llama-1.1b', 'TinyLlama/TinyLlama-1.1B'],
  ])('%s is %s', (name, expected) => {
    expect(publishedModel(name)?.name).toBe(expected);
  });

  it.each([
    ['llama3/8B', 'meta-llama/Meta-Llama-3-8B'],
    ['llama3/405B', 'meta-llama/Llama-3.1-405B'],
    ['deepseek_v3/671B', 'deepseek-ai/DeepSeek-V3'],
    ['qwen3/0.6B', 'Qwen/Qwen3-0.6B'],
    ['llama3_1_8b', 'meta-llama/Llama-3.1-8B'],
    ['qwen2_5_7b_base', 'Qwen/Qwen2.5-7B'],
    ['gemma2_9b', 'google/gemma-2-9b'],
    ['phi3_mini', 'microsoft/Phi-3-mini-4k'],
    ['llama2-70b', 'meta-llama/Llama-2-70b'],
    ['gemma2-2b', 'google/gemma-2-2b'],
    ['mixtral-8x7b', 'mistralai/Mixtral-8x7B-v0.1'],
    ['deepseek3-671b', 'deepseek-ai/DeepSeek-V3'],
  ])('%s is %s in its framework', (flavor, expected) => {
    expect(publishedFlavor(flavor)?.name).toBe(expected);
  });

  it('does not take other models for one of these', () => {
    for (const name of [
      '',
      '/',
      'llama3/debugmodel',
      'my-org/Llama-3.1-8B-finetuned',
      'opt-13',
      'Llama-3.2-11B-Vision',
      't5-chat',
      'bert',
      'gpt',
      '__proto__',
      'constructor',
      '💥'.repeat(1000),
    ])
      expect.soft(publishedModel(name), name).toBeNull();
  });
});
