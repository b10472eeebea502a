/** What programs make of a save interval that is none: 0, less, or left out. */
import { describe, expect, it } from 'vitest';
import { estimateText, llamaConfig } from '../../builders/estimateText.js';

const beside = { beside: { 'llama/config.json': llamaConfig() } };
const estimated = async (name: string, text: string) => (await estimateText(name, text, beside)).report;
const texts = (report: Awaited<ReturnType<typeof estimated>>) => report.assumptions.map(({ text }) => text).join('; ');
const codes = (report: Awaited<ReturnType<typeof estimated>>) => report.findings.map(({ code }) => code);

const atEnd = 'no interval above 0 is set, so one checkpoint is written when training ends';

const megatron = (flags: string, program = 'pretrain_gpt.py') =>
  `torchrun ${program} --num-layers 2 --hidden-size 128 --num-attention-heads 2 --seq-length 64 --micro-batch-size 1 --train-iters 100 --bf16 ${flags}\n`;
const trainer = (lines: string) =>
  `model_name_or_path: ./llama\nper_device_train_batch_size: 1\nsave_total_limit: 3\nmax_steps: 100\noutput_dir: o\n${lines}`;
const axolotl = (lines: string) =>
  `base_model: ./llama\nmicro_batch_size: 1\nnum_epochs: 3\nsequence_len: 64\ndatasets: [{path: d, type: alpaca}]\n${lines}`;
const neox = (lines: string) =>
  `{"pipe-parallel-size": 1, "num-layers": 2, "hidden-size": 128, "num-attention-heads": 2, "train-iters": 100, "save": "ck"${lines}}\n`;
const titan = (lines: string) =>
  `[model]\nname = "llama3"\nflavor = "8B"\n[training]\nsteps = 100\nseq_len = 64\nlocal_batch_size = 1\n[checkpoint]\nenable = true\n${lines}`;
const lightning = (lines: string) =>
  `seed_everything: 1\ntrainer:\n  max_epochs: 4\n  callbacks:\n    - class_path: lightning.pytorch.callbacks.ModelCheckpoint\n      init_args: {save_top_k: -1, ${lines}}\nmodel:\n  class_path: a.B\n`;

describe('a save interval of 0 or less', () => {
  it.each([
    ['the Trainer, as it is negative', 'a.yaml', trainer('save_steps: -5\n')],
    ['the Trainer, as it is 0', 'a.yaml', trainer('save_steps: 0\n')],
    ['the Trainer, with the strategy named', 'a.yaml', trainer('save_strategy: steps\nsave_steps: -1\n')],
    ['GPT-NeoX', 'neox.yml', neox(', "checkpoint-factor": 0')],
    ['Megatron-DeepSpeed', 'run.sh', megatron('--save ck --save-interval 0 --deepspeed --deepspeed_config ds.json')],
  ])('saves once of %s, when training ends', async (_, name, text) => {
    const report = await estimated(name, text);
    expect(texts(report)).toContain(atEnd);
    expect(report.run).toMatchObject({ saves: 1, kept: 1 });
    expect(codes(report)).not.toContain('save-interval-refused');
  });

  it.each([
    ['Megatron-LM', 'run.sh', megatron('--save ck --save-interval 0')],
    ['torchtitan', 'a.toml', titan('interval = 0\n')],
    ['torchtune', 'a.yaml', torchtuneOf('save_every_n_steps: 0')],
  ])('stops %s', async (_, name, text) => {
    const report = await estimated(name, text);
    expect(texts(report)).toContain('the program stops at the interval that is set');
    expect(report.run).toMatchObject({ saves: 0, kept: 0 });
    expect(codes(report)).toContain('save-interval-refused');
  });

  it('is never of Lightning, where no other unit is set', async () => {
    expect((await estimated('a.yaml', lightning('every_n_train_steps: 0'))).run).toMatchObject({ saves: 0 });
    expect((await estimated('a.yaml', lightning('every_n_epochs: 0'))).run).toMatchObject({ saves: 0 });
    expect((await estimated('a.yaml', lightning('every_n_train_steps: 0, every_n_epochs: 2'))).run).toMatchObject({ saves: 2 });
    expect((await estimated('a.yaml', lightning('monitor: loss'))).run).toMatchObject({ saves: 4 });
  });

  it('is none set of axolotl, where it is 0', async () => {
    expect((await estimated('a.yaml', axolotl('save_steps: 0\n'))).run).toMatchObject({ saves: 3 });
    expect((await estimated('a.yaml', axolotl('save_steps: -1\n'))).run).toMatchObject({ saves: 1 });
  });
});

describe('no save interval', () => {
  it.each([
    ['Megatron-LM', 'run.sh', megatron('--save ck')],
    ['GPT-NeoX', 'neox.yml', neox('')],
  ])('is no schedule of %s, which does not start', async (_, name, text) => {
    const report = await estimated(name, text);
    expect(texts(report)).toContain('no interval is set, and the program does not start without one');
    expect(report.run).toMatchObject({ saves: null, kept: null });
    expect(codes(report)).toContain('save-interval-refused');
  });

  it('is one of another name in newer Megatron-LM', async () => {
    const report = await estimated('run.sh', megatron('--save ck --persistent-save-interval 50'));
    expect(report.run).toMatchObject({ saves: 2 });
  });
});

function torchtuneOf(line: string): string {
  return `model:\n  _component_: torchtune.models.llama3_1.llama3_1_8b\ncheckpointer:\n  _component_: torchtune.training.FullModelHFCheckpointer\noptimizer:\n  _component_: torch.optim.AdamW\nepochs: 2\nmax_steps_per_epoch: 10\nbatch_size: 2\n${line}\noutput_dir: o\n`;
}
