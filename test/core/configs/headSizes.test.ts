/** Sizes of heads that are written, of families whose own do not follow from them, against transformers' classes on the meta device. */
import { expect, it } from 'vitest';
import { readArchitecture } from '../../../src/core/configs/architectures/readArchitecture.js';
import { countGroups } from '../../../src/core/configs/architectures/tensorGroup.js';
import { Fields } from '../../../src/core/configs/fields.js';

it.each([
  ['recurrent_gemma', { head_dim: 64 }, 1_852_976_640],
  ['doge', { head_dim: 64 }, 335_811_840],
  ['zamba2', { attention_head_dim: 64 }, 2_426_798_096],
])('counts %s with heads of their own size', (modelType, sizes, unique) => {
  const reading = readArchitecture(Fields.fromValues({ model_type: modelType, ...sizes }));
  expect(countGroups(reading?.tensors.groups ?? [])).toMatchObject({ unique });
});
