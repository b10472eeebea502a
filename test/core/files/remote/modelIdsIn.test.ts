import { expect, it } from 'vitest';
import { modelIdsIn } from '../../../../src/core/files/remote/modelIdsIn.js';

const of = (text: string, most = 100) => modelIdsIn(text, most).map(({ start, end }) => text.slice(start, end));

it('models of the Hub are found behind the keys and flags that name them', () => {
  expect(of('base_model: meta-llama/Llama-3.1-8B\nmodel_type: llama\n')).toEqual(['meta-llama/Llama-3.1-8B']);
  expect(of('{"base_model_name_or_path": "Qwen/Qwen2.5-7B", "_name_or_path":"org/name"}')).toEqual([
    'Qwen/Qwen2.5-7B',
    'org/name',
  ]);
  expect(of('vllm serve --model mistralai/Mistral-7B-v0.1 \\\n  --tensor-parallel-size 2')).toEqual([
    'mistralai/Mistral-7B-v0.1',
  ]);
  expect(of("model = AutoModel.from_pretrained('a/b')\nmodel_name_or_path='org/name'")).toEqual(['org/name']);
  expect(modelIdsIn('model: org/name', 1)).toEqual([{ start: 7, end: 15, address: 'hf://org/name' }]);
});

it('paths, files and variables are none, and there is a most', () => {
  expect(of('model: ./runs/base\nmodel: /data/org/name\nmodel: ~/org/name\nmodel: org/name/sub\nmodel: org')).toEqual([]);
  expect(of('model: data/model.safetensors\nmodel_path: $ORG/name\nmodel: org/${NAME}\nmymodel: org/name')).toEqual([]);
  expect(of('model: a/b\nmodel: c/d\nmodel: e/f', 2)).toEqual(['a/b', 'c/d']);
  expect(of(`model:${' '.repeat(100_000)}`)).toEqual([]);
  expect(of(`model: ${'a'.repeat(100_000)}/b`)).toEqual([]);
});
