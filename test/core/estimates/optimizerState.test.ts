/** State by shapes against what the optimizers really hold; see test/fixtures/optimizers. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TensorGroup, TensorKind } from '../../../src/core/configs/architectures/tensorGroup.js';
import type { OptimizerId } from '../../../src/core/configs/trainingPlan.js';
import { optimizerState, type StateOptions } from '../../../src/core/estimates/optimizerState.js';

const measured = JSON.parse(readFileSync('test/fixtures/optimizers/state.json', 'utf8')) as {
  shapes: Record<TensorKind, number[][]>;
  state: Record<string, Record<string, number>>;
};

const groups: TensorGroup[] = Object.entries(measured.shapes).flatMap(([kind, shapes]) =>
  shapes.map((shape) => ({ name: kind, shape, copies: 1, activeCopies: 1, kind: kind as TensorKind })),
);
const f32: StateOptions = { moments: ['f32', 'f32'] };
const bf16: StateOptions = { moments: ['bf16', 'bf16'] };

/** Keys of the framework's state that make up each of our parts. */
type Parts = Partial<Record<'firstMoment' | 'secondMoment' | 'otherState', string[]>>;

const moments: Parts = { firstMoment: ['exp_avg'], secondMoment: ['exp_avg_sq'] };
const cases: [string, OptimizerId, StateOptions, Parts][] = [
  ['adam', 'adam', f32, moments],
  ['adam-bf16', 'adam', bf16, moments],
  ['sgd', 'sgd', f32, {}],
  ['sgd-momentum', 'sgd-momentum', f32, { firstMoment: ['momentum_buffer'] }],
  ['rmsprop', 'rmsprop', f32, { secondMoment: ['square_avg'] }],
  ['adagrad', 'adagrad', f32, { secondMoment: ['sum'] }],
  ['adafactor', 'adafactor', f32, { secondMoment: ['exp_avg_sq_row', 'exp_avg_sq_col', 'exp_avg_sq'] }],
  ['adafactor-bf16', 'adafactor', bf16, { secondMoment: ['exp_avg_sq_row', 'exp_avg_sq_col', 'exp_avg_sq'] }],
  [
    'adafactor-momentum',
    'adafactor',
    { ...f32, hasMomentum: true },
    { firstMoment: ['exp_avg'], secondMoment: ['exp_avg_sq_row', 'exp_avg_sq_col', 'exp_avg_sq'] },
  ],
  ['muon', 'muon', f32, { firstMoment: ['momentum_buffer', 'exp_avg'], secondMoment: ['exp_avg_sq'] }],
  ['lion', 'lion', f32, { firstMoment: ['exp_avg'] }],
  ['schedule-free', 'schedule-free', f32, { otherState: ['z'], secondMoment: ['exp_avg_sq'] }],
  ['adam-8bit', 'adam-8bit', f32, { firstMoment: ['state1', 'absmax1'], secondMoment: ['state2', 'absmax2'] }],
  ['adam-8bit-torchao', 'adam-8bit', f32, moments],
  ['lion-8bit', 'lion-8bit', f32, { firstMoment: ['state1', 'absmax1'] }],
  ['adam-4bit', 'adam-4bit', f32, moments],
  ['galore', 'galore', { ...f32, projectionRank: 16 }, { ...moments, otherState: ['projector'] }],
  ['soap', 'soap', f32, { ...moments, otherState: ['GG', 'Q'] }],
];

describe('optimizer state', () => {
  it.each(cases)('of %s is what the optimizer holds', (name, optimizer, options, parts) => {
    const state = measured.state[name] ?? {};
    expect(Object.values(parts).flat().sort()).toEqual(Object.keys(state).sort());
    const expected = Object.entries(parts).map(([part, keys]) => [part, keys.reduce((sum, key) => sum + (state[key] ?? 0), 0)]);
    expect(bytesByPart(optimizer, options)).toEqual(Object.fromEntries(expected));
  });

  it('counts copies, and tied weights not at all', () => {
    const [first] = groups;
    if (first === undefined) throw new Error('no groups');
    const bytes = optimizerState(
      'lion',
      [
        { ...first, copies: 3 },
        { ...first, isTied: true },
      ],
      f32,
    ).map((term) => term.bytes);
    expect(bytes).toEqual([512 * 64 * 4 * 3]);
  });
});

function bytesByPart(optimizer: OptimizerId, options: StateOptions): Record<string, number> {
  const parts: Record<string, number> = {};
  for (const { part, bytes } of optimizerState(optimizer, groups, options)) parts[part] = (parts[part] ?? 0) + bytes;
  return parts;
}
