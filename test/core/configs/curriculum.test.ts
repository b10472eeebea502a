/** Sequences that grow as training goes on: steps by tokens, and tokens by steps. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../builders/seed.js';
import { estimateText } from '../../builders/estimateText.js';

const shape =
  '--num-layers 2 --hidden-size 128 --num-attention-heads 2 --seq-length 2048 --max-position-embeddings 2048 --micro-batch-size 2 --vocab-size 1000';
const linear = (least: number, most: number, total: number, unit = 8) => ({
  ...{ enabled: true, curriculum_type: 'seqlen', min_difficulty: least, max_difficulty: most },
  ...{ schedule_type: 'fixed_linear', schedule_config: { total_curriculum_step: total, difficulty_step: unit } },
});
const engine = (curriculum: object) => JSON.stringify({ train_batch_size: 256, curriculum_learning: curriculum });

async function run(flags: string, curriculum: object | null, before = '') {
  const text = `${before}\ndeepspeed pretrain_gpt.py ${shape} --global-batch-size 256 --save out --save-interval 300 --deepspeed --deepspeed_config ds.json ${flags}\n`;
  const beside: Record<string, string> = curriculum === null ? {} : { 'ds.json': engine(curriculum) };
  return (await estimateText('run.sh', text, { beside })).estimate.plan;
}

/** One step after the other, as deepspeed/runtime/data_pipeline/curriculum_scheduler.py and megatron/training.py of Megatron-DeepSpeed go. */
function stepwise(lengthAt: (step: number) => number, batch: number, most: { steps?: number; tokens?: number }) {
  let [steps, tokens] = [0, 0];
  while (steps < (most.steps ?? Infinity) && tokens < (most.tokens ?? Infinity)) tokens += batch * lengthAt(++steps);
  return { steps, tokens };
}

function linearLength(least: number, most: number, total: number, unit: number) {
  return (step: number) => {
    const reached = Math.floor((step / total) * (most - least) + least);
    return Math.min(reached - (reached % unit), most, 2048);
  };
}

describe('a curriculum of Megatron-DeepSpeed', () => {
  it('takes more steps for its tokens', async () => {
    const tokens = 1_000_000_000;
    const expected = stepwise(linearLength(80, 2048, 1000, 8), 256, { tokens });
    const plan = await run(`--train-tokens ${tokens}`, linear(80, 2048, 1000));
    expect(plan).toMatchObject({ steps: expected.steps, maxTokens: expected.tokens });
    expect(plan.notes).toContain('lengths-grow');
    expect(expected.steps).toBeGreaterThan(Math.ceil(tokens / (256 * 2048)));
    expect(await run(`--train-tokens ${tokens}`, { ...linear(80, 2048, 1000), enabled: false })).toMatchObject({
      steps: Math.ceil(tokens / (256 * 2048)),
    });
  });

  it('reads fewer tokens in its steps', async () => {
    const expected = stepwise(linearLength(64, 2048, 5000, 16), 256, { steps: 3000 });
    const plan = await run('--train-iters 3000', linear(64, 2048, 5000, 16));
    expect(plan).toMatchObject({ steps: 3000, maxTokens: expected.tokens, tokensPerStep: 256 * 2048 });
  });

  it('goes as it does step by step', async () => {
    const numbers = fc.record({
      least: fc.integer({ min: 8, max: 512 }),
      more: fc.integer({ min: 0, max: 3000 }),
      total: fc.integer({ min: 1, max: 3000 }),
      unit: fc.integer({ min: 1, max: 8 }),
      steps: fc.integer({ min: 1, max: 4000 }),
    });
    await fc.assert(
      fc.asyncProperty(numbers, async ({ least, more, total, unit, steps }) => {
        const expected = stepwise(linearLength(least, least + more, total, unit), 256, { steps });
        const plan = await run(`--train-iters ${steps}`, linear(least, least + more, total, unit));
        expect(plan.maxTokens).toBe(expected.tokens);
        const byTokens = await run(`--train-tokens ${expected.tokens}`, linear(least, least + more, total, unit));
        expect(byTokens.steps).toBe(steps);
      }),
      runs(50),
    );
  });

  it('follows roots and lists', async () => {
    const root = { ...linear(64, 2048, 100), schedule_type: 'fixed_root' };
    const ofRoot = { ...root, schedule_config: { ...root.schedule_config, root_degree: 2 } };
    const rootLength = (step: number) => {
      const reached = Math.floor(Math.sqrt(step / 100) * (2048 - 64) + 64);
      return Math.min(reached - (reached % 8), 2048);
    };
    expect((await run('--train-iters 200', ofRoot)).maxTokens).toBe(stepwise(rootLength, 256, { steps: 200 }).tokens);
    const list = {
      ...linear(64, 2048, 1),
      schedule_type: 'fixed_discrete',
      schedule_config: { difficulty: [64, 512, 2048], max_step: [10, 20] },
    };
    expect((await run('--train-iters 30', list)).maxTokens).toBe(256 * 10 * (64 + 512 + 2048));
  });

  it.each([
    ['custom schedules', { ...linear(64, 2048, 100), schedule_type: 'custom' }, ''],
    ['other difficulties', { ...linear(64, 2048, 100), curriculum_type: 'rarity' }, ''],
    ['no last step', { ...linear(64, 2048, 100), schedule_config: { difficulty_step: 8 } }, ''],
    [
      'a root beyond all numbers',
      {
        ...linear(64, 2047, 100),
        schedule_type: 'fixed_root',
        schedule_config: { total_curriculum_step: 100, difficulty_step: 8, root_degree: 1e9 },
      },
      '',
    ],
    ['a unit of nothing', linear(64, 2048, 100, 0), ''],
    ['a file that the script writes', null, 'sed "s/CONFIG_CL_MIN/80/" template.json > ds.json'],
    ['the data efficiency library', null, '', '--data-efficiency-curriculum-learning'],
  ])('is said not to be followed with %s', async (_, curriculum, before, more: string = '') => {
    const plan = await run(`--train-tokens 1000000000 ${more}`, curriculum, before);
    expect(plan.steps).toBe(Math.ceil(1_000_000_000 / (256 * 2048)));
    expect(plan.notes).toContain('lengths-not-followed');
  });

  it('is none without a word of it', async () => {
    const plan = await run('--train-tokens 1000000000', null, '## curriculum_learning is not used here');
    expect(plan.notes).not.toContain('lengths-not-followed');
  });
});

it('GPT-NeoX has it in its own config', async () => {
  const config = {
    ...{ num_layers: 2, hidden_size: 128, num_attention_heads: 2, seq_length: 2048, max_position_embeddings: 2048 },
    ...{ pos_emb: 'rotary', train_batch_size: 256, train_iters: 3000, 'checkpoint-factor': 1000, save: 'out' },
  };
  const of = async (more: object) => (await estimateText('a.yml', JSON.stringify({ ...config, ...more }))).estimate.plan;
  const expected = stepwise(linearLength(64, 2048, 5000, 16), 256, { steps: 3000 });
  expect((await of({ curriculum_learning: linear(64, 2048, 5000, 16) })).maxTokens).toBe(expected.tokens);
  expect((await of({})).maxTokens).toBeUndefined();
});
