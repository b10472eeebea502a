import { describe, expect, it } from 'vitest';
import { countModel } from '../../../src/core/configs/countModel.js';
import type { ConfigSources } from '../../../src/core/configs/configAccess.js';
import { estimateText } from '../../builders/estimateText.js';
import { nothingBeside, readText } from './readConfigFixture.js';

const latent = 'q_lora_rank: 1536\nkv_lora_rank: 512\nqk_nope_head_dim: 128\nqk_rope_head_dim: 64\nv_head_dim: 128\n';

/** Sizes as in maxtext/configs/models, and the parameters of the released model; by pen and paper where MaxText has another vocabulary. */
const blocks: readonly [name: string, text: string, parameters: number][] = [
  [
    'gemma2, two layers a block',
    'decoder_block: gemma2\nbase_emb_dim: 2304\nbase_num_query_heads: 8\nbase_num_kv_heads: 4\nbase_mlp_dim: 9216\nbase_num_decoder_layers: 13\nhead_dim: 256\nvocab_size: 256000\nlogits_via_embedding: true\nmlp_activations: [gelu, linear]\n',
    2_614_341_888,
  ],
  [
    'deepseek',
    `decoder_block: deepseek\nbase_emb_dim: 7168\nbase_num_query_heads: 128\nbase_num_kv_heads: 128\nbase_mlp_dim: 18432\nbase_moe_mlp_dim: 2048\nbase_num_decoder_layers: 61\nfirst_num_dense_layers: 3\nvocab_size: 129280\nnum_experts: 256\nnum_experts_per_tok: 8\nshared_experts: 1\nrouted_bias: true\nmlp_activations: [silu, linear]\n${latent}`,
    671_026_419_200,
  ],
  [
    'deepseek without a routing bias and without a rank of queries',
    'decoder_block: deepseek\nbase_emb_dim: 2048\nbase_num_query_heads: 16\nbase_num_kv_heads: 16\nbase_mlp_dim: 10944\nbase_moe_mlp_dim: 1408\nbase_num_decoder_layers: 27\nfirst_num_dense_layers: 1\nvocab_size: 102400\nnum_experts: 64\nnum_experts_per_tok: 6\nshared_experts: 2\nrouted_bias: false\nq_lora_rank: 0\nkv_lora_rank: 512\n',
    15_706_484_224,
  ],
  [
    'gpt_oss',
    'decoder_block: gpt_oss\nbase_emb_dim: 2880\nbase_num_query_heads: 64\nbase_num_kv_heads: 8\nhead_dim: 64\nbase_mlp_dim: 2880\nbase_moe_mlp_dim: 2880\nnum_experts: 32\nnum_experts_per_tok: 4\nbase_num_decoder_layers: 24\nvocab_size: 201088\n',
    20_914_757_184,
  ],
  [
    'llama4, its text model',
    'decoder_block: llama4\nbase_emb_dim: 5120\nbase_num_decoder_layers: 48\nbase_num_query_heads: 40\nbase_num_kv_heads: 8\nbase_mlp_dim: 8192\nbase_moe_mlp_dim: 8192\nvocab_size: 202048\nnum_experts: 16\nshared_experts: 1\nnum_experts_per_tok: 1\ninterleave_moe_layer_step: 1\n',
    107_769_861_120,
  ],
  [
    'olmo3',
    'decoder_block: olmo3\nbase_emb_dim: 4096\nbase_num_query_heads: 32\nbase_num_kv_heads: 32\nbase_mlp_dim: 11008\nbase_num_decoder_layers: 32\nhead_dim: 128\nvocab_size: 100278\nuse_qk_norm: true\n',
    7_298_011_136,
  ],
  [
    'qwen3_next',
    'decoder_block: qwen3_next\nbase_emb_dim: 2048\nbase_num_decoder_layers: 48\nbase_num_query_heads: 16\nbase_num_kv_heads: 2\nhead_dim: 256\nvocab_size: 151936\nbase_mlp_dim: 512\nbase_moe_mlp_dim: 512\nnum_experts: 512\nshared_experts: 1\nnum_experts_per_tok: 10\n',
    79_674_391_296,
  ],
  [
    // 12 h² + 13 h a layer, 2 h behind them, positions and embedding.
    'gpt3',
    'decoder_block: gpt3\nbase_emb_dim: 3072\nbase_num_query_heads: 12\nbase_num_kv_heads: 12\nbase_mlp_dim: 12288\nbase_num_decoder_layers: 48\nhead_dim: 256\ntrainable_position_size: 16384\nvocab_size: 32768\nlogits_via_embedding: true\n',
    48 * (12 * 3072 ** 2 + 13 * 3072) + 2 * 3072 + (16_384 + 32_768) * 3072,
  ],
];

/** Files beside a config, by their names. */
const filesOf = (files: Record<string, string>): ConfigSources => ({
  ...nothingBeside,
  read: (name) => Promise.resolve(files[name] === undefined ? null : { path: name, text: files[name] }),
});

async function parametersOf(name: string, text: string, beside: Record<string, string> = {}): Promise<number | null> {
  const read = await readText(name, text, filesOf(beside));
  if (read === null) throw new Error(`${name} is no config`);
  expect(read.id).toBe('maxtext');
  return (await countModel(read.reading.model, read.access)).model?.counts.unique ?? null;
}

describe('MaxText', () => {
  it.each(blocks)('counts %s', async (_, text, parameters) => {
    expect(await parametersOf('model.yml', text)).toBe(parameters);
  });

  it('guesses no block that it does not know', async () => {
    expect(await parametersOf('model.yml', 'decoder_block: envy\nbase_emb_dim: 512\nvocab_size: 1000\n')).toBeNull();
  });

  it('trains the student of a distillation, and counts none with sizes of its own', async () => {
    const of = (more: string): string =>
      `base_config: base.yml\nstudent_overrides:\n  model_name: llama3.1-8b\n${more}teacher_overrides:\n  model_name: llama3.1-405b\n`;
    expect(await parametersOf('distillation.yml', of(''))).toBe(8_030_261_248);
    expect(await parametersOf('distillation.yml', of('  base_num_query_heads: 16\n'))).toBeNull();
  });

  it('follows a launch to the config that it names, and overrides it', async () => {
    const launch = (more: string): string =>
      `python3 -m maxtext.trainers.pre_train.train \${CONFIGS:-src/configs}/models/small.yml run_name=a ${more}\n`;
    const beside = { 'small.yml': 'base_config: base.yml\nmodel_name: llama3.1-8b\nsteps: 70\ncheckpoint_period: 20\n' };
    expect(await parametersOf('run.sh', launch(''), beside)).toBe(8_030_261_248);
    expect(await parametersOf('run.sh', launch('model_name=llama3.1-405b'), beside)).toBe(405_853_388_800);
    const { plan } = (await readText('run.sh', launch('steps=50'), filesOf(beside)))?.reading ?? expect.fail();
    expect(plan).toMatchObject({ steps: 50, saveIntervalSteps: 20 });
    expect(plan.notes).not.toContain('default-steps');
    expect(await readText('decode.sh', 'python3 -m MaxText.decode MaxText/configs/base.yml model_name=llama3.1-8b\n')).toBeNull();
  });

  it('names the defaults of base.yml as defaults', async () => {
    const { plan } =
      (await readText('run.yml', 'base_config: base.yml\nmodel_name: llama3.1-8b\nmax_target_length: 4096\n'))?.reading ??
      expect.fail();
    expect(plan).toMatchObject({ steps: 150_001, saveIntervalSteps: 10_000 });
    expect(plan.notes).toEqual(expect.arrayContaining(['default-steps', 'default-save-interval']));
  });
});

describe('checkpoints of a run', () => {
  const runOf = async (more: string) =>
    (await estimateText('run.yml', `base_config: base.yml\nmodel_name: llama2-7b\nper_device_batch_size: 1\n${more}`)).report;

  it.each([
    // Steps 0, 10, 20, 30, 40 and 49.
    ['steps: 50\ncheckpoint_period: 10\n', 6, 6],
    ['steps: 51\ncheckpoint_period: 10\n', 6, 6],
    ['steps: 52\ncheckpoint_period: 10\n', 7, 7],
    ['steps: 50\ncheckpoint_period: 10\nsave_checkpoint_on_start: false\n', 5, 5],
    ['steps: 50\ncheckpoint_period: 10\nsave_checkpoint_on_completion: false\n', 5, 5],
    ['steps: 50\ncheckpoint_period: 100\n', 2, 2],
    ['steps: 20000\ncheckpoint_period: 2000\nmax_num_checkpoints_to_keep: 5\n', 11, 5],
    ['steps: 50\ncheckpoint_period: 10\nmax_num_checkpoints_to_keep: None\n', 6, 6],
    ['steps: 50\nenable_checkpointing: false\ncheckpoint_period: 10\n', 0, 0],
    // Orbax keeps all that emergency checkpoints leave on the storage.
    ['steps: 50\ncheckpoint_period: 10\nenable_emergency_checkpoint: true\nmax_num_checkpoints_to_keep: 2\n', 6, 6],
    ['steps: 50\nenable_continuous_checkpointing: true\nmax_num_checkpoints_to_keep: 5\n', null, 5],
    ['steps: 50\nenable_multi_tier_checkpointing: true\nmulti_tier_checkpointing_backup_interval_minutes: 20\n', null, null],
    ['steps: 50\nenable_multi_tier_checkpointing: true\nmulti_tier_checkpointing_backup_interval_steps: 20\n', 2, 2],
  ])('%j', async (text, saves, kept) => {
    const { run, unresolved } = await runOf(text);
    expect({ saves: run.saves, kept: run.kept }).toEqual({ saves, kept });
    expect(unresolved).toEqual([]);
  });

  it('have no interval in steps where each begins after the one before, or goes by the clock', async () => {
    for (const key of ['enable_continuous_checkpointing', 'enable_multi_tier_checkpointing']) {
      const { assumptions, training } = await runOf(`steps: 50\n${key}: true\n`);
      expect(training.saveIntervalSteps).toBeNull();
      const about = assumptions.filter((line) => line.about === 'save interval').map(({ text }) => text);
      expect(about).toEqual(['the save interval is not counted in steps']);
    }
  });
});
