/** Optimizer, LR scheduler and saved arguments of a Trainer checkpoint. */
import { describe, expect, it } from 'vitest';
import type { OptimizerMatch } from '../../../src/core/checkpoints/optimizerMatch.js';
import type { LoadCheck } from '../../../src/core/loading/loadCheck.js';
import { optimizerCheck } from '../../../src/core/loading/optimizerCheck.js';
import { readCheckpoint } from '../../builders/readCheckpoint.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { json } from '../../builders/torchDirectory.js';
import { torchState, type State } from '../../builders/torchStateBuilder.js';

const match: OptimizerMatch = { method: 'by-order-and-shape', matched: 2, total: 2, explanation: '' };

interface Trainer {
  state?: object;
  args?: Record<string, State>;
  scheduler?: Record<string, State>;
}

async function check(
  { state = {}, args, scheduler = { last_epoch: 5 } }: Trainer,
  how: OptimizerMatch | null = match,
): Promise<LoadCheck> {
  const { read } = await readCheckpoint({
    'model.safetensors': buildSafetensors({ tensors: { a: { dtype: 'F32', shape: [2, 2] } } }),
    'trainer_state.json': json({ global_step: 5, max_steps: 10, num_train_epochs: 2, ...state }),
    'scheduler.pt': torchState(() => scheduler),
    ...(args === undefined ? {} : { 'training_args.bin': torchState(() => args) }),
  });
  return optimizerCheck(read, how);
}

describe('the optimizer and the scheduler of a checkpoint', () => {
  it.each<[what: string, trainer: Trainer]>([
    ['steps', { args: { max_steps: 10, num_train_epochs: 9 } }],
    ['epochs', { args: { max_steps: -1, num_train_epochs: 1.5 } }],
    ['total steps', { args: { max_steps: 10 }, scheduler: { last_epoch: 5, total_steps: 10 } }],
  ])('agree: %s', async (_, trainer) => {
    expect(await check(trainer)).toMatchObject({ verdict: 'loads', why: '', checked: ['optimizer', 'scheduler'], findings: [] });
  });

  it.each<[what: string, trainer: Trainer, facts: object]>([
    ['steps', { args: { max_steps: 20 } }, { what: 'max_steps', saved: 20, state: 10 }],
    ['epochs', { args: { max_steps: -1, num_train_epochs: 3 } }, { what: 'num_train_epochs', saved: 3, state: 2 }],
    ['total steps', { scheduler: { last_epoch: 5, total_steps: 8 } }, { total: 8, steps: 10 }],
  ])('differ: %s', async (_, trainer, facts) => {
    const found = await check(trainer);
    expect(found.verdict).toBe('loads-with-warnings');
    expect(found.findings.map((finding) => finding.facts)).toEqual([facts]);
  });

  it('are of two steps where the assessment found it', async () => {
    const found = await check({ scheduler: { last_epoch: 9 } });
    expect(found).toMatchObject({ verdict: 'loads-with-warnings', findings: [] });
  });

  it('may be of another model, or not be matched at all', async () => {
    const { read } = await readCheckpoint({
      'a.safetensors': buildSafetensors({ tensors: { a: { dtype: 'F32', shape: [2, 2] } } }),
    });
    read.parts.findings.push({
      code: 'optimizer-of-other-model',
      path: 'optimizer.pt',
      facts: { other: 2, total: 2, shape: '4 × 4' },
    });
    expect(optimizerCheck(read, match)).toMatchObject({ verdict: 'fails', checked: ['optimizer'], findings: [] });
    expect(await check({}, { ...match, method: 'none', explanation: 'The optimizer stores numbers.' })).toMatchObject({
      verdict: 'unknown',
      notChecked: [{ what: 'optimizer', detail: 'the optimizer stores numbers' }],
    });
    expect(optimizerCheck(read, null)).toMatchObject({ verdict: 'loads', checked: [] });
  });
});
