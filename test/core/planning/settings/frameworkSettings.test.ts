/** Settings to paste say what the plan says: each framework's config reader reads them back. */
import { describe, expect, it } from 'vitest';
import { planPage } from '../../../../src/core/pages/plan/planPage.js';
import { renderPlanMarkdown } from '../../../../src/core/pages/plan/planMarkdown.js';
import { renderPlanTerminal } from '../../../../src/core/pages/plan/planTerminal.js';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { frameworkSettings, isFramework } from '../../../../src/core/planning/settings/frameworkSettings.js';
import { planOfEstimate } from '../../../../src/core/planning/sources/planOfEstimate.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { estimateText } from '../../../builders/estimateText.js';
import { planDocument } from '../../../builders/randomPlan.js';

type Framework = keyof typeof frameworkSettings;

/** A config of each framework around its settings. */
const configs: Record<Framework, (settings: string) => [file: string, text: string]> = {
  'training-arguments': (settings) => [
    'train.yaml',
    `model_name_or_path: a\noutput_dir: out\nper_device_train_batch_size: 1\nmax_steps: 10000\n${settings}\n`,
  ],
  axolotl: (settings) => [
    'axolotl.yaml',
    `base_model: a\ndatasets:\n  - path: b\n    type: alpaca\nmicro_batch_size: 1\nnum_epochs: 1\nmax_steps: 10000\noutput_dir: out\n${settings}\n`,
  ],
  'llama-factory': (settings) => [
    'llama.yaml',
    `stage: sft\ndo_train: true\nmodel_name_or_path: a\ntemplate: llama3\ndataset: identity\nfinetuning_type: full\noutput_dir: out\nper_device_train_batch_size: 1\nmax_steps: 10000\n${settings}\n`,
  ],
  torchtitan: (settings) => [
    'titan.toml',
    `[job]\ndump_folder = "out"\n[model]\nname = "llama3"\nflavor = "8B"\n[training]\nlocal_batch_size = 1\nseq_len = 8192\nsteps = 10000\n${settings}\n`,
  ],
  megatron: (settings) => [
    'train.sh',
    `torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 32 --hidden-size 4096 --num-attention-heads 32 --seq-length 4096 --max-position-embeddings 4096 --micro-batch-size 1 --global-batch-size 256 --train-iters 10000 --bf16 --save /ckpt ${settings.replaceAll('\n', ' ')}\n`,
  ],
  nemo: (settings) => [
    'nemo.yaml',
    `name: a\ntrainer:\n  devices: 8\n  num_nodes: 1\n  max_steps: 10000\nmodel:\n  micro_batch_size: 1\n  global_batch_size: 8\n  encoder_seq_length: 2048\n  num_layers: 12\n  hidden_size: 768\n  num_attention_heads: 12\n  optim:\n    name: fused_adam\n${settings}\n`,
  ],
  lightning: (settings) => [
    'lightning.yaml',
    `seed_everything: 1\nmodel:\n  class_path: a.Model\n${settings}\n  max_steps: 10000\n  devices: 8\n  num_nodes: 1\n`,
  ],
  composer: (settings) => [
    'mpt.yaml',
    `max_seq_len: 2048\nglobal_seed: 17\nmodel:\n  name: mpt_causal_lm\n  d_model: 768\n  n_heads: 12\n  n_layers: 12\n  expansion_ratio: 4\n  max_seq_len: 2048\n  vocab_size: 50368\nglobal_train_batch_size: 256\nmax_duration: 10000ba\nprecision: amp_bf16\nsave_folder: out\noptimizer:\n  name: decoupled_adamw\n${settings}\n`,
  ],
  maxtext: (settings) => [
    'maxtext.yml',
    `base_config: base.yml\nrun_name: a\nbase_output_directory: gs://b\nmodel_name: llama3-8b\nper_device_batch_size: 1\nsteps: 10000\nmax_target_length: 2048\nici_fsdp_parallelism: 8\n${settings}\n`,
  ],
  'olmo-core': (settings) => [
    'olmo.yaml',
    `model:\n  _CLASS_: olmo_core.nn.transformer.config.TransformerConfig\n  d_model: 2048\n  n_layers: 16\n  vocab_size: 100352\n  block:\n    attention:\n      n_heads: 16\n    feed_forward:\n      hidden_size: 8192\ndata_loader:\n  global_batch_size: 4096\ntrain_module:\n  max_sequence_length: 4096\ndataset:\n  sequence_length: 4096\n${settings}\n`,
  ],
  nanotron: (settings) => [
    'nanotron.yaml',
    `general:\n  project: a\nmodel:\n  dtype: bfloat16\n  model_config:\n    hidden_size: 64\n    num_hidden_layers: 2\n    num_attention_heads: 4\n    intermediate_size: 128\n    vocab_size: 256\nparallelism:\n  dp: 2\n  tp: 1\n  pp: 1\ntokens:\n  micro_batch_size: 1\n  sequence_length: 32\n  train_steps: 10000\noptimizer:\n  zero_stage: 0\n${settings}\n`,
  ],
  torchtune: (settings) => [
    'torchtune.yaml',
    `model:\n  _component_: torchtune.models.llama3_1.llama3_1_8b\ntokenizer:\n  _component_: torchtune.models.llama3.llama3_tokenizer\n  max_seq_len: 2048\nbatch_size: 1\nepochs: 1\nmax_steps_per_epoch: 10000\noptimizer:\n  _component_: torch.optim.AdamW\ndtype: bf16\n${settings}\n`,
  ],
  verl: (settings) => [
    'verl.yaml',
    `actor_rollout_ref:\n  model:\n    path: a\n  actor:\n    strategy: fsdp\ncritic:\n  model:\n    path: a\ndata:\n  train_batch_size: 8\nalgorithm:\n  adv_estimator: gae\n${settings}\n  total_epochs: 1\n  n_gpus_per_node: 8\n  nnodes: 1\n  default_local_dir: out\n`,
  ],
  litgpt: (settings) => [
    'litgpt.yaml',
    `model_name: pythia-160m\nout_dir: out\nprecision: bf16-mixed\ndevices: 1\n${settings}\n  max_steps: 10000\n  global_batch_size: 8\n  micro_batch_size: 1\n`,
  ],
  'gpt-neox': (settings) => [
    'neox.yml',
    `pipe_parallel_size: 1\nmodel_parallel_size: 1\nnum_layers: 12\nhidden_size: 768\nnum_attention_heads: 12\nseq_length: 2048\nmax_position_embeddings: 2048\ntrain_micro_batch_size_per_gpu: 4\ntrain_iters: 10000\nsave: ckpt\noptimizer:\n  type: Adam\n  params:\n    lr: 0.001\n${settings}\n`,
  ],
};

/** 1,000 s is near the best interval of a stall of 5 s and a failure every 28 hours. */
const base: Partial<PlanInputs> = {
  parameters: 8e9,
  gpus: 64,
  stepSeconds: 2,
  intervalSeconds: 1000,
  mtbfSeconds: 1e5,
  keepLast: 4,
  saveMode: 'asynchronous',
};
const plan = (inputs: Partial<PlanInputs>) => makePlan(planDocument({ ...base, ...inputs }));
const page = (inputs: Partial<PlanInputs>) => planPage(plan(inputs), planDocument({ ...base, ...inputs }));

/** What the framework's reader makes of the settings, as the inputs of a plan. */
async function readBack(framework: Framework, inputs: Partial<PlanInputs>) {
  const settings = plan({ ...inputs, framework }).settings?.text ?? '';
  const [file, text] = configs[framework](settings);
  const { report } = await estimateText(file, text);
  return { config: report.config, read: planOfEstimate(report).inputs, report };
}

const frameworks = Object.keys(frameworkSettings) as Framework[];

describe.each(frameworks)('settings of %s', (framework) => {
  const { deletes, savesInBackground } = frameworkSettings[framework];

  it('are read back as the plan has them', async () => {
    const { config, read } = await readBack(framework, {});
    expect(config).toBe(framework);
    expect(read.framework).toBe(framework);
    expect(read.intervalSteps).toBe(500);
    if (deletes) expect(read.keepLast).toBe(4);
    if (savesInBackground) expect(read.saveMode).toBe('asynchronous');
  });

  it('keep all, and wait, where the plan does', async () => {
    const { report } = await readBack(framework, { keepEvery: 1, saveMode: 'synchronous', writeBytesPerSecond: 1e12 });
    if (framework !== 'axolotl') expect(report.training.keep).toBeNull();
    expect(report.training.saveMode).not.toBe('asynchronous');
  });

  it('say what the framework cannot', () => {
    const notes =
      page({ framework })
        .sections.find(({ id }) => id === 'settings')
        ?.notes.join(' ') ?? '';
    expect(notes.includes('keeps the last ones alone')).toBe(!deletes);
    expect(notes.includes('no setting for saves in the background')).toBe(!savesInBackground);
  });
});

it.each(['megatron', 'maxtext'] as const)('of %s have saves near the GPUs, and rarer ones to the storage', async (framework) => {
  const inputs = { saveMode: 'multi-level', intervalSeconds: null, writeBytesPerSecond: 1e9 } as const;
  const { settings, save, levels } = plan({ ...inputs, framework });
  const near = Math.round(save.intervalSeconds / 2);
  const every = levels.levels.find(({ id }) => id === 'shared-store')?.everySaves ?? 0;
  expect(every).toBeGreaterThan(1);
  expect(settings?.values).toMatchObject({ nearSteps: near, steps: near * every });
  const { read } = await readBack(framework, inputs);
  expect(read).toMatchObject({ saveMode: 'multi-level', intervalSteps: settings?.values.steps });
});

describe('a plan', () => {
  it('shows them in the terminal and in Markdown', () => {
    const inputs = { framework: 'torchtitan' } as const;
    const made = page(inputs);
    expect(renderPlanTerminal(made, { color: false, width: 100 })).toContain('interval = 500\n');
    const markdown = renderPlanMarkdown(plan(inputs), made, planDocument({ ...base, ...inputs }), null);
    expect(markdown).toContain(
      '```toml\n[checkpoint]\nenable = true\ninterval = 500\nkeep_latest_k = 4\nasync_mode = "async"\n```',
    );
  });

  it('has the interval that it recommends, not the one that is given', () => {
    const inputs = { framework: 'nanotron', intervalSeconds: 100 } as const;
    const made = plan(inputs);
    const steps = made.settings?.values.steps ?? 0;
    expect(steps).toBe(Math.round((made.recommendation.better?.intervalSeconds ?? 0) / 2));
    expect(steps).toBeGreaterThan(50);
    const section = page(inputs).sections.find(({ id }) => id === 'settings');
    expect(section?.lead.text).toContain('not 50 steps');
  });

  it('has none without a framework, and no interval without the time of a step', () => {
    expect(plan({}).settings).toBeNull();
    const { settings } = plan({ framework: 'composer', stepSeconds: null });
    expect(settings?.text).toBe('save_num_checkpoints_to_keep: 4');
    const section = page({ framework: 'composer', stepSeconds: null }).sections.find(({ id }) => id === 'settings');
    expect(section?.lead.detail).toContain('give the time of a step');
  });

  it('knows frameworks by their ids alone', () => {
    expect(isFramework('torchtitan')).toBe(true);
    expect(isFramework('constructor')).toBe(false);
  });
});

it('of Megatron keep every Nth by the one setting that it has', () => {
  const lines = (keepEvery: number) => plan({ framework: 'megatron', keepEvery }).settings?.text.split('\n');
  expect(lines(10)).toContain('--save-retain-interval 5000');
  expect(lines(0)).not.toContain('--save-retain-interval 5000');
  const [first] = page({ framework: 'megatron' }).actions;
  expect(first?.text).toContain('keep the last 4, which Megatron-LM has no setting for');
});

it('say what they cannot keep', () => {
  const first = (framework: Framework, inputs: Partial<PlanInputs>) => page({ framework, ...inputs }).actions[0]?.text;
  expect(first('torchtitan', { keepLast: 1 })).toContain('keep the last 1, which torchtitan has no setting for');
  expect(first('torchtitan', { keepLast: 2 })).toContain('keep the last 2.');
  expect(first('maxtext', { keepEvery: 20 })).toContain('keep the last 4 and every 20th, which MaxText has no setting for');
});

it('decide what a plan takes that says nothing of it', () => {
  const taken = (framework: Framework, inputs: Partial<PlanInputs> = {}) => {
    const { saveMode, recipe } = makePlan(planDocument({ parameters: 8e9, framework, ...inputs })).inputs;
    return [saveMode, recipe];
  };
  expect(taken('training-arguments')).toEqual(['synchronous', 'f32-adam']);
  expect(taken('torchtitan')).toEqual(['asynchronous', 'f32-adam']);
  expect(taken('torchtune')).toEqual(['asynchronous', 'pure-bf16']);
  expect(taken('megatron')).toEqual(['asynchronous', 'mixed-adam']);
  expect(taken('composer', { saveMode: 'asynchronous', recipe: 'mixed-adam' })).toEqual(['asynchronous', 'mixed-adam']);
});

it('local saves of Megatron have a directory, and copies on other nodes', () => {
  const plan = makePlan(
    planDocument({
      gpus: 16_384,
      parameters: 405e9,
      saveMode: 'multi-level',
      framework: 'megatron',
      stepSeconds: 6,
      tensorParallel: 8,
    }),
  );
  const lines = plan.settings?.text.split('\n') ?? [];
  expect(lines).toContain('--non-persistent-ckpt-type local');
  // Megatron stops without the first (megatron/training/arguments.py), and survives no node without the others.
  expect(lines).toEqual(
    expect.arrayContaining(['--non-persistent-local-ckpt-dir DIRECTORY-OF-EACH-NODE', '--replication', '--replication-jump 8']),
  );
});
