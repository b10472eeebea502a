import { describe, expect, it } from 'vitest';
import { isSideFile } from '../../../src/core/files/sideFiles.js';
import { utf8 } from '../../builders/byteWriter.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { inspectAnyHostile, inspectHostile } from '../../hostile/accountable.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';

const model = buildSafetensors({ tensors: { 'model.embed_tokens.weight': { dtype: 'F32', shape: [2] } } });
/** Magic number and version of AppleDouble, and what Finder calls its home (RFC 1740). */
const appleDouble = new Uint8Array(4096);
appleDouble.set([0x00, 0x05, 0x16, 0x07, 0x00, 0x02, 0x00, 0x00]);
appleDouble.set(utf8('Mac OS X        '), 8);

it.each(['._model.safetensors', 'a/._config.json', '.DS_Store', 'a/Thumbs.db', 'desktop.ini', '__MACOSX/a/._b', 'a/__MACOSX/b'])(
  '%s is a side file',
  (path) => expect(isSideFile(path)).toBe(true),
);

it.each(['model.safetensors', '.model', '._', 'a._b', 'DS_Store', 'thumbs.dbx', 'MACOSX/a'])('%s is none', (path) =>
  expect(isSideFile(path)).toBe(false),
);

describe('a model that was copied from a Mac and seen on Windows', () => {
  const own = { 'model.safetensors': model, 'config.json': utf8('{"architectures":["LlamaForCausalLM"]}') };
  const left = {
    '._model.safetensors': appleDouble,
    '._config.json': appleDouble,
    '._optimizer.pt': appleDouble,
    '.DS_Store': utf8('\0\0\0\u0001Bud1'),
    'Thumbs.db': utf8('thumbs'),
  };

  it('is reported as without its side files, whose bytes are counted', async () => {
    const [plain, copied] = [
      await inspectHostile(memoryTree('m', own)),
      await inspectHostile(memoryTree('m', { ...own, ...left })),
    ];
    expect(copied.findings).toEqual(plain.findings);
    expect(copied.layout).toBe(plain.layout);
    expect(copied.resume).toEqual(plain.resume);
    expect(copied.parameters).toEqual(plain.parameters);
    const leftBytes = Object.values(left).reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(copied.totalBytes).toBe(plain.totalBytes + leftBytes);
    const sides = copied.files.filter(({ role }) => role === 'side file of macOS or Windows');
    expect(sides.map(({ path }) => path).sort()).toEqual(Object.keys(left).sort());
  });
});

describe('what a zip of macOS holds below __MACOSX', () => {
  const shards = fixtureBelow('hf/llama-sharded-bf16');
  const side = appleDouble.slice(0, 154);

  it('is no set of shards in a model', async () => {
    const files = { ...shards, '__MACOSX/._model-00001-of-00003.safetensors': side, '._model-00002-of-00003.safetensors': side };
    const [plain, unpacked] = [await inspectHostile(memoryTree('m', shards)), await inspectHostile(memoryTree('m', files))];
    expect(unpacked.findings).toEqual(plain.findings);
    expect(unpacked.resume).toEqual(plain.resume);
  });

  it('is no checkpoint beside that of a model', async () => {
    const placed = Object.fromEntries(Object.entries(shards).map(([path, bytes]) => [`model/${path}`, bytes]));
    const files = { ...placed, '__MACOSX/._model': side, '__MACOSX/model/._model-00001-of-00003.safetensors': side };
    const report = await inspectAnyHostile(memoryTree('w', files));
    expect(JSON.stringify(report)).not.toContain('"severity":"error"');
    if (report.kind === 'collection') expect(report.parts.map(({ path }) => path)).toEqual(['model']);
  });
});
