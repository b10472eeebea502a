import { describe, expect, it } from 'vitest';
import { readText } from './readConfigFixture.js';

const launch = (program: string, flags: string): string =>
  `python mason.py --cluster a --num_nodes 2 -- accelerate launch --num_processes 8 ${program} --model_name_or_path allenai/OLMo-2-1124-7B ${flags}\n`;

async function planOf(program: string, flags: string) {
  const read = await readText('run.sh', launch(program, flags));
  expect(read?.id).toBe('open-instruct');
  return read?.reading.plan;
}

describe('launches of Open Instruct', () => {
  it('by its launcher for clusters save as its programs do', async () => {
    const flags = '--max_seq_length 4096 --per_device_train_batch_size 1 --num_train_epochs 2 --output_dir out';
    expect(await planOf('open_instruct/finetune.py', flags)).toMatchObject({ endFolder: 'weights', keep: 3, deletes: 'at-end' });
    expect((await planOf('open_instruct/finetune.py', `${flags} --clean_checkpoints_at_end False`))?.deletes).toBeUndefined();
    expect(await planOf('dpo_tune_cache.py', `${flags} --checkpointing_steps 500`)).toMatchObject({ saveIntervalSteps: 500 });
    expect((await planOf('dpo_tune_cache.py', flags))?.deletes).toBeUndefined();
  });

  it('of GRPO keep the model alone of every so many steps', async () => {
    const flags =
      '--total_episodes 200000 --num_unique_prompts_rollout 64 --num_samples_per_prompt_rollout 16 --per_device_train_batch_size 1';
    expect(await planOf('open_instruct/grpo_fast.py', `${flags} --save_freq 25`)).toMatchObject({
      steps: 195,
      saveIntervalSteps: 25,
      keep: null,
      savesOptimizer: false,
      parameterDtype: 'bf16',
    });
    const byDefault = await planOf('open_instruct/grpo_fast.py', flags);
    expect(byDefault).toMatchObject({ saveIntervalSteps: 200 });
    expect(byDefault?.notes).toContain('default-save-interval');
    expect((await planOf('open_instruct/grpo_fast.py', `${flags} --save_freq -1`))?.saveIntervalSteps).toBeUndefined();
  });

  it('of other programs have no interval that nobody has set', async () => {
    const flags = '--per_device_train_batch_size 1 --num_train_epochs 1 --output_dir out';
    expect((await planOf('open_instruct/reward_modeling.py', flags))?.saveIntervalSteps).toBeUndefined();
    expect((await readText('run.sh', `torchrun finetune.py --model_name_or_path a ${flags}\n`))?.id).toBe('training-arguments');
  });
});

it('OpenRLHF makes room before it saves, and counts exports that lie beside its checkpoints', async () => {
  const of = async (cli: string, flags: string) =>
    (await readText('run.sh', `python3 -m openrlhf.cli.${cli} --pretrain a/b --save_steps 20 --max_ckpt_num 3 ${flags}\n`))
      ?.reading.plan;
  expect(await of('train_sft', '')).toMatchObject({ keep: 3, deletes: 'first' });
  expect(await of('train_sft', '--save_hf_ckpt')).toMatchObject({ keep: 2, deletes: 'first', exportedWeights: 'bf16' });
  expect(await of('train_ppo_ray', '--save_hf_ckpt')).toMatchObject({ keep: 3 });
});
