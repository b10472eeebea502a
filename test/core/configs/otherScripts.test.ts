/** Scripts over the Trainer that are much copied, and what is no training of theirs. */
import { describe, expect, it } from 'vitest';
import { estimateText } from '../../builders/estimateText.js';
import { estimateLens } from '../../../src/core/pages/estimate/estimateHover.js';
import { renderEstimateTerminal } from '../../../src/core/pages/estimate/estimateTerminal.js';
import { estimateVerdict } from '../../../src/core/pages/estimate/estimateVerdict.js';
import { readText } from './readConfigFixture.js';

const usual = '--output_dir out --per_device_train_batch_size 4 --save_steps 100 --max_steps 1000 --bf16 True';
const reportOf = async (command: string) => (await estimateText('run.sh', `${command}\n`)).report;
/** All linear layers of Llama 2 7B, rank 64: matrices of 4096 and 11008. */
const adapter = 32 * 64 * (4 * (4096 + 4096) + 3 * (4096 + 11_008));

describe('LLaVA', () => {
  const command = `deepspeed llava/train/train_mem.py --model_name_or_path meta-llama/Llama-2-7b-hf ${usual}`;

  it('adapts all linear layers with a rank of 64 unless another one is set', async () => {
    expect((await reportOf(`${command} --lora_enable True`)).parameters?.trainable).toBe(adapter);
    expect((await reportOf(`${command} --lora_enable True --lora_r 128 --lora_alpha 256`)).parameters?.trainable).toBe(
      2 * adapter,
    );
    expect((await reportOf(`${command} --lora_enable True --bits 4`)).training.loadBits).toBe(4);
    expect((await reportOf(`${command} --lora_enable False`)).parameters?.trainable).toBe(6_738_415_616);
  });

  it('trains the projector alone, which is not counted', async () => {
    const { checkpoint, parameters } = await reportOf(`${command} --tune_mm_mlp_adapter True`);
    expect([checkpoint.bytes, parameters?.trainable]).toEqual([null, null]);
  });
});

it('QLoRA’s own script has four bits and adapters on all linear layers', async () => {
  const command = `python qlora.py --model_name_or_path meta-llama/Llama-2-7b-hf ${usual}`;
  const report = await reportOf(command);
  expect([report.parameters?.trainable, report.training.loadBits]).toEqual([adapter, 4]);
  expect((await reportOf(`${command} --full_finetune True`)).parameters?.trainable).toBe(6_738_415_616);
});

it('a prefix is all that P-tuning trains', async () => {
  const report = await reportOf(`python main.py --model_name_or_path meta-llama/Llama-2-7b-hf --pre_seq_len 128 ${usual}`);
  expect([report.checkpoint.bytes, report.parameters?.trainable]).toEqual([null, null]);
});

it('parts that another file names are at most what is shown', async () => {
  const text =
    'model_name_or_path: meta-llama/Llama-3.1-8B\nspectrum_config_path: a.yaml\nper_device_train_batch_size: 4\nnum_train_epochs: 1\nsave_strategy: epoch\n';
  const { report } = await estimateText('a.yaml', text);
  expect(report.assumptions.map(({ text: said }) => said).join()).toContain('a checkpoint takes at most what is shown');
});

describe('what predicts, or is not to train, saves nothing', () => {
  const command = `main.py --model_name_or_path meta-llama/Llama-2-7b-hf ${usual}`;
  it.each([
    [`python ${command} --do_predict`, true],
    [`python ${command} --do_train False --do_predict True`, true],
    [`python run_clm.py --model_name_or_path gpt2 ${usual} --do_train False`, true],
    [`python ${command} --do_eval`, false],
    [`python ${command} --do_train --do_predict`, false],
  ])('%s', async (text, trainsNothing) => {
    expect((await reportOf(text)).trainsNothing).toBe(trainsNothing);
  });
});

describe('a critic that is not counted', () => {
  const command =
    'python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path=Qwen/Qwen2.5-0.5B critic.model.path=Qwen/Qwen2.5-7B algorithm.adv_estimator=gae trainer.save_freq=10 trainer.total_training_steps=100';

  it('makes all bytes lower bounds, and leaves open whether they fit', async () => {
    const { report } = await estimateText('run.sh', `${command}\n`, { freeBytes: 1e12 });
    expect(report.checkpoint.isAtLeast).toBe(true);
    expect(estimateVerdict(report)).toMatchObject({
      severity: 'note',
      text: expect.stringMatching(/^May fit: the run keeps at least /) as string,
    });
    expect(estimateLens(report)).toMatch(/checkpoint ≥ .* kept = ≥ /);
    expect(renderEstimateTerminal(report, { width: 200, color: false })).toMatch(/takes at least [\s\S]*on disk[^:]*: at least /);
    expect((await estimateText('run.sh', `${command}\n`, { freeBytes: 1e9 })).report.findings.map(({ code }) => code)).toContain(
      'checkpoints-exceed-free-space',
    );
  });
});

it('a run that saves nothing would take what a checkpoint has', async () => {
  const report = await reportOf(`python train.py --model_name_or_path meta-llama/Llama-2-7b-hf ${usual} --save_strategy no`);
  expect(renderEstimateTerminal(report, { width: 200, color: false })).toContain('A checkpoint would take ');
});

it('a variable takes its default where it is set by `:=`', async () => {
  const text = ': "${LEN:=2048}" "${MODEL:=Qwen/Qwen2.5-7B}"\nvllm serve $MODEL --max-model-len $LEN\n';
  expect((await estimateText('a.sh', text)).report.serving?.cache?.contextTokens).toBe(2048);
});

it('a converter is none by a version in its name', async () => {
  const flags =
    '--num-layers 2 --hidden-size 128 --num-attention-heads 2 --seq-length 64 --micro-batch-size 1 --save ck --save-interval 1';
  expect(await readText('run.sh', `python hf2mcore_qwen2.5_vl.py ${flags}\n`)).toBeNull();
});

it('FlagScale’s groups of Megatron’s arguments are no config of NeMo', async () => {
  const text =
    'system: {tensor_model_parallel_size: 1, checkpoint: {save_interval: 10}}\nmodel: {num_layers: 2, hidden_size: 128, micro_batch_size: 1, global_batch_size: 8}\n';
  expect((await readText('train.yaml', text))?.id).not.toBe('nemo');
});

it('a name of any length is shown by its beginning', async () => {
  const { report } = await estimateText('a.sh', `python train.py --model_name_or_path ${'a'.repeat(100_000)} ${usual}\n`);
  expect(report.missingModel?.text.length).toBeLessThan(500);
});
