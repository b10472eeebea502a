import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import type { TensorPage, TensorQuery } from '../../../src/core/tensors/tensorQuery.js';
import { TensorView } from '../../../src/core/tensors/tensorView.js';
import { createNodeFileTree } from '../../../src/platform/nodeFileTree.js';

const path = 'test/fixtures/frameworks/hf/trainer-sharded-safetensors/data/checkpoint-2';

async function view(): Promise<TensorView> {
  const { report, tensors } = await inspectCheckpoint(await createNodeFileTree(path), { path });
  return new TensorView(tensors, report.files);
}

const names = ({ rows }: TensorPage): string[] => rows.map(({ name }) => name);

describe('pages', () => {
  it('hold the rows that were asked for, and count the rest', async () => {
    const page = (await view()).page({}, 5, 3);
    expect(page).toMatchObject({ from: 5, matching: 85 });
    expect(names(page)).toHaveLength(3);
  });

  it.each([
    ['beyond the end', {}, 1_000_000, 10, 0],
    ['before the beginning', {}, -5, 2, 2],
    ['of nothing', { search: 'no such name' }, 0, 10, 0],
    ['of more than a page', {}, 0, 1e9, 85],
  ] as [string, TensorQuery, number, number, number][])('%s', async (_, query, from, count, rows) => {
    expect((await view()).page(query, from, count).rows).toHaveLength(rows);
  });

  it('search by words in any order and case', async () => {
    expect(names((await view()).page({ search: 'PROJ mlp  layers.1' }, 0, 10)).sort()).toEqual([
      'model.layers.1.mlp.down_proj.weight',
      'model.layers.1.mlp.gate_proj.weight',
      'model.layers.1.mlp.up_proj.weight',
    ]);
  });

  it('sort naturally, both ways, and keep the order of equals', async () => {
    const tensors = await view();
    const ascending = names(tensors.page({ components: ['optimizer'], sort: { column: 'name', descending: false } }, 0, 100));
    expect(ascending.indexOf('state.2.step')).toBeLessThan(ascending.indexOf('state.10.step'));
    const bySize = tensors.page({ sort: { column: 'bytes', descending: true } }, 0, 2);
    expect(names(bySize)[0]).toMatch(/embed|lm_head|state/);
  });

  it('filter by a part of a component, alone and beside others', async () => {
    const tensors = await view();
    const matching = (...components: NonNullable<TensorQuery['components']>): number =>
      tensors.page({ components }, 0, 0).matching;
    const first = matching('optimizer:firstMoment');
    expect(first).toBeGreaterThan(0);
    expect(matching('optimizer:firstMoment', 'optimizer:secondMoment')).toBe(2 * first);
    expect(matching('optimizer:firstMoment', 'rng')).toBe(first + 1);
    expect(matching('optimizer', 'optimizer:firstMoment')).toBe(matching('optimizer'));
    const facet = tensors.facets().components.find(({ value }) => value === 'optimizer:firstMoment');
    expect(facet?.tensors).toBe(first);
  });

  it('filter by component, dtype, file and layer', async () => {
    const tensors = await view();
    expect(tensors.page({ components: ['rng'] }, 0, 9).matching).toBe(1);
    expect(tensors.page({ dtypes: ['u8'] }, 0, 9).matching).toBe(1);
    expect(tensors.page({ files: ['scheduler.pt'] }, 0, 9).matching).toBe(0);
    expect(tensors.page({ layers: ['layers.0'], components: ['weights'] }, 0, 99).matching).toBe(9);
  });
});

describe('details', () => {
  it('name the parameter of a moment, and where it lies', async () => {
    const tensors = await view();
    const page = tensors.page({ search: 'exp_avg_sq', sort: { column: 'bytes', descending: true } }, 0, 1);
    const row = page.rows[0]?.row ?? -1;
    expect(tensors.detail(row)).toMatchObject({
      component: 'optimizer',
      part: 'secondMoment',
      pieces: [{ file: 'optimizer.pt' }],
    });
    expect(tensors.detail(row).parameter).toMatch(/embed_tokens|lm_head/);
  });

  it('of a row that is not there are refused', async () => {
    const tensors = await view();
    expect(() => tensors.detail(85)).toThrow(RangeError);
    expect(() => tensors.detail(-1)).toThrow(RangeError);
  });
});

describe('facets and exports', () => {
  it('count every tensor once', async () => {
    const facets = (await view()).facets();
    const { components, dtypes, files, layers } = facets;
    // A part of a component stands beside it.
    const whole = components.filter(({ value }) => !value.includes(':'));
    for (const facet of [whole, dtypes, files, layers])
      expect(facet.reduce((sum, { tensors: count }) => sum + count, 0)).toBe(85);
    expect(facets.layers.map(({ value }) => value)).toEqual(['', 'layers.0', 'layers.1']);
  });

  it('write CSV that holds every row, and Arrow with the same names', async () => {
    const tensors = await view();
    const lines = tensors.exportCsv({}).trimEnd().split('\r\n');
    expect(lines).toHaveLength(86);
    expect(lines[0]).toBe('name,dtype,shape,elements,bytes,component,part,layer,files');
    const exported = tableFromIPC(tensors.exportArrow({})).toArray() as { name: unknown }[];
    expect(exported.map(({ name }) => String(name)).sort()).toEqual(
      lines
        .slice(1)
        .map((line) => line.slice(0, line.indexOf(',')))
        .sort(),
    );
  });
});
