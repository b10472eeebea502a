/** Configs of public repositories that were taken for others, or whose checkpoints hold more than was said. */
import { describe, expect, it } from 'vitest';
import { estimateText } from '../../builders/estimateText.js';
import { readText } from './readConfigFixture.js';

it('verl saves the frozen base with the adapter under FSDP, and the adapter once more', async () => {
  const text =
    'python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct actor_rollout_ref.model.lora_rank=32 actor_rollout_ref.model.target_modules=all-linear trainer.save_freq=20 trainer.total_training_steps=100 data.train_batch_size=8 algorithm.adv_estimator=grpo actor_rollout_ref.actor.strategy=fsdp\n';
  const { report } = await estimateText('run.sh', text);
  const adapter = report.parameters?.trainable ?? 0;
  expect(adapter).toBe(80_740_352);
  // Shards of 32-bit base and adapter with its moments, and `lora_adapter`.
  expect(report.checkpoint.bytes).toBe(7_615_616_512 * 4 + adapter * (4 + 8 + 4));
  expect(report.checkpoint.terms.map(({ source }) => source)).toContain('the same files hold the base model, too');
});

describe('verl trains further an adapter of before', () => {
  const text =
    'python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct actor_rollout_ref.model.lora_adapter_path=/a/lora/ trainer.save_freq=20 trainer.total_training_steps=100 algorithm.adv_estimator=grpo\n';

  it('with the rank of its own config', async () => {
    const config = JSON.stringify({ peft_type: 'LORA', r: 32, target_modules: ['q_proj', 'v_proj'] });
    const { report } = await estimateText('run.sh', text, { beside: { '/a/lora/adapter_config.json': config } });
    const adapter = 28 * 32 * (3584 + 3584 + 3584 + 512);
    expect(report.training.adapterRank).toBe(32);
    expect(report.parameters?.trainable).toBe(adapter);
    expect(report.checkpoint.bytes).toBe(7_615_616_512 * 4 + adapter * (4 + 8 + 4));
  });

  it('of unknown rank where that is not found', async () => {
    const { report } = await estimateText('run.sh', text);
    expect(report.parameters?.trainable).toBeNull();
    expect(report.training.adapterRank).toBeNull();
    expect(report.checkpoint.bytes).toBeNull();
    expect(report.assumptions.map(({ text: words }) => words).join(' ')).toContain('its rank is not known');
  });
});

it('LLaMA-Factory neither trains nor serves where it exports', async () => {
  const rest = 'export_dir: out\nexport_size: 5\ntemplate: qwen3\nadapter_name_or_path: a\n';
  const found = await readText('a.yaml', `model_name_or_path: Qwen/Qwen3-4B\n${rest}`);
  expect(found?.id).not.toBe('llama-factory');
});

it('ms-swift is known by its file under a launcher', async () => {
  const text =
    'deepspeed swift/cli/sft.py --model Qwen/Qwen2.5-7B-Instruct --tuner_type lora --lora_rank 8 --dataset a --model_name swift-robot --save_steps 100 --output_dir out --deepspeed zero2\n';
  const { report } = await estimateText('train.sh', text);
  expect(report.config).toBe('ms-swift');
  expect(report.parameters?.unique).toBe(7_615_616_512);
  expect(report.training.adapterRank).toBe(8);
  expect(report.parameters?.trainable).toBe(20_185_088);
});

it('GPT-NeoX names no tokenizer where the file does not', async () => {
  const text =
    'pipe_parallel_size: 1\nmodel_parallel_size: 1\nnum_layers: 12\nhidden_size: 768\nnum_attention_heads: 12\nseq_length: 2048\nmax_position_embeddings: 2048\ntrain_micro_batch_size_per_gpu: 4\ntrain_iters: 100\nsave: ckpt\n';
  const { report } = await estimateText('a.yml', text);
  const about = report.assumptions.map(({ text: words }) => words).join(' ');
  expect(about).toContain('the tokenizer is the framework’s default');
  expect(about).not.toContain('that is named');
});

const megatron = (...flags: readonly string[]) =>
  `torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 2 --hidden-size 64 --num-attention-heads 4 --seq-length 256 --max-position-embeddings 256 --vocab-size 1000 --micro-batch-size 1 --global-batch-size 8 --train-iters 100 --bf16 --use-distributed-optimizer --save /ckpt --save-interval 10 ${flags.join(' ')}\n`;

it('Megatron counts no language model alone where one of images is trained beside it', async () => {
  const { report } = await estimateText(
    'train.sh',
    megatron('--language-model-type=llama3.1_8b', '--vision-model-type radio', '--decoder-seq-length 4096'),
  );
  expect(report.parameters).toBeNull();
  expect(report.training.sequenceLength).toBe(4096);
  expect((await estimateText('train.sh', megatron())).report.parameters).not.toBeNull();
});

it('Megatron has whole master weights of an optimizer on the CPU', async () => {
  const bytesOf = async (...flags: readonly string[]) =>
    (await estimateText('train.sh', megatron('--use-precision-aware-optimizer', ...flags))).report.checkpoint.bytesPerParameter;
  expect(await bytesOf()).toBe(12);
  expect(await bytesOf('--optimizer-cpu-offload')).toBe(14);
});

it('verl on Megatron saves half of the master weights where its optimizer is aware of precision and not on the CPU', async () => {
  const bytesOf = async (...overrides: readonly string[]) => {
    const set = overrides.map((text) => `+actor_rollout_ref.actor.optim.override_optimizer_config.${text}`).join(' ');
    const text = `python3 -m verl.trainer.main_ppo --config-name=ppo_megatron_trainer actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct trainer.save_freq=20 ${set}\n`;
    return (await estimateText('run.sh', text)).report.checkpoint.bytesPerParameter;
  };
  expect(await bytesOf()).toBe(14);
  expect(await bytesOf('use_precision_aware_optimizer=True')).toBe(12);
  expect(await bytesOf('use_precision_aware_optimizer=True', 'optimizer_cpu_offload=True')).toBe(14);
});

it('Megatron-Bridge saves the state of the precision-aware optimizer as it is in saved run configs, too', async () => {
  const of = async (...lines: readonly string[]) => {
    const sections = [
      'train:',
      '  train_iters: 10',
      'trainer: {}',
      'checkpoint:',
      '  save: out',
      '  save_interval: 5',
      'model:',
      '  num_layers: 2',
    ];
    const text = [
      ...sections,
      '  hidden_size: 64',
      '  num_attention_heads: 2',
      '  vocab_size: 1024',
      '  bf16: true',
      ...lines,
    ].join('\n');
    return (await estimateText('run_config.yaml', text)).report.checkpoint.bytesPerParameter;
  };
  const aware = ['optimizer:', '  optimizer: adam', '  use_precision_aware_optimizer: true', '  exp_avg_dtype: torch.bfloat16'];
  expect(await of('optimizer:', '  optimizer: adam')).toBe(14);
  expect(await of(...aware)).toBe(2 + 4 + 2 + 4);
  expect(await of(...aware, '  fp8_recipe: delayed')).toBe(2 + 2 + 8);
  expect(await of('ddp:', '  use_megatron_fsdp: true')).toBe(4 + 8);
});

it('Megatron trains nothing where two texts are compared', async () => {
  const text = megatron().replace('pretrain_gpt.py', 'tasks/msdp/main.py --task MSDP-EVAL-F1 --guess-file a --answer-file b');
  expect((await readText('eval.sh', text))?.id).not.toBe('megatron');
});

it.each([
  ['use_galore: true\ngalore_rank: 128\ngalore_layerwise: true', 'galore', 0],
  ['use_apollo: true\napollo_rank: 128\napollo_layerwise: true', 'apollo', 0],
  ['use_galore: true\ngalore_rank: 128', 'galore', 1],
])('LLaMA-Factory saves no moments of %s', async (rest, optimizer, least) => {
  const text = `stage: sft\ndo_train: true\nmodel_name_or_path: meta-llama/Meta-Llama-3-8B\ntemplate: llama3\ndataset: identity\nfinetuning_type: full\npure_bf16: true\noutput_dir: out\nper_device_train_batch_size: 1\nmax_steps: 100\n${rest}\n`;
  const { report } = await estimateText('a.yaml', text);
  expect(report.training.optimizer).toBe(optimizer);
  const { bytes } = report.checkpoint;
  const weights = 8_030_261_248 * 2;
  if (least === 0) expect(bytes).toBe(weights);
  // Embedding and head have Adam's moments, all else those of matrices of rank 128.
  else expect(bytes).toBeGreaterThan(weights + 2 * 2 * 2 * 128_256 * 4096);
  expect(bytes).toBeLessThan(weights * 2);
});

it.each([
  ['', 4],
  ['save_total_limit: 0\n', 4],
  ['save_total_limit: 2\n', 2],
  ['save_total_limit: -1\n', null],
])('axolotl keeps what the Trainer does with %j', async (more, keep) => {
  const text = `base_model: Qwen/Qwen2.5-7B-Instruct\nmicro_batch_size: 1\nsave_steps: 10\nmax_steps: 100\n${more}`;
  const { report } = await estimateText('a.yaml', text);
  expect(report.training.keep).toBe(keep);
  expect(report.run.kept).toBe(keep ?? 10);
});

it.each([
  ['best', 1],
  ['steps', 2],
])('the Trainer keeps the best beside the newest where it is another one: %s', async (strategy, keep) => {
  const text = `model_name_or_path: Qwen/Qwen2.5-7B-Instruct\nper_device_train_batch_size: 1\nmax_steps: 1000\nsave_strategy: ${strategy}\nload_best_model_at_end: true\nsave_total_limit: 1\n`;
  const { report } = await estimateText('a.yaml', text);
  expect(report.run.kept).toBe(keep);
  expect(report.assumptions.some(({ text: words }) => words.includes('stays beside the newest'))).toBe(keep === 2);
});

it.each([
  // 143 by the interval; 0 is before training.
  [{ train_iters: 143_000, checkpoint_factor: 1000, extra_save_iters: [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512] }, 154],
  // The interval and the last step have these, and the run is over before the rest.
  [{ train_iters: 105, checkpoint_factor: 10, extra_save_iters: [20, 20, 105, 200, 7] }, 12],
  [{ train_iters: 100, extra_save_iters: [0, 50] }, 3],
])('GPT-NeoX saves at the steps of a list besides: %j', async (keys, saves) => {
  const sizes = {
    num_layers: 2,
    hidden_size: 64,
    num_attention_heads: 4,
    padded_vocab_size: 1024,
    pos_emb: 'rotary',
    save: 'out',
  };
  const { report } = await estimateText('a.json', JSON.stringify({ ...sizes, ...keys }));
  expect(report.run).toMatchObject({ saves, kept: saves });
});
