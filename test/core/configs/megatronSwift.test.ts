/** `megatron sft`, `pt` and `rlhf` of ms-swift (swift/megatron at 3602360a5). */
import { describe, expect, it } from 'vitest';
import { estimateText, llamaConfig } from '../../builders/estimateText.js';

const llama = 8_030_261_248;
const beside = { 'base/config.json': llamaConfig() };

const script = (...flags: readonly string[]) =>
  `NPROC_PER_NODE=2 \\\nmegatron sft \\\n  --model base \\\n  --dataset 'a#500' 'b#500' \\\n  --tensor_model_parallel_size 2 \\\n  --micro_batch_size 1 \\\n  --train_iters 1200 \\\n  --output_dir out \\\n  --max_length 2048 ${flags.join(' ')}\n`;

const estimateOf = async (...flags: readonly string[]) => (await estimateText('a.sh', script(...flags), { beside })).report;

describe('full training', () => {
  it('saves for Megatron and for transformers, at the last step too', async () => {
    const report = await estimateOf();
    expect(report.config).toBe('ms-swift');
    expect(report.checkpoint.bytes).toBe(llama * (2 + 12 + 2));
    expect(report.run).toMatchObject({ saves: 3, kept: 3 });
    expect(report.training).toMatchObject({
      saveIntervalSteps: 500,
      globalBatch: 16,
      tensorParallel: 2,
      sharding: 'optimizer',
      precision: 'bf16',
    });
  });

  it.each([
    ['--no_save_optim true', 2],
    ['--no_save_optim', 2],
    ['--save_safetensors false', 14],
    ['--save_safetensors false --no_save_optim true', 2],
  ])('%s', async (flags, bytes) => {
    expect((await estimateOf(flags)).checkpoint.bytesPerParameter).toBe(bytes);
  });

  it('keeps as many as are asked for', async () => {
    expect((await estimateOf('--save_total_limit 2 --save_steps 100')).run).toMatchObject({ saves: 12, kept: 2 });
  });
});

describe('LoRA', () => {
  // A matrix for query, key and value in each layer, and one for gate and up.
  const fused = 32 * 8 * (4096 + 6144 + 4096 + 4096 + 4096 + 2 * 14336 + 14336 + 4096);
  const apart = fused + 32 * 8 * 3 * 4096;

  it('is merged into a model of its own', async () => {
    const report = await estimateOf('--tuner_type lora');
    expect(report.parameters?.trainable).toBe(fused);
    expect(report.checkpoint.bytes).toBe(fused * (2 + 12 + 2) + llama * 2);
  });

  it('is alone without', async () => {
    const report = await estimateOf('--tuner_type lora --merge_lora false --no_save_optim true');
    expect(report.checkpoint.bytes).toBe(apart * 2);
  });

  const experts = {
    model_type: 'qwen3_moe',
    architectures: ['Qwen3MoeForCausalLM'],
    num_experts: 8,
    moe_intermediate_size: 64,
    num_experts_per_tok: 2,
    head_dim: 128,
  };

  it('is one for each expert, and none for what chooses them', async () => {
    const other = { 'base/config.json': llamaConfig(experts) };
    const attention = 4096 + 6144 + 4096 + 4096;
    // mcore_bridge/tuners/lora.py: a matrix for gate and up, and one for down.
    const ofExperts = 8 * (4096 + 2 * 64 + 64 + 4096);
    const { report } = await estimateText('a.sh', script('--tuner_type lora'), { beside: other });
    expect(report.parameters?.trainable).toBe(32 * 8 * (attention + ofExperts));
    const exported = await estimateText('a.sh', script('--tuner_type lora', '--no_save_optim', 'true'), { beside: other });
    expect(exported.report.parameters?.trainable).toBe(32 * 8 * (attention + 2 * 4096 + ofExperts + 8 * 4096));
  });

  it('is not counted where layers have modules of other forms', async () => {
    const other = {
      'base/config.json': llamaConfig({ ...experts, model_type: 'qwen3_next', architectures: ['Qwen3NextForCausalLM'] }),
    };
    const { report } = await estimateText('a.sh', script('--tuner_type lora'), { beside: other });
    expect(report.parameters?.unique).toBeGreaterThan(0);
    expect(report.checkpoint.bytes).toBeNull();
  });
});

describe('multimodal models', () => {
  const whole = 8_292_166_656;
  const language = 7_615_616_512;
  const seeing = (...flags: readonly string[]) => script(...flags).replace('--model base', '--model Qwen/Qwen2.5-VL-7B-Instruct');
  const trained = async (...flags: readonly string[]) => (await estimateText('a.sh', seeing(...flags))).report;

  it('are trained without what sees, unless it is asked for', async () => {
    const report = await trained('--no_save_optim false', '--save_safetensors false');
    expect(report.parameters?.trainable).toBe(language);
    expect(report.checkpoint.bytes).toBe(whole * 2 + language * 12);
    const all = await trained('--freeze_vit false', '--freeze_aligner false', '--save_safetensors false');
    expect(all.checkpoint.bytes).toBe(whole * 14);
  });

  it('get no adapter there', async () => {
    const report = await trained('--tuner_type lora');
    expect(report.parameters?.trainable).toBe(28 * 8 * (3584 + 4608 + 3584 + 3584 + 3584 + 2 * 18_944 + 18_944 + 3584));
  });
});

it('reward models have one score a text', async () => {
  const text = script().replace('megatron sft', 'megatron rlhf').replace('--model', '--rlhf_type rm --model');
  const { report } = await estimateText('a.sh', text, { beside });
  expect(report.parameters?.unique).toBe(llama - 128_256 * 4096 + 4096);
});

it('is known by its file and by YAML', async () => {
  const file = script().replace('megatron sft', 'torchrun swift/cli/_megatron/sft.py');
  expect((await estimateText('a.sh', file, { beside })).report.checkpoint.bytesPerParameter).toBe(16);
  const yaml =
    'model: base\ndataset:\n  - a\nmicro_batch_size: 1\nglobal_batch_size: 4\nno_save_optim: true\nnum_train_epochs: 1\n';
  const { report } = await estimateText('a.yaml', yaml, { beside });
  expect(report).toMatchObject({ config: 'ms-swift', checkpoint: { bytes: llama * 2 } });
});

it('ms-swift 3 has the names of Megatron, and saves for it alone', async () => {
  const old = '--load base --save out --save_interval 50 --max_epochs 1';
  const text = `megatron sft ${old} --dataset a --tensor_model_parallel_size 2 --micro_batch_size 1 --train_iters 100\n`;
  const { report } = await estimateText('a.sh', text, { beside });
  expect(report.parameters?.unique).toBe(llama);
  expect(report.checkpoint.bytesPerParameter).toBe(14);
  expect(report.run).toMatchObject({ saves: 2, kept: 2 });
});

it('a backend of that name is no launcher', async () => {
  const text =
    'swift sft --model base --dataset a --train-backend megatron --save_steps 100 --tuner_type full --output_dir out --max_steps 100\n';
  const { report } = await estimateText('a.sh', text, { beside });
  expect(report.training.tensorParallel).toBeNull();
});
