/** Files with more names than any model has, and what comparing them takes. */
import { afterEach, expect, it, vi } from 'vitest';
import { checkTensors } from '../../../src/core/loading/tensors/checkTensors.js';
import { storedPatterns } from '../../../src/core/loading/tensors/storedPatterns.js';
import { TensorTable } from '../../../src/core/tensors/tensorTable.js';

const COUNT = 50_000;

afterEach(() => {
  vi.restoreAllMocks();
});

function tableOf(nameOf: (at: number) => string): { table: TensorTable; rows: number[] } {
  const table = new TensorTable();
  for (let at = 0; at < COUNT; at++) table.add({ name: nameOf(at), dtype: 'f16', shape: [1], bytes: 2, component: 'weights' });
  return { table, rows: Array.from({ length: COUNT }, (_, row) => row) };
}

/** `Aa` and `BB` have one hash wherever they are: 31 times the first letter and the second. */
const ofOneHash = (at: number): string =>
  `${Array.from({ length: 16 }, (_, bit) => ((at >> bit) & 1 ? 'BB' : 'Aa')).join('')}.weight`;

it('names of one hash are compared with few others', () => {
  const { table, rows } = tableOf(ofOneHash);
  let compared = 0;
  const patterns = storedPatterns(table, [...rows, ...rows.slice(0, 10)], () => (compared += 1));
  expect(patterns.size).toBe(COUNT);
  expect(compared).toBeLessThanOrEqual(4 * (COUNT + 10));
  expect([...patterns.values()].slice(0, 10).map((pattern) => pattern.rows.length)).toEqual(Array<number>(10).fill(2));
});

it('buffers of their own modules are compared with the places of a key once', () => {
  const layers = 400;
  const config = { model_type: 'llama', hidden_size: 64, num_hidden_layers: layers, num_attention_heads: 4, vocab_size: 100 };
  const { table, rows } = tableOf((at) => `model.layers.${at % layers}.buffer${at}.inv_freq`);
  const entered = vi.spyOn(Map.prototype, 'set');
  // Which buffers a class of its own code saves is not known.
  const checked = checkTensors(table, rows, { ...config, intermediate_size: 128, auto_map: { AutoModel: 'code.Model' } });
  expect(checked?.differences.counts).toMatchObject({
    found: COUNT,
    missing: checked?.differences.counts.expected,
    unexpected: 0,
  });
  // The places of 9 keys in 400 layers for each of 50,000 buffers would be 180,000,000.
  expect(entered.mock.calls.length).toBeLessThan(20 * COUNT);
});
