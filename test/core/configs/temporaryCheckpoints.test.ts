/** Checkpoints between those of the interval, of which only the newest stay: room for them is counted. */
import { describe, expect, it } from 'vitest';
import { runSize } from '../../../src/core/estimates/runSize.js';
import { estimateSentences } from '../../../src/core/pages/estimate/estimateLines.js';
import type { TrainingPlan } from '../../../src/core/configs/trainingPlan.js';
import { estimateText } from '../../builders/estimateText.js';

const megatron = (...flags: readonly string[]) =>
  `torchrun pretrain_gpt.py --num-layers 2 --hidden-size 64 --num-attention-heads 4 --seq-length 256 --max-position-embeddings 256 --vocab-size 1000 --micro-batch-size 1 --global-batch-size 8 --train-iters 1000 --bf16 --save /ckpt --save-interval 400 ${flags.join(' ')}\n`;

const olmo = (...lines: readonly string[]) =>
  `model:\n  d_model: 64\n  n_heads: 4\n  n_layers: 2\n  mlp_ratio: 4\n  vocab_size: 1000\n  embedding_size: 1024\noptimizer:\n  name: adamw\nmax_duration: 1000\nsave_folder: out\nsave_interval: 400\nsave_num_checkpoints_to_keep: 1\n${lines.join('\n')}\n`;

const core = (...members: readonly [string, unknown][]) =>
  JSON.stringify({
    model: {
      d_model: 64,
      n_layers: 2,
      vocab_size: 1000,
      block: { attention: { n_heads: 4 }, feed_forward: { hidden_size: 256 }, layer_norm: { name: 'rms' } },
      lm_head: { layer_norm: {} },
    },
    trainer: {
      max_duration: { value: 1000, unit: 'steps' },
      callbacks: { checkpointer: { save_interval: 400, max_checkpoints: 1, ...Object.fromEntries(members) } },
    },
  });

const bridge = (kept: string) =>
  `train:\n  train_iters: 1000\n  global_batch_size: 8\ncheckpoint:\n  save: out\n  save_interval: 400\n  non_persistent_save_interval: 100\n  non_persistent_ckpt_type: global\n${kept}scheduler:\n  lr_decay_iters: 10\nlogger:\n  log_interval: 1\n`;

const unitsOf = async (name: string, text: string) => {
  const { report } = await estimateText(name, text);
  const one = report.checkpoint.bytes ?? 1;
  const { saves, kept, bytes, peakBytes, writtenBytes, temporaryBytes } = report.run;
  const inUnits = (value: number | null) => (value === null ? null : value / one);
  return {
    saves,
    kept,
    bytes: inUnits(bytes),
    peak: inUnits(peakBytes),
    written: inUnits(writtenBytes),
    temporary: inUnits(temporaryBytes),
  };
};

describe('Megatron', () => {
  it('has two beside those that stay', async () => {
    const flags = ['--non-persistent-save-interval 100', '--non-persistent-ckpt-type global'];
    // At 400, 800 and the end; between them at 100, 200, 300, 500, 600, 700, 900 and 1000.
    expect(await unitsOf('a.sh', megatron(...flags))).toEqual({
      saves: 3,
      kept: 3,
      bytes: 5,
      peak: 5,
      written: 11,
      temporary: 2,
    });
    const kept = await unitsOf('a.sh', megatron(...flags, '--most-recent-k 1'));
    expect(kept).toEqual({ saves: 3, kept: 1, bytes: 3, peak: 4, written: 11, temporary: 2 });
  });

  it.each([['local'], ['in_memory']])('has none there of type %s', async (type) => {
    const flags = ['--non-persistent-save-interval 100', `--non-persistent-ckpt-type ${type}`];
    expect(await unitsOf('a.sh', megatron(...flags))).toMatchObject({ bytes: 3, written: 3, temporary: null });
  });

  it('says how much of it they take', async () => {
    const flags = ['--non-persistent-save-interval 100', '--non-persistent-ckpt-type global'];
    const { report } = await estimateText('a.sh', megatron(...flags));
    expect(estimateSentences(report).join('\n')).toContain('of them until the next one');
    expect(report.assumptions.map(({ text }) => text).join('\n')).toContain('of which only the newest stay');
  });
});

it('OLMo has one until the next of the interval', async () => {
  expect(await unitsOf('a.yaml', olmo('save_interval_ephemeral: 150'))).toMatchObject({
    kept: 1,
    bytes: 2,
    peak: 3,
    temporary: 1,
  });
  // 800 is of both, and nothing follows.
  expect(await unitsOf('a.yaml', olmo('save_interval_ephemeral: 300'))).toMatchObject({ bytes: 2, peak: 3, temporary: 1 });
  expect(await unitsOf('a.yaml', olmo('save_interval_ephemeral: 400'))).toMatchObject({ bytes: 1, peak: 2, temporary: null });
  expect(await unitsOf('a.yaml', olmo('save_interval_ephemeral: 150', 'distributed_strategy: ddp'))).toMatchObject({ bytes: 1 });
});

it('OLMo-core has one that only the next of its kind replaces', async () => {
  const { temporary, bytes, peak, kept } = await unitsOf('config.json', core(['ephemeral_save_interval', 100]));
  expect({ temporary, bytes, peak, kept }).toEqual({ temporary: 1, bytes: 2, peak: 3, kept: 1 });
});

it.each([
  ['', 2],
  ['  most_recent_k: 3\n', 3],
  ['  most_recent_k: 0\n', 1],
])('Megatron-Bridge has as many as stay %j', async (kept, temporary) => {
  const { estimate } = await estimateText('a.yaml', bridge(kept));
  expect(estimate.plan.temporarySave).toEqual({ saveIntervalSteps: 100, keep: temporary });
});

it('counts room where the length of the run is not known', () => {
  const plan: TrainingPlan = { saveIntervalSteps: 400, keep: 2, temporarySave: { saveIntervalSteps: 100, keep: 1 } };
  const run = runSize({ checkpoint: 10, weights: null }, plan);
  expect(run).toMatchObject({ kept: 2, bytes: 30, peakBytes: 40, writtenBytes: null, temporaryBytes: 10 });
});
