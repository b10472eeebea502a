import { describe, expect, it } from 'vitest';
import { planOfEstimate } from '../../../src/core/planning/sources/planOfEstimate.js';
import { makePlan } from '../../../src/core/planning/storagePlan.js';
import { estimateText, type FilesBeside } from '../../builders/estimateText.js';

const megatron = (...flags: string[]) =>
  `torchrun --nnodes 4 --nproc_per_node 8 pretrain_gpt.py --num-layers 32 --hidden-size 4096 --num-attention-heads 32 --seq-length 4096 \\
   --max-position-embeddings 4096 --vocab-size 32000 --micro-batch-size 1 --global-batch-size 256 --train-iters 1000 --bf16 \\
   --tensor-model-parallel-size 2 --save /ckpt --save-interval 100 ${flags.join(' ')}\n`;
const accelerate = (...lines: string[]) =>
  ['compute_environment: LOCAL_MACHINE', 'num_processes: 32', 'num_machines: 4', 'mixed_precision: bf16', ...lines].join('\n');
const titan = (parallelism: string, checkpoint = '') =>
  `[job]\ndump_folder = "out"\n[model]\nname = "llama3"\nflavor = "8B"\n[training]\nlocal_batch_size = 1\nseq_len = 8192\nsteps = 100\n` +
  `[parallelism]\n${parallelism}\n[checkpoint]\nenable = true\ninterval = 50\n${checkpoint}\n`;
const lightning = (strategy: string, more = '') =>
  `seed_everything: 1\ntrainer:\n  max_steps: 10\n  devices: 8\n  num_nodes: 2\n${strategy}${more}model:\n  class_path: a.Model\n`;
const trainer = (...lines: string[]) =>
  [
    'model_name_or_path: meta-llama/Meta-Llama-3-8B',
    'output_dir: out',
    'per_device_train_batch_size: 1',
    'max_steps: 10',
    ...lines,
  ].join('\n');

type Expected = Record<string, unknown>;
const cases: [what: string, file: string, text: string, expected: Expected, beside?: FilesBeside][] = [
  [
    'Megatron: a distributed optimizer',
    'a.sh',
    megatron('--use-distributed-optimizer'),
    { zeroStage: '1', saveMode: 'synchronous' },
  ],
  ['Megatron: no word of it', 'a.sh', megatron(), { zeroStage: undefined, saveMode: 'synchronous', gpusPerNode: 8 }],
  [
    'Megatron: FSDP and background saves',
    'a.sh',
    megatron('--use-distributed-optimizer --use-megatron-fsdp --data-parallel-sharding-strategy optim_grads_params --async-save'),
    { zeroStage: '3', saveMode: 'asynchronous', intervalSteps: 100 },
  ],
  [
    'Megatron: FSDP by its old name',
    'a.sh',
    megatron('--use-custom-fsdp --data-parallel-sharding-strategy optim_grads'),
    { zeroStage: '2' },
  ],
  [
    'Megatron: FSDP that shares nothing',
    'a.sh',
    megatron('--use-megatron-fsdp --data-parallel-sharding-strategy no_shard'),
    { zeroStage: '0' },
  ],
  ['Megatron: FSDP of PyTorch', 'a.sh', megatron('--use-torch-fsdp2'), { zeroStage: '3' }],
  [
    'Megatron: instances of the optimizer',
    'a.sh',
    megatron('--use-distributed-optimizer --num-distributed-optimizer-instances 4'),
    { zeroStage: '1', shardDegree: 4 },
  ],
  [
    'Megatron: local checkpoints between global ones',
    'a.sh',
    megatron('--async-save --non-persistent-save-interval 10 --non-persistent-ckpt-type local'),
    { saveMode: 'multi-level' },
  ],
  ['Megatron: some stay for ever', 'a.sh', megatron('--save-retain-interval 500'), { keepLast: 1, keepEvery: 5 }],
  [
    'torchtitan: sharded over all',
    'a.toml',
    titan('data_parallel_shard_degree = -1', 'async_mode = "disabled"'),
    { zeroStage: '3', saveMode: 'synchronous', keepLast: 10 },
  ],
  [
    'torchtitan: HSDP',
    'a.toml',
    titan('data_parallel_replicate_degree = 4\ndata_parallel_shard_degree = 8', 'async_mode = "async"\nkeep_latest_k = 3'),
    { zeroStage: '3', shardDegree: 8, gpus: 32, saveMode: 'asynchronous', keepLast: 3, intervalSteps: 50 },
  ],
  [
    'torchtitan: replicas alone',
    'a.toml',
    titan('data_parallel_replicate_degree = 4\ndata_parallel_shard_degree = 1'),
    { zeroStage: '0', saveMode: 'synchronous' },
  ],
  [
    'accelerate: FSDP',
    'a.yaml',
    accelerate('distributed_type: FSDP', 'fsdp_config:', '  fsdp_sharding_strategy: 1'),
    { zeroStage: '3', gpus: 32, gpusPerNode: 8, shardDegree: undefined },
  ],
  [
    'accelerate: SHARD_GRAD_OP',
    'a.yaml',
    accelerate('distributed_type: FSDP', 'fsdp_config:', '  fsdp_sharding_strategy: SHARD_GRAD_OP'),
    { zeroStage: '2' },
  ],
  [
    'accelerate: NO_SHARD',
    'a.yaml',
    accelerate('distributed_type: FSDP', 'fsdp_config:', '  fsdp_sharding_strategy: NO_SHARD'),
    { zeroStage: '0' },
  ],
  [
    'accelerate: HYBRID_SHARD is sharded in each node',
    'a.yaml',
    accelerate('distributed_type: FSDP', 'fsdp_config:', '  fsdp_sharding_strategy: HYBRID_SHARD'),
    { zeroStage: '3', shardDegree: 8 },
  ],
  [
    'accelerate: FSDP 2',
    'a.yaml',
    accelerate('distributed_type: FSDP', 'fsdp_config:', '  fsdp_version: 2', '  fsdp_reshard_after_forward: false'),
    { zeroStage: '2' },
  ],
  [
    'accelerate: replicas of shards',
    'a.yaml',
    accelerate(
      'distributed_type: FSDP',
      'fsdp_config:',
      '  fsdp_version: 2',
      'parallelism_config:',
      '  parallelism_config_dp_replicate_size: 2',
      '  parallelism_config_dp_shard_size: 16',
    ),
    { zeroStage: '3', shardDegree: 16 },
  ],
  [
    'accelerate: DeepSpeed',
    'a.yaml',
    accelerate('distributed_type: DEEPSPEED', 'deepspeed_config:', '  zero_stage: 2'),
    { zeroStage: '2' },
  ],
  [
    'DeepSpeed: Nebula',
    'ds.json',
    JSON.stringify({
      train_batch_size: 8,
      zero_optimization: { stage: 3 },
      nebula: { enabled: true, num_of_version_in_retention: 2 },
    }),
    { zeroStage: '3', saveMode: 'multi-level', keepLast: 2 },
  ],
  [
    'DeepSpeed: Nebula turned off',
    'ds.json',
    JSON.stringify({ train_batch_size: 8, zero_optimization: { stage: 1 }, nebula: { enabled: false } }),
    { zeroStage: '1', saveMode: undefined, keepLast: undefined },
  ],
  [
    'DeepSpeed: MiCS',
    'ds.json',
    JSON.stringify({ train_batch_size: 8, zero_optimization: { stage: 3, mics_shard_size: 8 } }),
    { zeroStage: '3', shardDegree: 8 },
  ],
  [
    'DeepSpeed: a writer in the background',
    'ds.json',
    JSON.stringify({ train_batch_size: 8, zero_optimization: { stage: 1 }, datastates_ckpt: { host_cache_size: 16 } }),
    { saveMode: 'asynchronous' },
  ],
  ['Lightning: FSDP by its name', 'a.yaml', lightning('  strategy: fsdp\n'), { zeroStage: '3', gpus: 16, gpusPerNode: 8 }],
  [
    'Lightning: FSDP in nodes, saved in the background',
    'a.yaml',
    lightning(
      '  strategy:\n    class_path: lightning.pytorch.strategies.FSDPStrategy\n    init_args:\n      sharding_strategy: HYBRID_SHARD\n',
      '  plugins:\n    - class_path: lightning.pytorch.plugins.io.AsyncCheckpointIO\n',
    ),
    { zeroStage: '3', shardDegree: 8, saveMode: 'asynchronous' },
  ],
  ['Lightning: DDP', 'a.yaml', lightning('  strategy: ddp_find_unused_parameters_false\n'), { zeroStage: '0' }],
  [
    'Lightning: DeepSpeed by its class',
    'a.yaml',
    lightning('  strategy:\n    class_path: lightning.pytorch.strategies.DeepSpeedStrategy\n    init_args:\n      stage: 1\n'),
    { zeroStage: '1' },
  ],
  ['Lightning: no strategy', 'a.yaml', lightning(''), { zeroStage: undefined, saveMode: 'synchronous' }],
  ['Trainer: words of FSDP', 'a.yaml', trainer('fsdp: hybrid_shard auto_wrap'), { zeroStage: '3' }],
  ['Trainer: FSDP’s config', 'a.yaml', trainer('fsdp: [shard_grad_op, offload]'), { zeroStage: '2' }],
  [
    'LLaMA-Factory: DeepSpeed’s file',
    'a.yaml',
    trainer(
      'stage: sft',
      'template: llama3',
      'finetuning_type: full',
      'dataset: a',
      'deepspeed: ds.json',
      'save_steps: 250',
      'save_total_limit: 2',
    ),
    { zeroStage: '3', intervalSteps: 250, keepLast: 2 },
    { 'ds.json': JSON.stringify({ zero_optimization: { stage: 3 } }) },
  ],
  [
    'axolotl: FSDP',
    'a.yaml',
    'base_model: meta-llama/Meta-Llama-3-8B\ndatasets: []\nmicro_batch_size: 1\nfsdp_version: 2\nfsdp_config:\n  reshard_after_forward: true\ndp_shard_size: 8\ndp_replicate_size: 4\nmax_steps: 5\n',
    { zeroStage: '3', shardDegree: 8, gpus: 32 },
  ],
  [
    'NeMo: a distributed optimizer, saved in the background',
    'a.yaml',
    'trainer: {devices: 8, num_nodes: 2, max_steps: 9}\nexp_manager:\n  checkpoint_callback_params: {async_save: true, every_n_train_steps: 3, save_top_k: 5}\nmodel: {num_layers: 2, hidden_size: 64, num_attention_heads: 4, micro_batch_size: 1, global_batch_size: 16, encoder_seq_length: 128, vocab_size: 1024, optim: {name: mcore_distributed_optim}}\n',
    { zeroStage: '1', saveMode: 'asynchronous', intervalSteps: 3, keepLast: 6 },
  ],
  [
    'NeMo: FSDP',
    'a.yaml',
    'trainer: {devices: 8, num_nodes: 2, max_steps: 9}\nexp_manager: {}\nmodel: {num_layers: 2, hidden_size: 64, num_attention_heads: 4, micro_batch_size: 1, encoder_seq_length: 128, vocab_size: 1024, fsdp: true, fsdp_sharding_strategy: grad}\n',
    { zeroStage: '2' },
  ],
];

describe('what configs set of sharding and of saving', () => {
  it.each(cases)('%s', async (_, file, text, expected, beside = {}) => {
    const { report } = await estimateText(file, text, { beside });
    const { inputs, origins } = planOfEstimate(report);
    for (const [key, value] of Object.entries(expected)) expect.soft(inputs[key as keyof typeof inputs], key).toBe(value);
    expect(origins.zeroStage?.kind).toBe(inputs.zeroStage === undefined ? undefined : 'read');
  });

  it('makes no replicas of what FSDP shards, and one a group under HSDP', async () => {
    const sharded = await estimateText(
      'a.yaml',
      accelerate('distributed_type: FSDP', 'fsdp_config:', '  fsdp_sharding_strategy: 1'),
    );
    const whole = makePlan(planOfEstimate(sharded.report));
    expect(whole.restore).toMatchObject({ replicas: 1, planned: { volumeBytes: whole.size.checkpointBytes } });
    expect(whole.save.topology).toMatchObject({ dataParallel: 32, shardDegree: 32 });
    const grouped = await estimateText(
      'a.yaml',
      accelerate('distributed_type: FSDP', 'fsdp_config:', '  fsdp_sharding_strategy: HYBRID_SHARD'),
    );
    const hybrid = makePlan(planOfEstimate(grouped.report));
    expect(hybrid.restore).toMatchObject({
      replicas: 4,
      planned: { way: 'own-share', volumeBytes: 4 * hybrid.size.checkpointBytes },
    });
    // A GPU of a group of 8 holds four times what one of 32 does.
    expect(hybrid.memory.planned.weightBytes).toBeCloseTo(4 * whole.memory.planned.weightBytes, 0);
  });
});
