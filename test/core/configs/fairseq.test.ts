import { describe, expect, it } from 'vitest';
import { countModel } from '../../../src/core/configs/countModel.js';
import { nothingBeside, readText } from './readConfigFixture.js';

async function launch(flags: string) {
  const read = await readText('train.sh', `fairseq-train data-bin ${flags}\n`);
  expect(read?.id).toBe('fairseq');
  return read === null ? null : { plan: read.reading.plan, ...(await countModel(read.reading.model, read.access)) };
}

describe('fairseq', () => {
  // The models of OPT have the same modules, 50,272 rows and 2,050 positions (facebook/opt-125m, opt-1.3b, opt-6.7b, opt-13b).
  it.each([
    ['transformer_lm_gpt3_small', 125_239_296],
    ['transformer_lm_gpt3_xl', 1_315_758_080],
    ['transformer_lm_gpt3_6_7', 6_658_473_984],
    ['transformer_lm_gpt3_13', 12_853_473_280],
    // Hidden size, layers, heads and the rest by hand: two embeddings of 50,272 x 512, no learned positions.
    ['transformer_lm', 2 * 50_272 * 512 + 6 * (4 * (512 * 512 + 512) + 2 * 512 * 2048 + 2048 + 512 + 4 * 512) + 1024],
  ])('counts %s where the dictionary is known', async (arch, parameters) => {
    const read = await launch(`--arch ${arch} --task dummy_lm --dict-size 50264 --tokens-per-sample 2048`);
    expect(read?.model?.counts.unique).toBe(parameters);
  });

  it('names architectures whose dictionary is in the data, or whose modules are others', async () => {
    const missing = async (flags: string) => (await launch(flags))?.missing;
    expect(await missing('--arch transformer_lm_gpt3_13 --task language_modeling')).toEqual({
      why: 'unknown-architecture',
      name: 'fairseq transformer_lm_gpt3_13',
    });
    expect(await missing('--arch roberta --task masked_lm --dict-size 100')).toMatchObject({ name: 'fairseq roberta' });
    const adaptive = '--arch transformer_lm_big --task dummy_lm --dict-size 100 --adaptive-softmax-cutoff 20,60';
    expect(await missing(adaptive)).toMatchObject({ why: 'unknown-architecture' });
  });

  it('keeps what its checkpoint options say', async () => {
    const plan = async (flags: string) => (await launch(`--arch transformer_lm --task language_modeling ${flags}`))?.plan;
    expect(await plan('--save-interval-updates 500 --keep-interval-updates 2 --no-epoch-checkpoints')).toMatchObject({
      saveIntervalSteps: 500,
      keep: 3,
    });
    expect(await plan('--save-interval-updates 500 --no-last-checkpoints')).toMatchObject({
      keep: null,
      notes: ['stays-each-epoch', 'keeps-best'],
    });
    expect(await plan('--save-interval 2 --keep-last-epochs 5')).toMatchObject({ saveIntervalEpochs: 2, keep: 6 });
    expect(await plan('--no-epoch-checkpoints')).toMatchObject({ saveIntervalEpochs: 1, keep: 1 });
    expect((await plan('--no-save'))?.notes).toContain('saves-never');
    expect(await plan('--no-save-optimizer-state --bf16')).toMatchObject({
      savesOptimizer: false,
      precision: 'bf16',
      parameterDtype: 'f32',
    });
  });

  it('goes over the file that a launch by Hydra names', async () => {
    const yaml =
      'task:\n  _name: masked_lm\nmodel:\n  _name: roberta\noptimization:\n  max_update: 5000\ncheckpoint:\n  save_interval_updates: 100\n';
    const sources = {
      ...nothingBeside,
      read: (path: string) => Promise.resolve(path === 'config/base.yaml' ? { path, text: yaml } : null),
    };
    const text = 'fairseq-hydra-train --config-dir config --config-name base optimization.max_update=200\n';
    const read = await readText('run.sh', text, sources);
    expect(read?.reading.plan).toMatchObject({ steps: 200, saveIntervalSteps: 100 });
  });
});
