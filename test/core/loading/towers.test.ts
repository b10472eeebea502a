/** One tower of a model of two: classes of transformers 5.24 that take theirs from a file of both, and leave out the rest. */
import { expect, it } from 'vitest';
import { checkTensors } from '../../../src/core/loading/tensors/checkTensors.js';
import type { TensorDifferences } from '../../../src/core/loading/tensors/tensorDifferences.js';
import { TensorTable } from '../../../src/core/tensors/tensorTable.js';

type Tensors = readonly { name: string; shape: readonly number[] }[];

const layers = { hidden_size: 16, intermediate_size: 24, num_hidden_layers: 2, num_attention_heads: 4 };
const configOf = (type: string, architecture: string): Record<string, unknown> => ({
  model_type: type,
  architectures: [architecture],
  projection_dim: 8,
  text_config: { ...layers, vocab_size: 20, max_position_embeddings: 8, projection_size: 16 },
  vision_config: { ...layers, image_size: 8, patch_size: 4, num_patches: 4 },
});

function check(type: string, architecture: string, tensors: Tensors): TensorDifferences {
  const table = new TensorTable();
  for (const { name, shape } of tensors) table.add({ name, shape: [...shape], dtype: 'f32', bytes: 1, component: 'weights' });
  const rows = Array.from({ length: table.size }, (_, row) => row);
  const checked = checkTensors(table, rows, configOf(type, architecture));
  if (checked === null) throw new Error('not compared');
  return checked.differences;
}

it.each([
  ['clip', 'CLIP', 'Text'],
  ['clip', 'CLIP', 'Vision'],
  ['siglip', 'Siglip', 'Text'],
  ['siglip', 'Siglip', 'Vision'],
  ['siglip2', 'Siglip2', 'Text'],
  ['siglip2', 'Siglip2', 'Vision'],
])('%s: %s%sModel', (type, family, tower) => {
  const both = check(type, `${family}Model`, []).missing;
  const found = check(type, `${family}${tower}Model`, both);
  expect(found.counts).toMatchObject({ missing: 0, mismatched: 0 });
  const others = both.map(({ name }) => name).filter((name) => !name.startsWith(`${tower.toLowerCase()}_model.`));
  expect(found.unexpected.map(({ name }) => name).sort()).toEqual(others.sort());
});
