/** Pointers of Git LFS are found under every name, before any reader makes something else of them. */
import { describe, expect, it } from 'vitest';
import { utf8 } from '../../builders/byteWriter.js';
import { inspectOne } from '../../builders/inspectOne.js';
import { memoryTree, type MemoryFile } from '../../builders/memoryTree.js';
import { torchState } from '../../builders/torchStateBuilder.js';

const pointer = utf8(`version https://git-lfs.github.com/spec/v1\noid sha256:${'0a'.repeat(32)}\nsize 4976698672\n`);

async function findingsOf(files: Record<string, MemoryFile>) {
  const { report } = await inspectOne(memoryTree('here', files), { path: 'here' });
  return report.findings.map(({ code, path }) => `${code} ${path ?? ''}`);
}

describe('a pointer', () => {
  it.each([
    'model.onnx',
    'model.safetensors',
    'pytorch_model.bin',
    'model.gguf',
    'weights.h5',
    'tokenizer.json',
    'config.json',
    'train.tfrecord',
    'variables.index',
    'train.jsonl',
    'train.json.gz',
    'train.parquet',
    'shard.tar',
    'array.npy',
    'data.arrow',
    'notes.txt',
    'any',
  ])('under the name %s', async (name) => {
    expect(await findingsOf({ [name]: pointer })).toContain(`file-is-lfs-pointer ${name}`);
  });

  it('in place of the data of a bundle', async () => {
    const files = { 'ckpt-1.index': pointer, 'ckpt-1.data-00000-of-00001': pointer };
    const found = await findingsOf(files);
    expect(found).toEqual(expect.arrayContaining(Object.keys(files).map((name) => `file-is-lfs-pointer ${name}`)));
    expect(found.filter((finding) => finding.startsWith('file-truncated'))).toEqual([]);
  });

  it('beside files of a data set, which has no exact total then', async () => {
    const lines = utf8('{"text":"some words"}\n'.repeat(400));
    const { report } = await inspectOne(memoryTree('d', { 'a.jsonl': lines, 'b.jsonl': pointer, 'c.json.gz': pointer }), {
      path: 'd',
    });
    expect(report).toMatchObject({ kind: 'dataset', tokens: { exact: false, coverage: { counted: 1, of: 3 } } });
    expect(report.findings.map(({ code, path }) => `${code} ${path ?? ''}`)).toEqual(
      expect.arrayContaining(['file-is-lfs-pointer b.jsonl', 'file-is-lfs-pointer c.json.gz']),
    );
  });

  it('and a file of its size is no pointer', async () => {
    const model = torchState((tensor) => ({ 'a.weight': tensor([4, 8]) }));
    expect(await findingsOf({ 'model.pt': model, 'notes.txt': new Uint8Array(pointer.byteLength) })).toEqual([]);
  });
});
