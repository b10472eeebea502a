import { planOf } from '../../../src/core/configs/plans/planOf.js';
import { describe, expect, it } from 'vitest';
import { publishedFlavor } from '../../../src/core/configs/publishedModels.js';
import { isAdapterRecipe, modelOfRecipe } from '../../../src/core/frameworks/megatronBridge/recipeName.js';
import { estimateText } from '../../builders/estimateText.js';
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

  it('train an adapter where the recipe or the mode says so', async () => {
    expect(isAdapterRecipe('qwen3_8b_peft_config')).toBe(true);
    expect(isAdapterRecipe('qwen3_8b_sft_config')).toBe(false);
    expect((await launch('--recipe llama32_1b_peft_config peft.dim=16'))?.plan.adapter).toEqual({
      kind: 'lora',
      rank: 16,
      targets: ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'],
      isFused: true,
    });
    expect((await launch('--model llama32_1b --mode lora'))?.plan.adapter?.rank).toBe(32);
    expect((await launch('--model llama31_405b --mode dora'))?.plan.adapter).toEqual({
      kind: 'dora',
      rank: 16,
      targets: ['q_proj', 'k_proj', 'v_proj'],
      isFused: true,
    });
    const narrow = await launch('--recipe llama3_8b_peft_config peft.target_modules=[linear_proj]');
    expect(narrow?.plan.adapter).toEqual({ kind: 'lora', rank: 8, targets: ['o_proj'], isFused: true });
    for (const recipe of ['qwen3_vl_8b_peft_config', 'nemotronh_4b_peft_config', 'moonlight_16b_peft_4gpu_h100_bf16_config'])
      expect((await launch(`--recipe ${recipe}`))?.plan.adapter?.kind).toBe('other');
    expect((await launch('--model llama32_1b --mode sft'))?.plan.adapter).toBeUndefined();
  });

  it('count an adapter for each of Megatron’s matrices, with a 32-bit copy and moments', async () => {
    const text = 'torchrun --nproc_per_node=8 scripts/training/run_recipe.py --recipe';
    const report = async (recipe: string) => (await estimateText('run.sh', `${text} ${recipe}\n`)).report;
    // 16 layers of Llama 3.2 1B: hidden size 2048, 8 groups of keys of 64, 8192 in between.
    const fused = 16 * 32 * (2048 + 3072 + 2048 + 2048 + 2048 + 2 * 8192 + 8192 + 2048);
    const dense = await report('llama32_1b_peft_config');
    expect(dense.parameters?.trainable).toBe(fused);
    expect(dense.checkpoint.bytes).toBe(fused * 14);
    // Attention alone, of a model with experts: 48 layers, hidden size 2048, 32 heads and 4 groups of 128.
    const attention = 48 * 8 * (2048 + 5120 + 4096 + 2048);
    expect((await report('qwen3_30b_a3b_peft_config')).parameters?.trainable).toBe(attention);
    expect((await report('gpt_oss_20b_peft_config')).parameters?.trainable).toBeNull();
  });

  it.each([
    ['--recipe llama3_8b_pretrain_config', 1_168_251, 500],
    ['--recipe llama32_1b_peft_config', 1000, 50],
    ['--recipe qwen3_8b_sft_4gpu_h100_bf16_config', 100, 100],
    ['--recipe gpt_oss_120b_sft_config', 1000, 250],
    ['--recipe qwen3_vl_235b_a22b_sft_config', 300_000, 500],
    ['--model nemotron_3_nano_4b --mode pretrain', 100, 50],
    ['--model llama3_8b --mode dora', 1000, 50],
    ['--recipe llama3_8b_sft_config train.train_iters=7 checkpoint.save_interval=3', 7, 3],
    ['--recipe llama3_8b_sft_config -ms 7', 7, 50],
    // Two that differ.
    ['--recipe qwen3_8b_pretrain_config', undefined, undefined],
    ['--recipe my_sft_config', undefined, undefined],
  ])('%s trains and saves as long as the recipe has it', async (flags, steps, saveIntervalSteps) => {
    const plan = (await launch(flags))?.plan;
    expect({ steps: plan?.steps, saveIntervalSteps: plan?.saveIntervalSteps }).toEqual({ steps, saveIntervalSteps });
    expect(plan?.notes?.includes('run-of-recipe')).toBe(steps !== undefined && !/train_iters/.test(flags));
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
    expect((await launch('--recipe kimi_k2_pretrain_config'))?.plan).toMatchObject({ optimizer: 'muon' });
    expect((await launch('--recipe qwen3_8b_sft_config'))?.plan).toMatchObject({ optimizer: 'adam' });
  });

  // Each mixed precision has a recipe of FP8 whether or not it uses FP8, so that the state is saved as it is in memory.
  it.each([
    ['', { momentDtypes: { first: 'bf16' } }],
    ['mixed_precision=bf16_with_fp8_delayed_scaling_mixed', { masterRemainderBytes: 2 }],
    ['mixed_precision.fp8_recipe=null', { masterRemainderBytes: 2 }],
    ['checkpoint.dist_ckpt_optim_fully_reshardable=true', {}],
    ['checkpoint.ckpt_format=fsdp_dtensor', { momentDtypes: { first: 'bf16' } }],
  ])('save the state of the precision-aware optimizer with %s', async (flags, expected) => {
    const aware = 'optimizer.use_precision_aware_optimizer=true optimizer.exp_avg_dtype=torch.bfloat16';
    const plan = (await launch(`--recipe qwen3_8b_sft_config ${aware} ${flags}`))?.plan;
    const { momentDtypes, masterRemainderBytes } = plan ?? {};
    expect(planOf({ momentDtypes, masterRemainderBytes })).toEqual(expected);
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
