/** Values that a Python file takes from its command line, its environment, or computes. */
import { describe, expect, it } from 'vitest';
import { estimateText } from '../../builders/estimateText.js';
import { readText } from './readConfigFixture.js';

const run = (before: string, given: string, after = '') => `
import os
from transformers import AutoModelForCausalLM, TrainingArguments, Trainer
${before}
model = AutoModelForCausalLM.from_pretrained("Qwen/Qwen2.5-1.5B", torch_dtype="bfloat16")
args = TrainingArguments(output_dir="o", max_steps=1000, ${given})
${after}
Trainer(model=model, args=args, train_dataset=d).train()
`;

const parser = (...added: string[]) => `
import argparse
p = argparse.ArgumentParser()
${added.map((one) => `p.add_argument(${one})`).join('\n')}
a = p.parse_args()`;

const dataclass = `
@dataclass
class Config:
    save_steps: int = 250
    keep: Optional[int] = field(default=2, metadata={"help": "newest"})`;

const about = 'its command line or environment may set another value';

describe('a value that a script takes', () => {
  it.each([
    ['of argparse', parser('"--save_steps", type=int, default=250', '"-k", "--to-keep", default=2'), 'a.save_steps', 'a.to_keep'],
    ['under another name', parser('"--every", dest="save_steps", default=250', '"--keep", default=2'), 'a.save_steps', 'a.keep'],
    [
      'of dataclasses that are parsed',
      `${dataclass}\n(cfg,) = HfArgumentParser(Config).parse_args_into_dataclasses()`,
      'cfg.save_steps',
      'cfg.keep',
    ],
    [
      'of the second of two',
      `${dataclass}\nparser = HfArgumentParser((Other, Config))\nother, cfg = parser.parse_args_into_dataclasses()`,
      'cfg.save_steps',
      'cfg.keep',
    ],
    ['of the environment', '', 'int(os.environ.get("STEPS", "250"))', 'int(os.getenv("KEEP", 2))'],
  ])('is its own default %s, and said to be that', async (_, before, steps, keep) => {
    const { report } = await estimateText('t.py', run(before, `save_steps=${steps}, save_total_limit=${keep}`));
    expect(report.training).toMatchObject({ saveIntervalSteps: 250, keep: 2 });
    const texts = report.assumptions.map(({ text }) => text);
    expect(texts).toContain(`save_steps, save_total_limit: the script’s own defaults; ${about}`);
    expect(texts.join()).not.toMatch(/interval is the framework|checkpoints stay is the framework/);
    expect(report.unresolved).toEqual([]);
  });

  it('is as good as written of an object that the script makes', async () => {
    const { report } = await estimateText(
      't.py',
      run(`${dataclass}\ncfg = Config(keep=3)`, 'save_steps=cfg.save_steps, save_total_limit=cfg.keep'),
    );
    expect(report.training).toMatchObject({ saveIntervalSteps: 250, keep: 3 });
    expect(JSON.stringify(report.assumptions)).not.toContain(about);
  });

  it.each([
    ['without a default', parser('"--save_steps", type=int')],
    ['with a default that is computed', parser('"--save_steps", default=every()')],
    ['that is set after', `${parser('"--save_steps", default=250')}\na.save_steps = every()`],
    ['of a parser with other defaults', `${parser('"--save_steps", default=250')}\np.set_defaults(save_steps=3)`],
    ['that is added twice', parser('"--save_steps", default=250', '"--save_steps", default=300')],
    ['of another object', 'a = load()'],
  ])('is not known %s', async (_, before) => {
    const { report } = await estimateText('t.py', run(before, 'save_steps=a.save_steps'));
    expect(report.training.saveIntervalSteps).toBeNull();
    expect(report.run.saves).toBeNull();
    expect(report.unresolved).toContainEqual({
      key: 'save_steps',
      text: 'a.save_steps',
      why: 'is known only when the script runs',
    });
    expect(JSON.stringify(report.assumptions)).not.toContain('the save interval is');
  });
});

describe('what a script computes', () => {
  it('leaves nothing to the framework’s defaults', async () => {
    const given =
      'save_steps=10 if fast else 100, save_total_limit=LIMIT, optim=pick(), per_device_train_batch_size=b.size, gradient_accumulation_steps=b.n, bf16=has_bf16()';
    const { report, estimate } = await estimateText('t.py', run('LIMIT = 2 if True else None', given));
    expect(estimate.plan.notes).toEqual(['keep-open']);
    expect(report.training).toMatchObject({
      saveIntervalSteps: null,
      keep: null,
      microBatch: null,
      accumulation: null,
      precision: null,
    });
    expect(report.training.optimizer).toBe('unknown');
    expect(report.run).toMatchObject({ saves: null, kept: null, bytes: null });
    expect(report.unresolved.map(({ key }) => key).sort()).toEqual([
      'bf16',
      'gradient_accumulation_steps',
      'optim',
      'per_device_train_batch_size',
      'save_steps',
      'save_total_limit',
    ]);
  });

  it('keeps a number of checkpoints that is not known', async () => {
    const { report } = await estimateText('t.py', run('LIMIT = 2 if True else None', 'save_steps=250, save_total_limit=LIMIT'));
    expect(report.run).toMatchObject({ saves: 4, kept: null, bytes: null, peakBytes: null });
  });

  it('is the length of the run', async () => {
    const text = run('', 'num_train_epochs=a.epochs, save_steps=100').replace('max_steps=1000, ', '');
    const { estimate } = await estimateText('t.py', text);
    expect(estimate.plan.epochs).toBeUndefined();
    expect(estimate.plan.notes).not.toContain('default-epochs');
    const byEpoch = await readText('t.py', run('', 'max_steps=n(), save_strategy="epoch"').replace('max_steps=1000, ', ''));
    expect(byEpoch?.reading.plan).toMatchObject({ saveIntervalEpochs: 1 });
    expect(byEpoch?.reading.plan.epochs).toBeUndefined();
  });

  it('may be in a map that is not read', async () => {
    const { estimate, report } = await estimateText('t.py', run('', 'save_steps=100, **load("a.json")'));
    expect(estimate.plan).toMatchObject({ steps: 1000, saveIntervalSteps: 100 });
    expect(estimate.plan.keep).toBeUndefined();
    expect(report.unresolved.map(({ key }) => key)).toContain('save_total_limit');
  });

  it('is the model', async () => {
    const text = run('', 'save_steps=100').replace('"Qwen/Qwen2.5-1.5B"', 'pretrained_model_name_or_path=pick()');
    const { report } = await estimateText('t.py', text);
    expect(report.model).toBeNull();
  });

  it('is the same in a shell’s variable', async () => {
    const text =
      'python train.py --model_name_or_path Qwen/Qwen2.5-1.5B --output_dir o --per_device_train_batch_size $BATCH --save_steps $STEPS --save_total_limit $KEEP --max_steps 1000 --optim $OPTIM\n';
    const { report, estimate } = await estimateText('t.sh', text);
    expect(report.training).toMatchObject({ saveIntervalSteps: null, keep: null, microBatch: null, optimizer: 'unknown' });
    expect(estimate.plan.notes?.filter((note) => note.startsWith('default-'))).toEqual(['default-accumulation']);
  });
});

describe('arguments that are set after they are made', () => {
  it('have the last value', async () => {
    const { report } = await estimateText('t.py', run('', 'save_steps=50', 'args.save_steps = 200\nargs.save_total_limit = 2'));
    expect(report.training).toMatchObject({ saveIntervalSteps: 200, keep: 2 });
    expect(report.unresolved).toEqual([]);
  });

  it.each(['if fast:\n    args.save_steps = 200', 'args.save_steps *= 2', 'args.save_steps = every()'])(
    'are not known with %s',
    async (after) => {
      const { report } = await estimateText('t.py', run('', 'save_steps=50', after));
      expect(report.training.saveIntervalSteps).toBeNull();
      expect(report.unresolved).toMatchObject([{ key: 'save_steps' }]);
    },
  );

  it('are those of the run, not of another object', async () => {
    const { report } = await estimateText('t.py', run('', 'save_steps=50', 'other.save_steps = 200'));
    expect(report.training.saveIntervalSteps).toBe(50);
  });
});

it('the file of a library that has a trainer runs nothing', async () => {
  const text =
    'class GRPOTrainer(BaseTrainer):\n    def __init__(self, model, args=None):\n        if args is None:\n            raise ValueError("Set it via `GRPOConfig(max_steps=...)`.")\n        super().train()\n';
  expect(await readText('grpo_trainer.py', text)).toBeNull();
});

it('lines of many words before a call are read once each', async () => {
  const words = `${'    choice, '.repeat(200)}x\n`.repeat(300);
  const { report } = await estimateText('t.py', run(`${words}args = other.parse_args()\n`, 'save_steps=50'));
  expect(report.training.saveIntervalSteps).toBe(50);
});
