import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { runs } from '../../builders/seed.js';
import { readText } from './readConfigFixture.js';

const shape =
  '--num-layers 2 --hidden-size 128 --num-attention-heads 2 --seq-length 2048 --max-position-embeddings 2048 --micro-batch-size 2';

async function planOfRun(flags: string) {
  const read = await readText('run.sh', `python pretrain_gpt.py ${shape} --save out --save-interval 300 ${flags}\n`);
  expect(read?.id).toBe('megatron');
  return read?.reading.plan ?? {};
}

/** One iteration after the other, as update_train_iters of Megatron-LM goes. */
function stepsOfRamp(start: number, increment: number, rampSamples: number, batch: number, samples: number): number {
  const each = rampSamples / ((batch - start) / increment);
  let [consumed, steps] = [0, 0];
  for (; consumed <= rampSamples && consumed <= samples; steps++)
    consumed += consumed === rampSamples ? batch : start + Math.floor(consumed / each) * increment;
  return samples > consumed ? steps + Math.floor((samples - consumed) / batch) : steps;
}

describe('runs of Megatron whose batch ramps up', () => {
  it('take the steps that the published run took', async () => {
    const plan = await planOfRun('--rampup-batch-size 192 16 9_765_625 --train-samples 220_000_000 --global-batch-size 2048');
    expect(plan).toMatchObject({ steps: 115_311, globalBatch: 2048, maxTokens: 220_000_000 * 2048 });
    expect(plan.notes).toContain('batch-ramps-up');
  });

  it('take as many steps as one after the other', async () => {
    const numbers = fc.record({
      start: fc.integer({ min: 1, max: 64 }),
      increment: fc.integer({ min: 1, max: 32 }),
      rises: fc.integer({ min: 1, max: 40 }),
      ramp: fc.integer({ min: 1, max: 40_000 }),
      samples: fc.integer({ min: 1, max: 100_000 }),
    });
    await fc.assert(
      fc.asyncProperty(numbers, async ({ start, increment, rises, ramp, samples }) => {
        const batch = start + increment * rises;
        const flags = `--rampup-batch-size ${start} ${increment} ${ramp} --train-samples ${samples} --global-batch-size ${batch}`;
        expect((await planOfRun(flags)).steps).toBe(stepsOfRamp(start, increment, ramp, batch, samples));
      }),
      runs(200),
    );
  });

  it.each(['192 16', '192 16 $RAMP', '0 16 1000', '192 7 1000', '1 1 1000'])(
    'take no steps that are known with %s',
    async (ramp) => {
      const plan = await planOfRun(`--rampup-batch-size ${ramp} --train-samples 1_000_000 --global-batch-size 20_000`);
      expect(plan.steps).toBeUndefined();
      expect(plan.globalBatch).toBe(20_000);
    },
  );

  it('go through sizes up to a number of them', async () => {
    const flags = (rises: number) => `--rampup-batch-size 1 1 1000 --train-samples 1_000_000 --global-batch-size ${rises + 1}`;
    expect((await planOfRun(flags(limits.batchStages))).steps).toBeGreaterThan(0);
    expect((await planOfRun(flags(limits.batchStages + 1))).steps).toBeUndefined();
  });

  it('follow a schedule in tokens', async () => {
    const plan = await planOfRun('--step-batch-size-schedule "0:16 2.048K:32 1M:64" --train-samples 1001');
    // 1 sample is the first threshold, 488 the second: 16, then 15 of 32, then 8 of 64, the last of which is not whole.
    expect(plan).toMatchObject({ steps: 1 + 15 + 8, globalBatch: 64 });
  });
});

it('a run that ends before its last batch has the batch that it ends with', async () => {
  const plan = await planOfRun('--step-batch-size-schedule "0:384 200B:768 400B:1152" --train-samples 19_531_250');
  expect(plan).toMatchObject({ steps: 50_863, globalBatch: 384 });
});

describe('runs of Megatron-DeepSpeed that set their tokens', () => {
  it.each([
    ['--train-samples 1_000_000 --train-tokens 1_024_000_000', 500_000 / 1000, 'ends-by-tokens'],
    ['--train-iters 1000 --train-tokens 1_024_000_001', 501, 'ends-by-tokens'],
    ['--train-samples 1_000_000 --train-tokens 9_000_000_000', 1000, undefined],
    ['--train-tokens 1_024_000_000', 500, undefined],
  ])('end by what comes first: %s', async (flags, steps, note) => {
    const plan = await planOfRun(`--global-batch-size 1000 ${flags}`);
    expect(plan.steps).toBe(steps);
    expect(plan.notes?.find((key) => key === 'ends-by-tokens')).toBe(note);
  });

  it('count them through a batch that ramps up', async () => {
    const ramp = '--rampup-batch-size 100 100 1000 --global-batch-size 200';
    // 10 steps of 100, then 10 of 200.
    const plan = await planOfRun(`${ramp} --train-samples 100_000 --train-tokens ${2048 * 3000}`);
    expect(plan).toMatchObject({ steps: 20, maxTokens: 2048 * 3000 });
  });
});

it('Megatron-Bridge counts samples in batches', async () => {
  const flags = '--recipe qwen3_8b_sft_config train.train_samples=10_001 train.global_batch_size=100';
  const read = await readText('run.sh', `torchrun --nproc_per_node=8 scripts/training/run_recipe.py ${flags}\n`);
  expect(read?.reading.plan.steps).toBe(100);
});
