import { describe, expect, it } from 'vitest';
import { nameSearch } from '../../../src/core/tensors/nameSearch.js';
import { TensorTable } from '../../../src/core/tensors/tensorTable.js';

const names = ['model.Layers.1.MLP.weight', 'model.layers.10.mlp', 'Überlauf.é', 'ÜBER', '', 'a', 'aab', 'мир.Вес', '[@`{'];

function found(search: string): string[] {
  const table = new TensorTable();
  for (const name of names) table.add({ name, dtype: 'f32', shape: [1], bytes: 4, component: 'weights' });
  const matches = nameSearch(table, search);
  return names.filter((_, row) => matches === undefined || matches(row));
}

describe('nameSearch', () => {
  it.each([
    'mlp',
    'MLP layers.1',
    'über',
    'Ü',
    'é',
    'вес',
    'МИР',
    'aab',
    'ab',
    'aaab',
    'weight ',
    '[@',
    '{`',
    'layers.1.',
    'é mlp',
    ' ',
  ])('finds by %j what comparing texts finds', (search) => {
    const words = search.toLowerCase().split(/\s+/);
    expect(found(search)).toEqual(names.filter((name) => words.every((word) => name.toLowerCase().includes(word))));
  });

  it('leaves nothing out for no words', () => {
    expect(found('  ')).toEqual(names);
  });
});
