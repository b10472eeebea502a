import { createHash } from 'node:crypto';
import { buildZip } from '../../builders/torchZipBuilder.js';
import { patternBytes } from '../../builders/byteWriter.js';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../../src/core/bytes/byteSource.js';
import { FormatError } from '../../../src/core/bytes/formatError.js';
import { limits } from '../../../src/core/bytes/limits.js';
import { memorySource } from '../../../src/core/bytes/memorySource.js';
import { encodeText } from '../../../src/core/bytes/text.js';
import { memoryTree, type MemoryFile } from '../../builders/memoryTree.js';
import { buildNpy } from '../../builders/npyBuilder.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { buildGguf } from '../../builders/ggufBuilder.js';
import { coreHash } from '../../../src/core/verification/hashes/coreHash.js';
import type { Manifest, ManifestFile } from '../../../src/core/verification/expected.js';
import { manifestBlockBytes } from '../../../src/core/verification/manifest/manifestFile.js';
import { fileOf, flipped, verifyFiles } from '../../builders/verification.js';
import { blocksToRead } from '../../../src/core/verification/readPass.js';
import type { VerificationReport } from '../../../src/core/verification/verification.js';

const content = Uint8Array.from({ length: 9_000_000 }, (_, index) => (index * 7) >> 3);
const digest = (algorithm: string, ...parts: (Uint8Array | string)[]): string => {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};
const sha256 = digest('sha256', content);

function verify(files: Record<string, MemoryFile>, location?: string): Promise<VerificationReport> {
  const tree = memoryTree('checkpoint', files);
  return verifyFiles(location === undefined ? tree : { ...tree, location });
}

/** Fails for each read that has one of these bytes. */
function withBadBytes(bad: readonly number[]): ByteSource {
  const source = memorySource('weights.bin', content);
  return {
    ...source,
    name: source.name,
    sizeBytes: source.sizeBytes,
    read: async (offset, length, signal) => {
      const at = bad.find((byte) => byte >= offset && byte < offset + length);
      if (at !== undefined) throw new FormatError('io', 'the disk reported an input/output error', { offset: at });
      return source.read(offset, length, signal);
    },
    close: () => source.close(),
  };
}

describe('a file that cannot be read in one place', () => {
  it('is unreadable there, to 64 KiB, and the others go on', async () => {
    const sums = `${sha256}  weights.bin\n${sha256}  good.bin\n`;
    const report = await verify({ 'weights.bin': withBadBytes([5_000_000]), 'good.bin': content, SHA256SUMS: encodeText(sums) });
    const { status, damage, coverage } = fileOf(report, 'weights.bin');
    expect(status).toBe('unreadable');
    expect(coverage.bytes).toBe(0);
    expect(damage).toEqual([
      { offset: 4_980_736, length: 65_536, what: 'cannot be read: the disk reported an input/output error' },
    ]);
    expect(fileOf(report, 'good.bin').status).toBe('same');
    expect(report.failed).toBe(1);
  });

  it('is given up after too many places', async () => {
    const bad = Array.from({ length: 137 }, (_, index) => index * 65_536);
    const report = await verify({
      'weights.bin': withBadBytes(bad.filter((_, index) => index % 2 === 0)),
      SHA256SUMS: encodeText(`${sha256}  weights.bin\n`),
    });
    const { damage } = fileOf(report, 'weights.bin');
    expect(damage.length).toBeLessThanOrEqual(101);
    expect(damage.at(-1)?.what).toContain('not read');
  });
});

describe('a file that changes while it is hashed', () => {
  it('is unreadable, and says so', async () => {
    const tree = memoryTree('checkpoint', { 'model.bin': content, SHA256SUMS: encodeText(`${sha256}  model.bin\n`) });
    const report = await verifyFiles({ ...tree, look: async () => ({ sizeBytes: content.byteLength, modifiedMs: 5 }) });
    expect(fileOf(report, 'model.bin')).toMatchObject({ status: 'unreadable', reason: 'it changed while it was read' });
  });

  it('that has become shorter, too', async () => {
    const source = memorySource('model.bin', content.subarray(0, 5_000_000));
    const shorter: ByteSource = {
      ...source,
      name: 'model.bin',
      sizeBytes: content.byteLength,
      read: source.read.bind(source),
      close: () => source.close(),
    };
    const report = await verify({ 'model.bin': shorter, SHA256SUMS: encodeText(`${sha256}  model.bin\n`) });
    expect(fileOf(report, 'model.bin')).toMatchObject({ status: 'unreadable', reason: 'it changed while it was read' });
  });
});

describe('names that are digests', () => {
  const config = encodeText('{"model_type": "llama"}');
  const blobId = digest('sha1', `blob ${config.byteLength}\0`, config);

  it('are those of blobs in the cache of the Hub, of Ollama and of Git LFS', async () => {
    const files = {
      [`models--a--b/blobs/${sha256}`]: content,
      [`models--a--b/blobs/${blobId}`]: config,
      [`ollama/blobs/sha256-${sha256}`]: content,
      [`.git/lfs/objects/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`]: content,
    };
    const report = await verify(files);
    expect(report.files.map(({ status }) => status)).toEqual(['same', 'same', 'same', 'same']);
    expect(fileOf(report, `models--a--b/blobs/${blobId}`).by).toEqual(['git-blob']);
    const damaged = await verify({ ...files, [`models--a--b/blobs/${blobId}`]: flipped(config, 9) });
    expect(damaged.failed).toBe(1);
    expect(fileOf(damaged, `models--a--b/blobs/${blobId}`).damage[0]?.what).toContain('the id of the Git blob');
  });

  it('are found from a snapshot, whose links lead to blobs, and from the directory of blobs itself', async () => {
    const entry = { link: { target: `../../blobs/${sha256}`, inside: false } };
    const snapshot = await verify({
      'model.safetensors': { entry: { ...entry, sizeBytes: content.byteLength }, bytes: content },
    });
    expect(fileOf(snapshot, 'model.safetensors')).toMatchObject({ status: 'same', by: ['sha256'] });
    const blobs = await verify({ [sha256]: content }, '/hub/models--a--b/blobs');
    expect(fileOf(blobs, sha256)).toMatchObject({ status: 'same', by: ['sha256'] });
  });

  it('leave out the store that repositories share, whose names are Xet hashes', async () => {
    const report = await verify({ [`blobs/${sha256.slice(0, 2)}/${sha256}`]: content });
    expect(fileOf(report, `blobs/${sha256.slice(0, 2)}/${sha256}`).status).toBe('unverifiable');
  });

  it('stand in what hf download notes beside its files', async () => {
    const note = (etag: string): Uint8Array => encodeText(`0123456789abcdef0123456789abcdef01234567\n${etag}\n1700000000.1\n`);
    const files = {
      'deep/model.safetensors': content,
      'config.json': config,
      '.cache/huggingface/download/deep/model.safetensors.metadata': note(sha256),
      '.cache/huggingface/download/config.json.metadata': note(blobId),
    };
    const report = await verify(files);
    expect(fileOf(report, 'deep/model.safetensors')).toMatchObject({ status: 'same', by: ['sha256'] });
    expect(fileOf(report, 'config.json')).toMatchObject({ status: 'same', by: ['git-blob'] });
    expect(fileOf(await verify({ ...files, 'config.json': flipped(config, 3) }), 'config.json').status).toBe('changed');
  });
});

describe('links', () => {
  it('out of the directory are not followed', async () => {
    const entry = { link: { target: '../other/model.bin', inside: false }, sizeBytes: content.byteLength };
    const report = await verify({ 'model.bin': { entry, bytes: content } });
    expect(fileOf(report, 'model.bin')).toMatchObject({
      status: 'unverifiable',
      reason: 'it is a link out of the directory, which is not followed',
    });
    expect(report.bytesHashed).toBe(0);
  });

  it('to a file of the directory are verified with it, by the list that names the link', async () => {
    const entry = { link: { target: 'model.bin', inside: true, entry: 'model.bin' }, sizeBytes: 0 };
    const files = { 'model.bin': content, 'link.bin': { entry }, SHA256SUMS: encodeText(`${sha256}  link.bin\n`) };
    const report = await verify(files);
    expect(fileOf(report, 'model.bin')).toMatchObject({ status: 'same', by: ['sha256'] });
    expect(report.files.map(({ path }) => path)).toEqual(['model.bin', 'SHA256SUMS']);
  });

  it('without a target fail', async () => {
    const report = await verify({ 'model.bin': { entry: { error: 'the link points at nothing' } } });
    expect(report.failed).toBe(1);
  });
});

describe('files in place of data', () => {
  it('are distinguished from data: pointers of Git LFS', async () => {
    const pointer = encodeText(`version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize 9000000\n`);
    expect(fileOf(await verify({ 'model.pt': pointer }), 'model.pt')).toMatchObject({
      status: 'unverifiable',
      reason: 'it is a Git LFS pointer in place of the data',
    });
  });

  it('are distinguished from data: a file that is one hole', async () => {
    const zeros = new Uint8Array(3_000_000);
    const hole = { entry: { sizeBytes: zeros.byteLength, allocatedBytes: 0 }, bytes: zeros };
    const sums = encodeText(`${digest('sha256', zeros)}  hole.bin\n`);
    const report = await verify({ 'hole.bin': hole, SHA256SUMS: sums });
    expect(fileOf(report, 'hole.bin').status).toBe('same');
    expect(report.bytesHashed).toBe(0);
    expect(report.notes).toEqual(['One hole each, which was not read and counts as zeros: hole.bin.']);
    const late = { entry: { sizeBytes: content.byteLength, allocatedBytes: 0 }, bytes: content };
    expect((await verify({ 'late.bin': late, SHA256SUMS: encodeText(`${sha256}  late.bin\n`) })).bytesHashed).toBe(
      content.byteLength,
    );
  });
});

it('a directory that cannot be listed is an error, and no directory without files', async () => {
  const tree = memoryTree('checkpoint', {});
  const errors = [{ path: '', detail: 'no permission to read it' }];
  const unlisted = { ...tree, list: async () => ({ entries: [], errors, truncated: false }) };
  await expect(verifyFiles(unlisted)).rejects.toMatchObject({ code: 'io', detail: 'no permission to read it' });
});

describe('a file that was cut', () => {
  const tensors = [{ name: 'a', dimensions: [16], type: 0, offset: 0 }];
  it.each([
    ['model.safetensors', buildSafetensors({ tensors: { a: { dtype: 'F32', shape: [16] } } })],
    ['model.gguf', buildGguf({ tensors, data: content.subarray(0, 64) })],
    ['array.npy', buildNpy({ shape: [16], data: content.subarray(0, 64) })],
  ])('is changed where its header says how long it is: %s', async (name, whole) => {
    expect(fileOf(await verify({ [name]: whole }), name)).toMatchObject({ status: 'unverifiable', damage: [] });
    const offset = whole.byteLength - 10;
    const report = await verify({ [name]: whole.subarray(0, offset) });
    expect(report.failed).toBe(1);
    expect(fileOf(report, name)).toMatchObject({
      status: 'changed',
      by: [],
      coverage: { bytes: 0 },
      damage: [{ offset, length: 0, what: 'ends 10 bytes short of what its header declares' }],
    });
    const inHeader = fileOf(await verify({ [name]: whole.subarray(0, 30) }), name);
    expect(inHeader.damage[0]?.what).toContain('ends in its header');
  });

  it.each(['a.safetensors', 'a.npz', 'a.gz', 'a.h5', 'a.pt', 'pytorch_model-00001-of-00002.bin'])(
    'to nothing is changed: %s',
    async (name) => {
      expect(fileOf(await verify({ [name]: new Uint8Array() }), name)).toMatchObject({
        status: 'changed',
        damage: [{ what: 'is empty, which no file of its format is' }],
      });
    },
  );

  it('may be empty where any file is', async () => {
    expect(fileOf(await verify({ '__init__.py': new Uint8Array() }), '__init__.py').status).toBe('unverifiable');
  });
});

describe('a manifest of llama-gguf-hash', () => {
  const data = Uint8Array.from({ length: 64 }, (_, index) => index * 3 + 1);
  const tensors = [
    { name: 'a', dimensions: [4], type: 0, offset: 0 },
    { name: 'blk.0.b:c', dimensions: [5], type: 0, offset: 32 },
  ];
  const file = buildGguf({ tensors, data });
  const [a, b] = [data.subarray(0, 16), data.subarray(32, 52)];
  const xxh64 = (bytes: Uint8Array): string => {
    const hash = coreHash('xxh64');
    hash.update(bytes);
    return hash.digest();
  };
  const manifest = encodeText(
    [
      `xxh64     ${xxh64(a)}  some/dir/m.gguf:a`,
      `xxh64     ${xxh64(b)}  some/dir/m.gguf:blk.0.b:c`,
      `sha256    ${digest('sha256', a, b)}  some/dir/m.gguf`,
      '',
    ].join('\n'),
  );

  it('has the hashes of tensors, and of all of them in order', async () => {
    expect(fileOf(await verify({ 'm.gguf': file }), 'm.gguf').reason).toBe('GGUF has no checksums: a manifest is needed');
    const report = await verify({ 'm.gguf': file, 'm.gguf.manifest': manifest });
    expect(fileOf(report, 'm.gguf')).toMatchObject({ status: 'same', by: ['xxh64', 'sha256'], coverage: { bytes: 36 } });
  });

  it('names the tensor that is damaged', async () => {
    const bit = 8 * (file.byteLength - 64 + 40);
    const report = await verify({ 'm.gguf': flipped(file, bit), 'm.gguf.manifest': manifest });
    expect(fileOf(report, 'm.gguf').damage.map(({ what }) => what)).toEqual([
      'data of all tensors: SHA-256 does not match',
      'tensor blk.0.b:c: XXH64 does not match',
    ]);
  });

  it('fails for a tensor that is not there', async () => {
    const other = encodeText(`xxh64  ${xxh64(a)}  m.gguf:z\n`);
    const report = await verify({ 'm.gguf': file, 'm.gguf.manifest': other });
    expect(fileOf(report, 'm.gguf')).toMatchObject({ status: 'changed' });
  });
});

describe('bounds', () => {
  it('a list of digests above its limit is refused without being read', async () => {
    const list: ByteSource = {
      name: 'SHA256SUMS',
      sizeBytes: limits.sumListBytes + 1,
      read: () => Promise.reject(new Error('it was read')),
      close: () => Promise.resolve(),
    };
    const report = await verify({ SHA256SUMS: list });
    expect(fileOf(report, 'SHA256SUMS')).toMatchObject({ status: 'unreadable' });
    expect(fileOf(report, 'SHA256SUMS').reason).toContain(`${limits.sumListBytes + 1} bytes of digests`);
  });

  it('a file is read in blocks, each byte once, and gaps between regions not at all', () => {
    const region = { algorithm: 'crc32', expected: [], what: '' } as const;
    const whole = {
      sizeBytes: 2 * limits.verifiedReadBytes + 5,
      regions: [],
      streams: [],
      digests: ['sha256'],
      blockBytes: null,
    } as const;
    expect([...blocksToRead(whole)].map(({ length }) => length)).toEqual([limits.verifiedReadBytes, limits.verifiedReadBytes, 5]);
    const regions = [
      { ...region, offset: 10, length: 20 },
      { ...region, offset: 5_000, length: 7 },
      { ...region, offset: 50_000_000, length: 9 },
    ];
    const parts = { sizeBytes: 60_000_000, regions, streams: [], digests: [], blockBytes: null };
    expect([...blocksToRead(parts)]).toEqual([
      { offset: 10, length: 4_997 },
      { offset: 50_000_000, length: 9 },
    ]);
  });
});

describe('a damaged file that has sums of another one', () => {
  const other = encodeText('other bytes');
  const listOf = (first: string): Uint8Array => encodeText(`${first}  model.bin\n${digest('md5', other)}  other.bin\n`);
  const list = listOf(digest('md5', content));
  const damagedList = listOf(digest('md5', 'damaged'));
  const files = { 'model.bin': content, 'other.bin': other, 'md5sums.txt': list };
  const manifestOf = async (): Promise<Manifest> => {
    const listed: ManifestFile[] = [];
    const listing = { known: new Map(), add: async (file: ManifestFile): Promise<void> => void listed.push(file) };
    await verifyFiles(memoryTree('checkpoint', files), { listing });
    return { blockBytes: manifestBlockBytes, files: new Map(listed.map((file) => [file.path, file])) };
  };
  const verifyDamaged = async (damaged: Record<string, Uint8Array>, manifest: Manifest | null): Promise<VerificationReport> =>
    verifyFiles(memoryTree('checkpoint', { ...files, ...damaged }), { manifest });

  it('is the one that is changed where a manifest confirms that other one', async () => {
    const report = await verifyDamaged({ 'md5sums.txt': damagedList }, await manifestOf());
    expect(report.files.filter(({ status }) => status !== 'same').map(({ path }) => path)).toEqual(['md5sums.txt']);
    expect(fileOf(report, 'model.bin')).toMatchObject({
      damage: [],
      coverage: { bytes: content.byteLength },
      reason: 'sums of it are in md5sums.txt, which is damaged',
    });
  });

  it('lets no file be missing that it alone names', async () => {
    const report = await verifyDamaged({ 'md5sums.txt': flipped(list, 8 * 36) }, await manifestOf());
    expect(report.files.filter(({ status }) => status !== 'same').map(({ path }) => path)).toEqual(['md5sums.txt']);
  });

  it('takes nothing back where nothing else confirms the bytes, and where the bytes are damaged too', async () => {
    const without = await verifyDamaged({ 'md5sums.txt': damagedList }, null);
    expect(fileOf(without, 'model.bin').status).toBe('changed');
    const both = { 'md5sums.txt': damagedList, 'model.bin': flipped(content, 100) };
    expect(fileOf(await verifyDamaged(both, await manifestOf()), 'model.bin').status).toBe('changed');
  });
});

describe('members of a zip archive that lie on each other', () => {
  it('are damage, and are not unpacked', async () => {
    const archive = buildZip([
      { name: 'a', data: patternBytes(64) },
      { name: 'b', data: patternBytes(64) },
    ]);
    // The second entry of the directory names the place of the first one.
    const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
    const entries = [...archive.keys()].filter((at) => at + 4 <= archive.length && view.getUint32(at, true) === 0x02014b50);
    view.setUint32((entries[1] ?? 0) + 42, view.getUint32((entries[0] ?? 0) + 42, true), true);
    const { status, damage } = fileOf(await verify({ 'x.zip': archive }), 'x.zip');
    expect(status).toBe('changed');
    expect(damage.map(({ what }) => what)).toEqual(expect.arrayContaining([expect.stringMatching(/it lies on another member$/)]));
  });
});
