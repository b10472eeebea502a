/** The layer of a tensor, by the bytes of its name. */
import { describe, expect, it } from 'vitest';
import { TensorLayers } from '../../../src/core/tensors/tensorLayers.js';
import { TensorTable } from '../../../src/core/tensors/tensorTable.js';

const cases: [name: string, label: string][] = [
  ['model.layers.11.mlp.up_proj.weight', 'layers.11'],
  ['layers.0', 'layers.0'],
  ['a.1.b.2', 'a.1'],
  ['1.2.a.3', 'a.3'],
  ['x-y.3.h_0.4', 'h_0.4'],
  ['9a.3', ''],
  ['é.3', ''],
  ['state.3.layers.4', ''],
  ['estate.3', 'estate.3'],
  ['layers..3', ''],
  ['layers.3x', ''],
  ['layers/3', ''],
  ['', ''],
];

describe('the layer of a tensor', () => {
  it.each(cases)('of "%s" is "%s"', (name, label) => {
    const table = new TensorTable();
    table.add({ name, shape: [1], dtype: 'bf16', bytes: 2, component: 'weights' });
    table.add({ name: 'state.0', shape: [1], dtype: 'bf16', bytes: 2, component: 'weights', extra: { parameter: name } });
    const layers = new TensorLayers(table);
    expect([layers.labelOf(0), layers.labelOf(1)]).toEqual([label, label]);
    expect([0, 1].map((row) => layers.labelAt(layers.numberOf(row)))).toEqual([label, label]);
  });
});
