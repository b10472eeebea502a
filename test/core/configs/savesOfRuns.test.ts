/** When runs save, in configs whose saves follow no single interval, and configs that train nothing. */
import { describe, expect, it } from 'vitest';
import { estimateText, llamaConfig } from '../../builders/estimateText.js';

const neox = (lines: string) =>
  `{"pipe-parallel-size": 1, "num-layers": 2, "hidden-size": 128, "num-attention-heads": 2, "train-iters": 14300, "save": "ck", ${lines}}\n`;

async function trainsNothing(text: string) {
  return (await estimateText('run.sh', text)).report.trainsNothing;
}

async function runOf(name: string, text: string) {
  return (await estimateText(name, text, { beside: { 'llama/config.json': llamaConfig() } })).report.run;
}

it('LoRA of LitGPT leaves the merged model beside the adapter when training ends', async () => {
  const text =
    'checkpoint_dir: checkpoints/meta-llama/Llama-3.2-1B\nout_dir: out\nprecision: bf16-true\nlora_r: 32\nlora_key: true\nlora_projection: true\nlora_mlp: true\nlora_head: true\ntrain: {save_interval: 200, global_batch_size: 8, micro_batch_size: 2, max_steps: 1000}\n';
  const { report } = await estimateText('a.yaml', text);
  const [adapter, merged] = [2 * 26_714_112, 2 * 1_498_482_688];
  expect(report.checkpoint.bytes).toBe(adapter);
  expect(report.run).toMatchObject({ saves: 5, endBytes: adapter + merged, bytes: 6 * adapter + merged });
  expect(report.assumptions.map(({ source }) => source)).toContain('litgpt: merged-and-counted');
});

describe('saves of GPT-NeoX at powers', () => {
  it('are at the powers of the factor, besides those that are listed, and at the end', async () => {
    const text = neox('"checkpoint-scale": "log", "checkpoint-factor": 2, "extra-save-iters": [1000, 3000]');
    expect((await runOf('neox.yml', text)).saves).toBe(17);
    expect((await runOf('neox.yml', neox('"checkpoint-scale": "log", "checkpoint-factor": 1.5'))).saves).toBe(24);
    expect((await runOf('neox.yml', neox('"checkpoint-scale": "linear", "checkpoint-factor": 1000'))).saves).toBe(15);
  });
});

describe('configs that evaluate alone', () => {
  const megatron =
    '--num-layers 2 --hidden-size 128 --num-attention-heads 2 --seq-length 64 --micro-batch-size 1 --save ck --save-interval 9';
  const verl = 'actor_rollout_ref.model.path=Qwen/Qwen2.5-7B trainer.save_freq=10 trainer.total_training_steps=95';
  const trainer = '--model_name_or_path Qwen/Qwen2.5-7B --per_device_eval_batch_size 4 --save_steps 100 --output_dir o';
  it.each([
    ['Megatron-LM', `torchrun pretrain_gpt.py ${megatron}`, '--skip-train'],
    ['verl', `python3 -m verl.trainer.main_ppo ${verl}`, 'trainer.val_only=True'],
  ])('save nothing of %s', async (_, command, flag) => {
    expect(await trainsNothing(`${command}\n`)).toBe(false);
    expect(await trainsNothing(`${command} ${flag}\n`)).toBe(true);
    expect(await runOf('run.sh', `${command} ${flag}\n`)).toMatchObject({ saves: 0, kept: 0, bytes: 0, writtenBytes: 0 });
  });

  it('save nothing of an example of transformers, others of which train whatever `do_eval` is', async () => {
    expect(await trainsNothing(`python run_clm.py ${trainer} --do_eval\n`)).toBe(true);
    expect(await trainsNothing(`python run_clm.py ${trainer} --do_eval --do_train\n`)).toBe(false);
    expect(await trainsNothing(`python train.py ${trainer} --do_eval\n`)).toBe(false);
  });
});

describe('hf_checkpointer of llm-foundry', () => {
  const config = (more: string) =>
    `model:\n  name: hf_causal_lm\n  pretrained_model_name_or_path: ./llama\nmax_seq_len: 2048\nmax_duration: 3ep\nprecision: amp_bf16\nglobal_train_batch_size: 8\noptimizer: {name: decoupled_adamw}\n${more}`;
  const callback = (lines: string) => `callbacks:\n  hf_checkpointer: {save_folder: ./hf, ${lines}}\n`;
  const parameters = 8_030_261_248;

  it('writes all that there is without a folder for checkpoints', async () => {
    const once = await runOf('a.yaml', config(callback('save_interval: 1dur, precision: bfloat16')));
    expect(once).toMatchObject({ saves: 1, kept: 1, bytes: 2 * parameters });
    const wide = await runOf('a.yaml', config(callback('save_interval: 1ep')));
    expect(wide).toMatchObject({ saves: 3, kept: 3, bytes: 3 * 4 * parameters });
  });

  it('adds to what checkpoints take', async () => {
    const saved = 'save_folder: ./ck\nsave_interval: 1ep\nsave_num_checkpoints_to_keep: 1\n';
    const alone = await runOf('a.yaml', config(saved));
    const both = await runOf('a.yaml', config(saved + callback('save_interval: 1ep, precision: bfloat16')));
    const exported = 3 * 2 * parameters;
    expect(both).toMatchObject({
      saves: 3,
      kept: 1,
      bytes: (alone.bytes ?? 0) + exported,
      peakBytes: (alone.peakBytes ?? 0) + exported,
    });
    expect(both.writtenBytes).toBe((alone.writtenBytes ?? 0) + exported);
  });
});

describe('rules of Levanter for what stays', () => {
  const config = (keep: string) =>
    `model: {type: llama, hidden_dim: 128, num_layers: 2, num_heads: 2, seq_len: 128}\ndata: {tokenizer: gpt2}\ntrainer:\n  num_train_steps: 25000\n  train_batch_size: 8\n  checkpointer: {save_interval: 30m, keep: [${keep}]}\n`;
  it.each([
    ['{every: 1000}', 25],
    ['{every: 1000, until: 5000}', 6],
    ['{every: 1000, until: 5000}, {every: 5000}', 9],
    ['{every: 300, until: 1000}, {every: 7000}', 7],
  ])('%s', async (keep, kept) => {
    expect(await runOf('lev.yaml', config(keep))).toMatchObject({ saves: kept, kept });
  });
});

describe('archives of NeMo', () => {
  const config = (more: string) =>
    `trainer: {devices: 8, max_steps: 1000, precision: bf16, val_check_interval: 100}\nexp_manager:\n  create_checkpoint_callback: true\n  checkpoint_callback_params: {save_top_k: 2, save_last: false, every_n_train_steps: 100, ${more}}\nmodel: {num_layers: 2, hidden_size: 128, num_attention_heads: 2, encoder_seq_length: 64, max_position_embeddings: 64, micro_batch_size: 1, override_vocab_size: 512, optim: {name: adam}}\n`;
  it('are written with each checkpoint where that is set', async () => {
    const once = await runOf('a.yaml', config('always_save_nemo: false'));
    const each = await runOf('a.yaml', config('always_save_nemo: true'));
    const archive = once.endBytes ?? 0;
    expect(archive).toBeGreaterThan(0);
    expect(each).toMatchObject({ bytes: once.bytes, endBytes: archive, peakBytes: (once.peakBytes ?? 0) + archive });
    expect(each.writtenBytes).toBe((once.writtenBytes ?? 0) + 10 * archive);
  });
});

describe('scripts of two runs', () => {
  it('say that one is left out', async () => {
    const launch = (steps: number) =>
      `python run_clm.py --model_name_or_path Qwen/Qwen2.5-7B --do_train --per_device_train_batch_size 1 --max_steps ${steps} --save_steps 5 --output_dir o${steps}\n`;
    const { report } = await estimateText('two.sh', launch(10) + launch(20));
    expect(report.training.steps).toBe(10);
    expect(report.unresolved.map(({ text, why }) => `${text}: ${why}`)).toEqual([
      'run_clm.py: another command of this script runs it too; the one with the most arguments is estimated, others are left out',
    ]);
    expect((await estimateText('one.sh', launch(10))).report.unresolved).toEqual([]);
  });
});
