import { describe, expect, it } from 'vitest';
import type { Report } from '../../../src/core/inspection/report.js';
import { isSideFile } from '../../../src/core/files/sideFiles.js';
import { utf8 } from '../../builders/byteWriter.js';
import { casesBelow, fixtureBelow, fixtureRoot } from '../../builders/frameworkFixtures.js';
import { inspectAnyHostile, inspectHostile } from '../../hostile/accountable.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';

const model = buildSafetensors({ tensors: { 'model.embed_tokens.weight': { dtype: 'F32', shape: [2] } } });
/** Magic number and version of AppleDouble, and what Finder calls its home (RFC 1740). */
const appleDouble = new Uint8Array(4096);
appleDouble.set([0x00, 0x05, 0x16, 0x07, 0x00, 0x02, 0x00, 0x00]);
appleDouble.set(utf8('Mac OS X        '), 8);

it.each([
  '._model.safetensors',
  'a/._config.json',
  '.DS_Store',
  'a/Thumbs.db',
  'desktop.ini',
  '__MACOSX/a/._b',
  'a/__MACOSX/b',
  '.AppleDouble/model.safetensors',
  '.fseventsd/0000',
])('%s is a side file', (path) => expect(isSideFile(path)).toBe(true));

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

/** The files, each with what macOS copies beside it, and every directory with what Finder and Explorer leave in it. */
function copiedFromMac(files: Readonly<Record<string, Uint8Array>>): Record<string, Uint8Array> {
  const copied: Record<string, Uint8Array> = { ...files };
  const directories = new Set(['']);
  for (const path of Object.keys(files)) {
    copied[besideOf(path)] = appleDouble;
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) directories.add(path.slice(0, at));
  }
  for (const directory of directories) {
    if (directory !== '') copied[besideOf(directory)] = appleDouble;
    for (const name of ['.DS_Store', 'Thumbs.db'])
      copied[directory === '' ? name : `${directory}/${name}`] = utf8('\0\0\0\u0001Bud1');
  }
  return copied;
}

function besideOf(path: string): string {
  const name = path.lastIndexOf('/') + 1;
  return `${path.slice(0, name)}._${path.slice(name)}`;
}

describe.each(['', 'run'])('below %j', (root) => {
  it.each(casesBelow(fixtureRoot, 'checkpoint'))(
    '%s is the same as without the side files of macOS and Windows',
    async (name) => {
      const files = fixtureBelow(name, root);
      const copied = copiedFromMac(files);
      const [own, report] = [await inspectAnyHostile(memoryTree('m', files)), await inspectAnyHostile(memoryTree('m', copied))];
      const sideBytes = Object.keys(copied)
        .filter(isSideFile)
        .reduce((sum, path) => sum + (copied[path]?.byteLength ?? 0), 0);
      expect(report.totalBytes).toBe(own.totalBytes + sideBytes);
      const stated = ({ kind, findings, ...facts }: Report): unknown => ({
        kind,
        findings: findings.map(({ message, path }) =>
          message.startsWith('Unknown checkpoint layout') ? null : { message, path },
        ),
        ...('layout' in facts ? { layout: facts.layout } : {}),
        ...('resume' in facts ? { resume: facts.resume, parameters: facts.parameters, ranks: facts.ranks, run: facts.run } : {}),
        ...('parts' in facts ? { parts: facts.parts.map((part) => ({ ...part, files: 0 })) } : {}),
        notDone: facts.checks.notDone,
      });
      expect(stated(report)).toEqual(stated(own));
    },
  );
});
