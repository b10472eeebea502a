import { expect, it } from 'vitest';
import { roleInWords, roleLabels, type RoleId } from '../../../src/core/files/roleLabels.js';
import { fileRoles } from '../../../src/core/frameworks/layouts.js';

it('no two roles have the same words', () => {
  const words = Object.values(roleLabels);
  expect(new Set(words).size).toBe(words.length);
});

it.each<[string, RoleId, string]>([
  ['model.safetensors.tmp', 'interrupted-save', 'left over from an interrupted save'],
  ['model.safetensors.index.json', 'shard-index', 'index of the shards'],
  ['training_args.bin', 'training-arguments', 'training arguments'],
  ['anything.pt', 'torch-file', 'torch file'],
  ['scheduler.pt', 'scheduler', 'learning-rate scheduler'],
])('%s', (path, id, words) => {
  const { role } = fileRoles.of(path);
  expect(role).toBe(id);
  expect(roleInWords({ role })).toBe(words);
});

it('names the models that data are of', () => {
  expect(roleInWords({ role: 'data-of-model', roleOf: 'm.onnx' })).toBe('data of m.onnx');
});
