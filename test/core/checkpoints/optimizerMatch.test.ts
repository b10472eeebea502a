/** Optimizer state against the weights beside it, in the forms that torch 2.15 and transformers 5.24 save. */
import { describe, expect, it } from 'vitest';
import { matchOptimizer, optimizedElements } from '../../../src/core/checkpoints/optimizerMatch.js';
import type { TensorTable } from '../../../src/core/tensors/tensorTable.js';
import { readCheckpoint } from '../../builders/readCheckpoint.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { json } from '../../builders/torchDirectory.js';
import { torchState } from '../../builders/torchStateBuilder.js';

const layer = (number: number): Record<string, { dtype: string; shape: number[] }> => ({
  [`model.layers.${number}.mlp.down_proj.weight`]: { dtype: 'F32', shape: [8, 16] },
  [`model.layers.${number}.input_layernorm.weight`]: { dtype: 'F32', shape: [8] },
});

/** @param shapes of the tensors of state, parameter after parameter */
async function tableOf(shapes: Record<string, number[]>[], layers = 3): Promise<TensorTable> {
  const tensors = Object.assign({}, ...Array.from({ length: layers }, (_, number) => layer(number))) as ReturnType<typeof layer>;
  const { read } = await readCheckpoint({
    'model.safetensors': buildSafetensors({ tensors }),
    'optimizer.pt': torchState((tensor) => ({
      state: Object.fromEntries(
        shapes.map((state, at) => [
          String(at),
          Object.fromEntries(Object.entries(state).map(([name, shape]) => [name, tensor(shape)])),
        ]),
      ),
      param_groups: [{ params: shapes.map((_, at) => at) }],
    })),
    'trainer_state.json': json({ global_step: 1 }),
  });
  return read.parts.tensors;
}

describe('state of a matrix that is factored', () => {
  it.each<[what: string, state: Record<string, number[]>[]]>([
    ['Adafactor of torch', [{ row_var: [8, 1], col_var: [1, 16] }, { variance: [8] }]],
    ['Adafactor of transformers', [{ exp_avg_sq_row: [8], exp_avg_sq_col: [16] }, { exp_avg_sq: [8] }]],
    [
      'Adafactor with first moments',
      [
        { exp_avg: [8, 16], exp_avg_sq_row: [8], exp_avg_sq_col: [16] },
        { exp_avg: [8], exp_avg_sq: [8] },
      ],
    ],
  ])('is that of the matrix: %s', async (_, state) => {
    const table = await tableOf(state, 1);
    expect(matchOptimizer(table)).toMatchObject({ method: 'by-order-and-shape', matched: 2, total: 2 });
    expect(optimizedElements(table)).toBe(8 * 16 + 8);
  });
});

describe('state of a run with frozen layers', () => {
  const adam = (shape: number[]): Record<string, number[]> => ({ exp_avg: shape, exp_avg_sq: shape });
  it('has shapes of weights, and no order', async () => {
    const table = await tableOf([adam([8, 16]), adam([8])]);
    expect(matchOptimizer(table)).toMatchObject({
      method: 'none',
      explanation:
        'The optimizer stores numbers, not names: 2 of 2 have shapes of which there is another number of weights, as where some are frozen or tied.',
    });
    expect(optimizedElements(table)).toBe(8 * 16 + 8);
  });

  it('that is of another model has other shapes', async () => {
    const table = await tableOf([adam([9, 9])]);
    expect(matchOptimizer(table)?.explanation).toBe('No shape of the optimizer state is that of a weight here.');
    expect(optimizedElements(table)).toBeNull();
  });
});
