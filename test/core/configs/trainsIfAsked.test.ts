/** Programs that train with `do_train` alone: LLaMA-Factory (llamafactory/train/*\/workflow.py), examples of transformers. */
import { describe, expect, it } from 'vitest';
import { estimateText } from '../../builders/estimateText.js';
import { readText } from './readConfigFixture.js';

const yaml = (rest: string) =>
  `model_name_or_path: Qwen/Qwen2.5-7B-Instruct\nstage: sft\nfinetuning_type: full\ntemplate: qwen\noutput_dir: saves\nsave_steps: 500\nmax_steps: 2000\n${rest}\n`;
const flags = '--model_name_or_path gpt2 --dataset_name w --output_dir o --save_steps 500 --max_steps 1000';

describe('a run that is not asked to train', () => {
  it.each([
    ['LLaMA-Factory, not set', 'a.yaml', yaml('bf16: true')],
    ['LLaMA-Factory, false', 'a.yaml', yaml('do_train: false')],
    ['LLaMA-Factory, in a script', 'a.sh', `llamafactory-cli train --stage sft --template qwen --finetuning_type full ${flags}`],
    ['run_clm.py', 'a.sh', `python run_clm.py --per_device_train_batch_size 8 ${flags}`],
    ['run_clm.py in its folder', 'a.sh', `accelerate launch examples/pytorch/language-modeling/run_clm.py ${flags}`],
  ])('writes no checkpoint: %s', async (_, name, text) => {
    const { report, estimate } = await estimateText(name, text);
    expect(report.run).toMatchObject({ saves: 0, kept: 0, bytes: 0, endBytes: null });
    expect(estimate.plan.notes).toContain('trains-if-asked');
    expect(report.checkpoint.bytes).toBeGreaterThan(0);
  });

  it.each([
    ['LLaMA-Factory', 'a.yaml', yaml('do_train: true'), 4],
    ['LLaMA-Factory, as a placeholder', 'a.yaml', yaml('do_train: ${train}'), 4],
    ['run_clm.py', 'a.sh', `python run_clm.py --do_train ${flags}`, 2],
    ['a script of another program', 'a.sh', `python run_sft.py --per_device_train_batch_size 8 ${flags}`, 2],
    ['a loop of its own', 'a.sh', `python run_clm_no_trainer.py --per_device_train_batch_size 8 ${flags}`, 2],
  ])('is not one: %s', async (_, name, text, saves) => {
    const { report } = await estimateText(name, text);
    expect(report.run.saves).toBe(saves);
  });

  it('is one of evaluation where it asks for that', async () => {
    expect((await readText('a.yaml', yaml('do_predict: true')))?.reading.serving).toBeDefined();
    expect((await readText('a.sh', `python run_clm.py --do_eval ${flags}`))?.reading.serving).toBeDefined();
  });
});

it('an example of transformers may leave all to defaults, and name a config alone', async () => {
  const text = 'accelerate launch run_clm.py --config_name gpt2 --tokenizer_name gpt2 --do_train --output_dir o\n';
  const { report } = await estimateText('a.sh', text);
  expect(report.parameters?.unique).toBe(124_439_808);
  expect(report.training).toMatchObject({ epochs: 3, saveIntervalSteps: 500, microBatch: 8 });
});

it.each(['trl/scripts/sft.py', '-m trl.scripts.sft'])('%s may leave all to defaults as trl sft may', async (program) => {
  const { report } = await estimateText('a.sh', `accelerate launch ${program} --model_name_or_path gpt2 --dataset_name w\n`);
  expect(report.training).toMatchObject({ epochs: 3, saveIntervalSteps: 500, microBatch: 8 });
});

it('a program that stops before it saves leaves nothing at the end', async () => {
  const text =
    'checkpoint_dir: checkpoints/meta-llama/Llama-3.2-1B\nout_dir: out\nprecision: bf16-true\nlora_r: 8\ntrain: {save_interval: 0, global_batch_size: 8, micro_batch_size: 2, max_steps: 1000}\n';
  const { report, estimate } = await estimateText('a.yaml', text);
  expect(estimate.plan.notes).toContain('interval-refused');
  expect(report.run).toMatchObject({ saves: 0, bytes: 0, endBytes: null });
});
