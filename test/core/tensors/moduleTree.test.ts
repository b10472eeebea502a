/** The tree of modules: what folds, what its lines add up to, what is expanded. */
import { describe, expect, it, vi } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { ModuleTree } from '../../../src/core/tensors/moduleTree.js';
import { TensorLayers } from '../../../src/core/tensors/tensorLayers.js';
import type { ModuleRow, TensorQuery } from '../../../src/core/tensors/tensorQuery.js';
import { TensorTable } from '../../../src/core/tensors/tensorTable.js';
import { TensorView } from '../../../src/core/tensors/tensorView.js';

type Tensor = [name: string, shape?: number[], dtype?: string];

function viewOf(tensors: Iterable<Tensor>): TensorView {
  return new TensorView(tableOf(tensors), [{ path: 'model.safetensors' }]);
}

function tableOf(tensors: Iterable<Tensor>): TensorTable {
  const table = new TensorTable();
  for (const [name, shape = [2], dtype = 'bf16'] of tensors) {
    const bytes = shape.reduce((product, size) => product * size, 1) * 2;
    table.add({ name, shape, dtype, bytes, component: 'weights' });
    table.addPiece(0, 0, bytes);
  }
  return table;
}

const layer = (index: number, shape = [4, 4]): Tensor[] => [
  [`model.layers.${index}.attn.q.weight`, shape],
  [`model.layers.${index}.attn.k.weight`, shape],
  [`model.layers.${index}.norm.weight`, [4]],
];

const llama = (layers: number): Tensor[] => [
  ['model.embed_tokens.weight', [100, 4]],
  ...Array.from({ length: layers }, (_, index) => layer(index)).flat(),
  ['model.norm.weight', [4]],
  ['lm_head.weight', [100, 4]],
];

function rowsOf(view: TensorView, toggled: string[] = [], query: TensorQuery = {}): ModuleRow[] {
  return view.modulePage(query, toggled, 0, 2_000).rows;
}

const lines = (rows: readonly ModuleRow[]): string[] => rows.map(({ level, label }) => `${'  '.repeat(level - 1)}${label}`);
const named = (rows: readonly ModuleRow[], label: string): ModuleRow => {
  const row = rows.find((one) => one.label === label);
  if (row === undefined) throw new Error(`no ${label} among ${lines(rows).join(', ')}`);
  return row;
};

describe('the tree of modules', () => {
  it('folds layers that are equal, and shortens what has but one thing', () => {
    const rows = rowsOf(viewOf(llama(32)));
    expect(lines(rows)).toEqual(['model', '  embed_tokens.weight', '  layers 0-31', '  norm.weight', 'lm_head.weight']);
    expect(named(rows, 'layers 0-31')).toMatchObject({
      kind: 'fold',
      repeats: 32,
      tensors: 96,
      bytes: 32 * (16 + 16 + 4) * 2,
      elements: 32 * 36,
      name: 'model.layers.0 to model.layers.31',
      dtype: 'bf16',
      isExpanded: false,
      position: 2,
      siblings: 3,
      parent: 0,
    });
    expect(named(rows, 'norm.weight')).toMatchObject({ kind: 'tensor', name: 'model.norm.weight', isExpanded: null });
  });

  it('has a range for each stretch of equal layers', () => {
    const tensors = [
      ...[0, 1, 2].flatMap((index) => layer(index)),
      ...[3, 4, 5, 6].flatMap((index) => layer(index, [8, 4])),
      ...[10, 11].flatMap((index) => layer(index, [8, 4])),
      ...layer(12, [8, 5]),
    ];
    expect(lines(rowsOf(viewOf(tensors)).filter(({ level }) => level === 1))).toEqual([
      'model.layers 0-2',
      'model.layers 3-6',
      'model.layers 10-11',
      'model.layers 12',
    ]);
  });

  it('folds layers that alternate, and names each set of them', () => {
    const alternating = (layers: number, period: number): string[] =>
      lines(
        rowsOf(viewOf(Array.from({ length: layers }, (_, index) => layer(index, index % period === 0 ? [8, 4] : [4, 4])).flat())),
      );
    expect(alternating(3, 2)).toEqual(['model.layers 0, 2', 'model.layers 1', '  attn', '  norm.weight']);
    expect(alternating(48, 2)).toEqual(['model.layers 0, 2, 4, 6, … 46', 'model.layers 1, 3, 5, 7, … 47']);
    expect(alternating(12, 4)).toEqual(['model.layers 0, 4, 8', 'model.layers 1-3, 5-7, 9-11']);
    expect(lines(rowsOf(viewOf([['h_0/a'], ['h_1/b'], ['h_2/a'], ['x/y']])))).toEqual(['h_0, 2', 'h_1/b', 'x/y']);
  });

  it('names all modules of a fold whose numbers do not follow each other', () => {
    const view = viewOf(Array.from({ length: 5 }, (_, index) => layer(index, [index % 2 === 0 ? 8 : 4])).flat());
    const [fold] = rowsOf(view);
    expect(fold).toMatchObject({ kind: 'fold', repeats: 3, tensors: 9, name: 'model.layers.0, 2, 4' });
    expect(lines(rowsOf(view, [fold?.id ?? ''])).slice(0, 4)).toEqual([
      'model.layers 0, 2, 4',
      '  model.layers 0',
      '  model.layers 2',
      '  model.layers 4',
    ]);
  });

  it('makes text of those names alone that are shown', () => {
    const experts = Array.from({ length: 8 }, (_, index) =>
      Array.from({ length: 64 }, (__, expert): Tensor => [`model.layers.${index}.mlp.experts.${expert}.down_proj.weight`]),
    ).flat();
    const table = tableOf([['model.embed_tokens.weight'], ...experts]);
    const [nameOf, shapeOf] = [vi.spyOn(table, 'nameOf'), vi.spyOn(table, 'shapeOf')];
    const view = new TensorView(table, [{ path: 'model.safetensors' }]);
    const page = view.modulePage({}, [], 0, 256);
    expect(page).toMatchObject({ lines: 3, matching: 513 });
    expect(nameOf).toHaveBeenCalledTimes(page.lines);
    expect(shapeOf).toHaveBeenCalledTimes(page.lines);
    const list = view.page({}, 0, 10);
    expect(list.rows[1]?.layer).toBe('layers.0');
    expect(nameOf).toHaveBeenCalledTimes(page.lines + 10);
  });

  it('makes no more modules than names have different beginnings', () => {
    const table = tableOf(llama(32));
    const rows = Uint32Array.from({ length: table.size }, (_, row) => row);
    const tree = new ModuleTree(table, rows, new TensorLayers(table));
    // The root, model, layers, and of each layer 7: itself, attn, q, k, norm and their weights; 5 around them.
    expect(tree.size).toBe(1 + 2 + 32 * 8 + 2 + 2 + 2);
  });

  it('compares large dimensions exactly, and tensors of one name in any order', () => {
    const large = 2 ** 40;
    for (const other of [large + 1, 2 * large, large + 2 ** 32])
      expect(
        rowsOf(
          viewOf([
            ['a.0.w', [large]],
            ['a.1.w', [other]],
          ]),
        ).every(({ kind }) => kind !== 'fold'),
      ).toBe(true);
    const twice: Tensor[] = [
      ['a.0.w', [1]],
      ['a.0.w', [2]],
      ['a.1.w', [2]],
      ['a.1.w', [1]],
    ];
    expect(lines(rowsOf(viewOf(twice)))).toEqual(['a 0-1']);
    const swapped: Tensor[] = [['a.0.v'], ['a.0.w'], ['a.1.w'], ['a.1.v']];
    expect(lines(rowsOf(viewOf(swapped)))).toEqual(['a 0-1']);
  });

  it.each([
    ['a name', ['a.0.w', 'a.1.v'], {}],
    ['a dtype', ['a.0.w', 'a.1.w'], { dtype: 'f32' }],
    ['a shape', ['a.0.w', 'a.1.w'], { shape: [3] }],
    ['the axes of a shape', ['a.0.w', 'a.1.w'], { shape: [1, 2] }],
  ] as [string, string[], { dtype?: string; shape?: number[] }][])(
    'keeps apart what differs in %s',
    (_what, names, differing) => {
      const [first = '', second = ''] = names;
      const { dtype = 'bf16', shape = [2] } = differing;
      const rows = rowsOf(
        viewOf([
          [first, [2], 'bf16'],
          [second, shape, dtype],
        ]),
      );
      expect(rows.every(({ kind }) => kind !== 'fold')).toBe(true);
    },
  );

  it('folds numbers within names, and tensors themselves', () => {
    expect(lines(rowsOf(viewOf([['h_9/k'], ['h_10/k'], ['h_11/k'], ['x/y']])))).toEqual(['h_9-11', 'x/y']);
    const rows = rowsOf(viewOf([['code.book_0'], ['code.book_1'], ['other']]), ['fold code.book_0 code.book_1']);
    expect(lines(rows)).toEqual(['code', '  book_0-1', '    book_0', '    book_1', 'other']);
    expect(rows[2]).toMatchObject({ kind: 'tensor', name: 'code.book_0', row: 0 });
  });

  it('keeps a module of its own for more ranges than a few', () => {
    const state = Array.from({ length: 20 }, (_, index): Tensor => [`state.${index}.exp_avg`, [index + 1]]);
    const rows = rowsOf(viewOf([...state, ['step']]));
    expect(lines(rows).slice(0, 2)).toEqual(['state', '  0.exp_avg']);
  });

  it('expands a fold to each, and each to its tensors', () => {
    const view = viewOf(llama(3));
    const fold = named(rowsOf(view), 'layers 0-2').id;
    const rows = rowsOf(view, [fold]);
    expect(lines(rows)).toEqual([
      'model',
      '  embed_tokens.weight',
      '  layers 0-2',
      '    layers 0',
      '    layers 1',
      '    layers 2',
      '  norm.weight',
      'lm_head.weight',
    ]);
    const layers = rows.filter(({ level }) => level === 3);
    expect(layers.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(named(rows, 'layers 0-2').bytes);
    expect(layers.map(({ parent }) => parent)).toEqual([2, 2, 2]);
    const deeper = rowsOf(view, [fold, named(rows, 'layers 1').id]);
    expect(lines(deeper).slice(4, 7)).toEqual(['    layers 1', '      attn', '      norm.weight']);
  });

  it('adds up at each level, and loses no tensor', () => {
    const view = viewOf([...llama(5), ['model'], ['model.norm.weight'], ['a..b'], ['.'], ['']]);
    const page = view.modulePage({}, [], 0, 2_000);
    const top = page.rows.filter(({ level }) => level === 1);
    expect(top.reduce((sum, { tensors }) => sum + tensors, 0)).toBe(page.matching);
    expect(top.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(page.matchingBytes);
    expect(page.matching).toBe(23);
  });

  it('shows what a search leaves, expanded', () => {
    const rows = rowsOf(viewOf(llama(3)), [], { search: 'layers.1.attn' });
    expect(lines(rows)).toEqual(['model.layers.1.attn', '  q.weight', '  k.weight']);
  });

  it('sorts siblings, whatever is expanded', () => {
    const view = viewOf(llama(12));
    const sort = { column: 'bytes' as const, descending: true };
    expect(lines(rowsOf(view, [], { sort }))).toEqual([
      'model',
      '  layers 0-11',
      '  embed_tokens.weight',
      '  norm.weight',
      'lm_head.weight',
    ]);
    const byName = rowsOf(view, [], { sort: { column: 'name', descending: true } });
    expect(lines(byName)).toEqual(['model', '  norm.weight', '  layers 0-11', '  embed_tokens.weight', 'lm_head.weight']);
  });

  it('gives pages of its lines', () => {
    const view = viewOf(Array.from({ length: 3_000 }, (_, index): Tensor => [`t${index}x${index}`, [index]]));
    const page = view.modulePage({}, [], 2_990, 256);
    expect(page).toMatchObject({ lines: 3_000, from: 2_990, matching: 3_000 });
    expect(page.rows).toHaveLength(10);
    expect(view.modulePage({}, [], 9_000, 256)).toMatchObject({ from: 3_000, rows: [] });
  });

  it('has a bounded depth, whatever the names', () => {
    const deep = `${'a.'.repeat(100_000)}end`;
    const view = viewOf([[deep], [`${'a.'.repeat(100_000)}other`], ['b.c']]);
    let rows = rowsOf(view);
    for (let depth = 0; depth < 40; depth++) {
      const closed = rows.find(({ isExpanded }) => isExpanded === false);
      if (closed === undefined) break;
      rows = rowsOf(view, [closed.id]);
    }
    expect(Math.max(...rows.map(({ level }) => level))).toBeLessThanOrEqual(limits.moduleDepth);
    expect(rows.filter(({ kind }) => kind === 'tensor')).toHaveLength(3);
  });
});
