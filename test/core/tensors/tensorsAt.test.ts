import { expect, it } from 'vitest';
import { TensorTable } from '../../../src/core/tensors/tensorTable.js';
import { tensorsAt } from '../../../src/core/tensors/tensorsAt.js';

function tableOf(pieces: readonly (readonly [file: number, offset: number, bytes: number])[][]): TensorTable {
  const table = new TensorTable();
  for (const [row, own] of pieces.entries()) {
    table.add({ name: `t${row}`, dtype: 'F32', shape: [1], bytes: 4, component: 'weights' });
    for (const [file, offset, bytes] of own) table.addPiece(file, offset, bytes);
  }
  return table;
}

it('finds the tensors that a stretch has bytes of, in its own file', () => {
  const table = tableOf([
    [[0, 0, 10]],
    [[0, 10, 10]],
    [[1, 0, 10]],
    [
      [0, 100, 4],
      [1, 50, 4],
    ],
    [],
  ]);
  const at = (file: number, offset: number, length: number) => tensorsAt(table, [{ file, offset, length }])[0];
  expect(at(0, 9, 1)).toEqual({ names: ['t0'], more: 0 });
  expect(at(0, 9, 2)).toEqual({ names: ['t0', 't1'], more: 0 });
  expect(at(0, 20, 80)).toEqual({ names: [], more: 0 });
  expect(at(1, 0, 60)).toEqual({ names: ['t2', 't3'], more: 0 });
  expect(at(2, 0, 60)).toEqual({ names: [], more: 0 });
});

it('names three, and a tensor in several pieces once', () => {
  const table = tableOf([
    [
      [0, 0, 4],
      [0, 4, 4],
    ],
    [[0, 8, 4]],
    [[0, 12, 4]],
    [[0, 16, 4]],
    [[0, 20, 4]],
  ]);
  expect(tensorsAt(table, [{ file: 0, offset: 0, length: 24 }])).toEqual([{ names: ['t0', 't1', 't2'], more: 2 }]);
});
