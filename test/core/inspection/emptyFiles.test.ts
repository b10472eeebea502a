/** Files without a byte are reported without a read. */
import { expect, it } from 'vitest';
import { memoryTree } from '../../builders/memoryTree.js';
import { inspectAnyHostile } from '../../hostile/accountable.js';

it.each([
  'pkl',
  'pt',
  'safetensors',
  'npy',
  'npz',
  'json',
  'gguf',
  'onnx',
  'h5',
  'keras',
  'msgpack',
  'jsonl',
  'parquet',
  'tar',
  'txt',
])('.%s', async (extension) => {
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`part-${index}.${extension}`, new Uint8Array(0)]));
  const { io } = await inspectAnyHostile(memoryTree('empty', files));
  expect(io).toMatchObject({ reads: 0, bytesRead: 0 });
});
