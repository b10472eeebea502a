import { describe, expect, it } from 'vitest';
import { publishedFlavor } from '../../../src/core/configs/publishedModels.js';
import { isAdapterRecipe, modelOfRecipe } from '../../../src/core/frameworks/megatronBridge/recipeName.js';
import { readText } from './readConfigFixture.js';

async function launch(flags: string) {
  const read = await readText('run.sh', `torchrun --nproc_per_node=8 scripts/training/run_recipe.py ${flags}\n`);
  expect(read?.id).toBe('megatron-bridge');
  return read?.reading;
}

describe('launches of Megatron-Bridge', () => {
  it.each([
    ['llama32_1b_pretrain_config', 'meta-llama/Llama-3.2-1B'],
    ['llama31_405b_sft_128gpu_h100_bf16_config', 'meta-llama/Llama-3.1-405B'],
    ['qwen25_1p5b_peft_config', 'Qwen/Qwen2.5-1.5B'],
    ['qwen3_600m_sft_128k_config', 'Qwen/Qwen3-0.6B'],
    ['llama3_8b_16k_pretrain_config', 'meta-llama/Meta-Llama-3-8B'],
    ['gemma3_vl_4b_sft_config', 'google/gemma-3-4b'],
    ['gpt_oss_20b', 'openai/gpt-oss-20b'],
    ['vanilla_gpt_pretrain_config', undefined],
  ])('name a model by the recipe %s', (recipe, name) => {
    expect(publishedFlavor(modelOfRecipe(recipe))?.name).toBe(name);
  });

  it('train an adapter where the recipe or the mode says so, which is not counted', async () => {
    expect(isAdapterRecipe('qwen3_8b_peft_config')).toBe(true);
    expect(isAdapterRecipe('qwen3_8b_sft_config')).toBe(false);
    expect((await launch('--recipe llama32_1b_peft_config peft.dim=16'))?.plan.adapter).toEqual({
      kind: 'other',
      rank: 16,
      targets: [],
    });
    expect((await launch('--model llama32_1b --mode lora'))?.plan.adapter?.rank).toBe(32);
    expect((await launch('--model llama32_1b --mode sft'))?.plan.adapter).toBeUndefined();
  });

  it('take flags for the overrides that they stand for', async () => {
    const flags =
      '--model llama32_1b --mode sft -ms 500 -gb 32 -mb 2 -tp 4 --save_dir out --save_interval 50 checkpoint.async_save=true';
    expect((await launch(flags))?.plan).toMatchObject({
      steps: 500,
      globalBatch: 32,
      microBatch: 2,
      tensorParallel: 4,
      outputFolder: 'out',
      saveIntervalSteps: 50,
      saveMode: 'asynchronous',
    });
  });

  it('keep the optimizer as the overrides or the recipe have it', async () => {
    const flags =
      '--recipe kimi_k2_pretrain_config optimizer.use_precision_aware_optimizer=true optimizer.exp_avg_dtype=torch.bfloat16';
    expect((await launch(flags))?.plan).toMatchObject({
      optimizer: 'muon',
      masterRemainderBytes: 2,
      momentDtypes: { first: 'bf16' },
    });
    expect((await launch('--recipe qwen3_8b_sft_config'))?.plan).toMatchObject({ optimizer: 'adam' });
  });

  it('save nothing without a folder, and name a model that is not known', async () => {
    expect((await launch('--recipe llama32_1b_sft_config checkpoint.save=null'))?.plan.notes).toContain('saves-never');
    expect((await launch('--recipe my_30b_sft_config'))?.model).toEqual({
      kind: 'named',
      name: 'my_30b_sft_config',
      key: 'recipe',
    });
  });
});

it('YAML with iterations and sections of other programs is none of Megatron-Bridge', async () => {
  expect(await readText('a.yaml', 'train:\n  train_iters: 10\noptimizer:\n  lr: 1\n')).toBeNull();
});
