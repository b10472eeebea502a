/** Binary files that a program has read and written as text: what is no UTF-8 became U+FFFD. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { concat, latin1, overwrite, patternBytes, utf8 } from '../../builders/byteWriter.js';
import { filesBelow } from '../../builders/diskTree.js';
import { fixtureRoot } from '../../builders/frameworkFixtures.js';
import { buildNpy } from '../../builders/npyBuilder.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { buildTorchZip, stateDict } from '../../builders/torchZipBuilder.js';
import { inspectHostile } from '../../hostile/accountable.js';

const asText = (bytes: Uint8Array): Uint8Array => new TextEncoder().encode(new TextDecoder().decode(bytes));
const fixture = (path: string): Uint8Array => new Uint8Array(readFileSync(`test/fixtures/frameworks/${path}`));

const torch = buildTorchZip(stateDict({ w: ['f32', [64, 64]] }));
const data = patternBytes(20_000);
const codesOf = async (name: string, bytes: Uint8Array): Promise<string[]> =>
  (await inspectHostile(memoryTree(name, { [name]: bytes }))).findings.map(({ code }) => code);

describe('a file saved as text is called that, and nothing else', () => {
  it.each([
    ['x.npy', buildNpy({ descr: '<f4', shape: [5000], data })],
    ['pytorch_model.bin', torch],
    ['x.pt', fixture('torch/legacy-state-dict/data/old.pt')],
    ['training_args.bin', fixture('hf/trainer-ddp-2r/data/checkpoint-2/training_args.bin')],
    // The length of its header is 112 in the lower byte, so that the header can be read.
    ['model.safetensors', buildSafetensors({ tensors: { w: { dtype: 'U8', shape: [20_000], data } } })],
    ['optimizer.safetensors', fixture('safetensors/optimizer-state/data/optimizer.safetensors')],
    ['x.h5', fixture('misc/hdf5-plain/data/state.h5')],
    ['x.npz', fixture('misc/npz-optimizer/data/ckpt_000009.npz')],
    ['x.gguf', fixture('gguf/all-types/data/t.gguf')],
    // Its reader finds unknown types before it fails.
    ['y.gguf', fixture('gguf/split/data/tiny-00002-of-00003.gguf')],
    ['ggml-model.bin', fixture('ggml/whisper/data/ggml-model.bin')],
  ])('%s', async (name, bytes) => {
    const saved = asText(bytes);
    expect(saved.byteLength).toBeGreaterThan(bytes.byteLength);
    expect(await codesOf(name, bytes)).not.toContain('file-saved-as-text');
    const report = await inspectHostile(memoryTree(name, { [name]: saved }));
    expect(report.findings.map(({ code }) => code)).toEqual(['file-saved-as-text']);
    expect(report.findings[0]?.message).toMatch(/\d+ replacement characters? \(U\+FFFD\)/);
  });
});

it('a shard saved as text is the one finding of a model', async () => {
  const files = filesBelow(path.join(fixtureRoot, 'hf/old-bin-sharded/data'));
  const shard = 'pytorch_model-00003-of-00006.bin';
  const report = await inspectHostile(memoryTree('model', { ...files, [shard]: asText(files[shard] as Uint8Array) }));
  expect(report.findings.filter(({ severity }) => severity === 'error')).toMatchObject([
    { code: 'file-saved-as-text', path: shard },
  ]);
});

describe('is not said of', () => {
  it.each([
    ['binary data with such a character in them', overwrite(torch, 0, utf8('\ufffdNUMPY')), 'header-corrupt'],
    ['a text with such a character', utf8('not \ufffd binary\r\n'.repeat(1000)), 'binary-not-recognised'],
    ['a binary file with its end cut off', torch.subarray(0, torch.byteLength - 40), 'zip-directory-missing'],
    [
      'text behind which binary data begin',
      concat(utf8('\ufffd\0'.repeat(3000)), latin1('\xff\xfe'.repeat(500))),
      'binary-not-recognised',
    ],
  ])('%s', async (_, bytes, code) => {
    const codes = await codesOf('x.bin', bytes);
    expect(codes).not.toContain('file-saved-as-text');
    expect(codes).toContain(code);
  });
});
