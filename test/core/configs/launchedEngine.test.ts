/** Engines that the flags of `accelerate launch` choose (accelerate/commands/launch.py), and modules of TRL. */
import { describe, expect, it } from 'vitest';
import { estimateText } from '../../builders/estimateText.js';
import { readText } from './readConfigFixture.js';

const flags =
  '--model_name_or_path Qwen/Qwen2.5-7B --dataset_name x --output_dir o --per_device_train_batch_size 4 --max_steps 1000 --save_steps 250';

const planOf = async (launch: string, program = 'sft.py') =>
  (await readText('job.sh', `accelerate launch ${launch} --num_processes 8 ${program} ${flags}\n`))?.reading.plan;

describe('flags of accelerate launch', () => {
  it('choose DeepSpeed', async () => {
    const launch = '--use_deepspeed --zero_stage 3 --zero3_save_16bit_model true --mixed_precision bf16';
    for (const program of ['sft.py', '-m trl.scripts.sft'])
      expect(await planOf(launch, program)).toMatchObject({
        zeroStage: 3,
        gathersWeights: true,
        precision: 'bf16',
        worldSize: 8,
      });
    const { report } = await estimateText('job.sh', `accelerate launch ${launch} sft.py ${flags}\n`);
    expect(report.checkpoint.bytesPerParameter).toBe(14);
    expect(JSON.stringify(report.assumptions)).not.toContain('no engine is set here');
  });

  it('take ZeRO-2 where no stage is set, and a file of DeepSpeed', async () => {
    expect(await planOf('--use_deepspeed')).toMatchObject({ zeroStage: 2 });
    const text = `accelerate launch --use_deepspeed --deepspeed_config_file ds.json sft.py ${flags}\n`;
    const beside = { 'ds.json': '{"zero_optimization": {"stage": 1}, "bf16": {"enabled": true}}' };
    expect((await estimateText('job.sh', text, { beside })).estimate.plan).toMatchObject({ zeroStage: 1 });
  });

  it('choose FSDP', async () => {
    expect(
      await planOf('--use_fsdp --fsdp_state_dict_type SHARDED_STATE_DICT --mixed_precision bf16', 'examples/scripts/sft.py'),
    ).toMatchObject({ writer: 'fsdp', sharding: 'weights', gathersWeights: false, parameterDtype: 'f32', precision: 'bf16' });
    expect(await planOf('--use_fsdp --fsdp_version 2 --fsdp_reshard_after_forward false')).toMatchObject({
      writer: 'fsdp',
      sharding: 'gradients',
    });
  });

  it('choose none, and the precision', async () => {
    const plan = await planOf('--multi_gpu --mixed_precision bf16');
    expect(plan).toMatchObject({ writer: 'huggingface-trainer', precision: 'bf16' });
    expect(plan?.notes).not.toContain('plain-launch');
    expect((await planOf('--mixed_precision bf16'))?.notes).toContain('plain-launch');
  });
});

it('python -m trl.scripts.sft loads a model as trl sft does', async () => {
  const found = await Promise.all(
    ['trl sft', 'python -m trl.scripts.sft', 'python trl/scripts/sft.py'].map(async (run) => {
      const { report } = await estimateText('job.sh', `${run} ${flags}\n`);
      return report.checkpoint;
    }),
  );
  expect(found[0]?.bytesPerParameter).toBe(12);
  expect(found[1]).toEqual(found[0]);
  expect(found[2]).toEqual(found[0]);
  const plain = `--model_name_or_path Qwen/Qwen3-0.6B --dataset_name x --max_steps 10`;
  expect((await readText('job.sh', `python -m trl.scripts.reward ${plain}\n`))?.reading.model).toMatchObject({
    head: { task: 'SequenceClassification', labels: 1 },
  });
});
