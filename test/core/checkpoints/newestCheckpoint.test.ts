/** Which checkpoint speaks for a run where the last one is damaged. */
import { expect, it } from 'vitest';
import type { RunCheckpoint } from '../../../src/core/checkpoints/checkpointReport.js';
import { newestCheckpoint } from '../../../src/core/checkpoints/newestCheckpoint.js';

const save = (
  path: string,
  step: number | null,
  verdict: RunCheckpoint['verdict'] = 'complete',
  finished = true,
): RunCheckpoint => ({
  path,
  layout: 'lightning',
  step,
  bytes: 1,
  files: 1,
  modified: null,
  verdict,
  finished,
});
const [first, second] = [save('a.ckpt', 10), save('b.ckpt', 20)];

it.each<[string, RunCheckpoint[], string]>([
  ['cut before its step', [first, second, save('last.ckpt', null, 'broken')], 'b.ckpt'],
  ['cut, of the step of another', [first, second, save('last.ckpt', 20, 'broken')], 'b.ckpt'],
  ['cut, of a step of its own', [first, second, save('last.ckpt', 30, 'broken')], 'last.ckpt'],
  ['whole, without a step', [first, second, save('last.ckpt', null)], 'last.ckpt'],
  ['cut, behind a broken step', [first, save('b.ckpt', 20, 'broken'), save('last.ckpt', null, 'broken')], 'b.ckpt'],
  ['cut and alone', [save('last.ckpt', null, 'broken')], 'last.ckpt'],
  ['of an interrupted save', [first, save('c', 30, 'broken', false)], 'a.ckpt'],
])('%s', (_, checkpoints, newest) => {
  expect(newestCheckpoint(checkpoints)?.path).toBe(newest);
});
