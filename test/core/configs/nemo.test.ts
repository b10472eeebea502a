import { describe, expect, it } from 'vitest';
import { countModel } from '../../../src/core/configs/countModel.js';
import { estimateText } from '../../builders/estimateText.js';
import { readText } from './readConfigFixture.js';

const gpt = `trainer:
  max_steps: 1000
exp_manager:
  exp_dir: out
model:
  micro_batch_size: 1
  num_layers: 12
  hidden_size: 768
  num_attention_heads: 12
  encoder_seq_length: 2048
  vocab_size: 50257
`;

async function countOf(more: string): Promise<number | null | undefined> {
  const read = await readText('conf.yaml', gpt + more);
  return read === null ? undefined : ((await countModel(read.reading.model, read.access)).model?.counts.unique ?? null);
}

describe('NeMo', () => {
  it('counts GPT, with a padded vocabulary and learned positions', async () => {
    expect(await countOf('')).toBe((50_304 + 2048) * 768 + 12 * (12 * 768 ** 2 + 13 * 768) + 2 * 768);
  });

  it('trains nothing without data to train on and an optimizer', async () => {
    const data = '  data:\n    validation_ds:\n      micro_batch_size: 64\n';
    const text = `trainer:\n  devices: 1\nexp_manager:\n  exp_dir: null\nmodel:\n  restore_from_path: null\n  megatron_amp_O2: false\n${data}`;
    expect(await readText('eval.yaml', text)).toBeNull();
    for (const more of ['    train_ds:\n      micro_batch_size: 1\n', '  optim:\n    name: fused_adam\n'])
      expect((await readText('tune.yaml', text + more))?.id).toBe('nemo');
  });

  it.each([
    ['a hybrid of state spaces', '  hybrid_override_pattern: null\n'],
    ['state spaces', '  mamba_ssm_ngroups: 8\n'],
    ['Griffin', '  activations_checkpoint_recurrent: false\n'],
    ['Hyena', '  name: te_gpt_hyena\n  hyena:\n    order: 2\n'],
    ['Retro', '  retro:\n    retro_encoder_num_layers: 2\n'],
    ['Retro of older versions', '  enc_num_layers: 4\n  dec_num_layers: 6\n'],
    ['images beside text', '  mm_cfg:\n    vision_encoder:\n      freeze: true\n'],
  ])('takes no model of %s for GPT', async (_, more) => {
    expect(await countOf(more)).toBeNull();
  });

  it.each([
    ['generation', 'inference:\n  greedy: false\n  tokens_to_generate: 300\n'],
    ['quantization', 'quantization:\n  algorithm: fp8\n'],
  ])('has no run for %s', async (_, more) => {
    expect(await countOf(more)).toBeUndefined();
  });
});

it.each([
  ['null', false],
  ['[256, 128, 50000000]', true],
])('NeMo stops each time a batch of %s grows, which is said', async (batch, isSaid) => {
  const plan = (await readText('conf.yaml', `${gpt}  global_batch_size: 1024\n  rampup_batch_size: ${batch}\n`))?.reading.plan;
  expect(plan?.steps).toBe(1000);
  expect(plan?.notes?.includes('stops-as-batch-grows')).toBe(isSaid);
});

describe('checkpoints of NeMo', () => {
  const planOfRun = async (options: string, trainer = '') => {
    const text = gpt
      .replace('  max_steps: 1000\n', `  max_steps: 1000\n${trainer}`)
      .replace('  exp_dir: out\n', `  exp_dir: out\n  checkpoint_callback_params:\n    every_n_train_steps: 300\n${options}`);
    return (await readText('conf.yaml', text))?.reading.plan;
  };

  it('are three, the newest one again, and an archive of the weights unless they say otherwise', async () => {
    expect(await planOfRun('')).toMatchObject({ keep: 4, newestAgain: true, lastSave: 'all', endFolder: 'weights' });
  });

  it.each([
    ['    save_last: false\n', { keep: 3, endFolder: 'weights' }],
    ['    save_last: link\n', { keep: 3, endFolder: 'weights' }],
    ['    save_top_k: -1\n    save_nemo_on_train_end: false\n', { keep: null, newestAgain: true, lastSave: 'all' }],
    [
      '    save_nemo_on_train_end: false\n    always_save_nemo: true\n',
      { keep: 4, newestAgain: true, lastSave: 'all', endFolder: 'weights' },
    ],
    ['    save_top_k: 0\n    save_nemo_on_train_end: false\n', { keep: 1, lastSave: 'all' }],
  ])('follow %j', async (options, expected) => {
    const { keep, newestAgain, lastSave, endFolder } = (await planOfRun(options)) ?? {};
    const found = Object.entries({ keep, newestAgain, lastSave, endFolder }).filter(([, value]) => value !== undefined);
    expect(Object.fromEntries(found)).toEqual(expected);
  });

  it('have no last one of their own after a validation at the last step', async () => {
    expect((await planOfRun('', '  val_check_interval: 250\n'))?.lastSave).toBeUndefined();
    expect((await planOfRun('', '  val_check_interval: 300\n'))?.lastSave).toBe('all');
    expect((await planOfRun('', '  val_check_interval: 0\n'))?.lastSave).toBeUndefined();
  });

  it('are weights alone, or nothing but the archive, where they say so', async () => {
    expect((await planOfRun('    save_weights_only: true\n'))?.savesOptimizer).toBe(false);
    expect((await planOfRun('    save_top_k: 0\n    save_last: false\n'))?.notes).toContain('saves-never');
  });
});

describe('a script that puts a checkpoint callback of its own in place of the recipe’s', () => {
  const script = (changes: string) =>
    `from nemo.collections import llm\nfrom nemo import lightning as nl\nimport nemo_run as run\nrecipe = llm.llama3_8b.pretrain_recipe(name="pt", dir="/ckpt", num_nodes=1, num_gpus_per_node=8)\nrecipe.trainer.max_steps = 1000\n${changes}\nrun.run(recipe)\n`;
  const own = 'run.Config(nl.ModelCheckpoint, save_top_k=2, every_n_train_steps=100, save_last=False)';

  it.each([
    ['in place', `recipe.log.ckpt = ${own}`],
    [
      'over lines',
      `recipe.log.ckpt = run.Config(\n    nl.ModelCheckpoint,\n    save_top_k=2,\n    every_n_train_steps=100,\n    save_last=False,\n)`,
    ],
    ['by a name', `ckpt = ${own}\nrecipe.log.ckpt = ckpt`],
    ['in a logger', `recipe.log = run.Config(nl.NeMoLogger, ckpt=${own}, name="x")`],
    ['by a name in a logger', `ckpt = ${own}\nrecipe.log = run.Config(nl.NeMoLogger, ckpt=ckpt)`],
    [
      'as an object',
      `recipe.log = nl.NeMoLogger(ckpt=nl.ModelCheckpoint(save_top_k=2, every_n_train_steps=100, save_last=False))`,
    ],
    [
      'and changes it',
      `recipe.log.ckpt = run.Config(nl.ModelCheckpoint, save_last=False, every_n_train_steps=100)\nrecipe.log.ckpt.save_top_k = 2`,
    ],
  ])('saves as that does: %s', async (_, changes) => {
    const plan = (await readText('t.py', script(changes)))?.reading.plan;
    expect(plan).toMatchObject({ steps: 1000, saveIntervalSteps: 100, keep: 2 });
    expect(plan?.notes).not.toContain('newest-again');
  });

  it('has the callback’s defaults, not the recipe’s', async () => {
    const plan = (await readText('t.py', script('recipe.log.ckpt = run.Config(nl.ModelCheckpoint, every_n_train_steps=100)')))
      ?.reading.plan;
    expect(plan).toMatchObject({ saveIntervalSteps: 100, keep: 4, newestAgain: true });
  });

  it.each(['recipe.log.ckpt = make()', 'recipe.log = my_log(ckpt=make())', 'recipe.log.ckpt = ckpt'])(
    'is not known where it is made elsewhere: %s',
    async (changes) => {
      const { report } = await estimateText('t.py', script(changes));
      expect(report.run).toMatchObject({ saves: null, kept: null });
      expect(report.unresolved).toHaveLength(1);
    },
  );

  it('may leave its numbers open', async () => {
    const changes = 'recipe.log.ckpt = run.Config(nl.ModelCheckpoint, save_top_k=keep(), every_n_train_steps=every())';
    const { report } = await estimateText('t.py', script(changes));
    expect(report.training).toMatchObject({ saveIntervalSteps: null, keep: null });
    expect(report.unresolved.map(({ key }) => key)).toEqual(['log.ckpt.every_n_train_steps', 'log.ckpt.save_top_k']);
  });
});
