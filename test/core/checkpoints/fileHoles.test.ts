/** Files that take less on the disk than their size. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { memoryTree, type MemoryFile, type ReadLog } from '../../builders/memoryTree.js';
import { patternBytes, utf8 } from '../../builders/byteWriter.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { codes } from '../../builders/torchDirectory.js';
import { inspectHostile } from '../../hostile/accountable.js';

const ELEMENTS = 65_536;
const file = (data: Uint8Array): Uint8Array => buildSafetensors({ tensors: { w: { dtype: 'F32', shape: [ELEMENTS], data } } });
const written = patternBytes(4 * ELEMENTS).map((byte) => byte | 1);
const half = written.slice().fill(0, 2 * ELEMENTS);
const scattered = written.map((byte, at) => (at % 8192 < 4096 ? 0 : byte));

it.each<[string, Uint8Array, number | undefined, string[]]>([
  ['a file whose second half was never written', half, 2 * ELEMENTS, ['file-has-holes']],
  ['zeros that take space', half, 4 * ELEMENTS + 4096, []],
  ['zeros of unknown space', half, undefined, []],
  ['a hard link, which counts elsewhere', half, 0, []],
  // What is missing is said, as a note: without reading all of it nobody knows whether a file system compresses or a hole is between samples.
  ['data that a file system compresses', written, 2 * ELEMENTS, ['file-takes-less-space']],
  ['zeros here and there that it compresses', scattered, 2 * ELEMENTS, ['file-takes-less-space']],
  ['a hole between sampled blocks', written, 4 * ELEMENTS - 70_000, ['file-takes-less-space']],
  ['what rounding to blocks leaves', written, 4 * ELEMENTS - 4096, []],
])('%s', async (_, data, allocatedBytes, expected) => {
  const bytes = file(data);
  const log: ReadLog = { reads: [] };
  const entry = allocatedBytes === undefined ? {} : { allocatedBytes };
  const report = await inspectHostile(memoryTree('m', { 'model.safetensors': { entry, bytes } }, log));
  expect(codes(report).filter((code) => code.startsWith('file-'))).toEqual(expected);
  expect(report.findings.find(({ code }) => code === 'file-has-holes')?.severity).toBe(
    expected.includes('file-has-holes') ? 'warning' : undefined,
  );
  expect(report.io.bytesRead).toBeLessThan(24 * 1024);
});

it.each([
  ['behind its header', 4096],
  ['behind a few tensors', 24_576],
])('a file that ends %s takes few reads', async (_, writtenBytes) => {
  const bytes = file(written.slice().fill(0, writtenBytes));
  const log: ReadLog = { reads: [] };
  const report = await inspectHostile(
    memoryTree('m', { 'model.safetensors': { entry: { allocatedBytes: writtenBytes }, bytes } }, log),
  );
  const { offset = 0 } = report.findings.find(({ code }) => code === 'file-has-holes') ?? {};
  expect(offset).toBeGreaterThanOrEqual(writtenBytes);
  expect(offset).toBeLessThan(writtenBytes + bytes.byteLength / 16);
  expect(log.reads.length).toBeLessThan(12);
});

describe('zeros of a file that git wrote, which leaves out blocks of zeros', () => {
  const moments = (shape: number[], zeros: boolean) => {
    const bytes = shape.reduce((product, size) => product * size, 4);
    return { dtype: 'F32', shape, data: zeros ? new Uint8Array(bytes) : written.slice(0, bytes) };
  };
  const holesOf = async (tensors: Record<string, ReturnType<typeof moments>>, cutAt = 0): Promise<string[]> => {
    const bytes = buildSafetensors({ tensors });
    const cut = cutAt === 0 ? bytes : bytes.slice().fill(0, cutAt);
    const entry = { allocatedBytes: bytes.byteLength * 0.6 };
    const report = await inspectHostile(memoryTree('m', { 'optimizer.safetensors': { entry, bytes: cut } }));
    return codes(report).filter((code) => code === 'file-has-holes');
  };

  it('are values where they are whole tensors', async () => {
    const fresh = { step: moments([2], false), 'w.exp_avg': moments([64, 64], true), 'w.exp_avg_sq': moments([64, 64], true) };
    expect(await holesOf(fresh)).toEqual([]);
    expect(await holesOf({ a: moments([64, 64], false), b: moments([96, 64], true), c: moments([64, 64], false) })).toEqual([]);
  });

  it('are missing where they begin within a tensor, or with the first one', async () => {
    const all = { a: moments([64, 64], false), b: moments([64, 64], false), c: moments([64, 64], false) };
    expect(await holesOf(all, 24_000)).toEqual(['file-has-holes']);
    expect(await holesOf({ a: moments([64, 64], true), b: moments([64, 64], true), c: moments([64, 64], false) })).toEqual([
      'file-has-holes',
    ]);
  });
});

describe('files of a set', () => {
  const sparse = (bytes: Uint8Array): MemoryFile => ({ entry: { allocatedBytes: bytes.byteLength / 2 }, bytes });
  const holesIn = async (files: Record<string, MemoryFile>): Promise<[string | null | undefined, number]> => {
    const report = await inspectHostile(memoryTree('m', files));
    return [report.findings.find(({ code }) => code === 'file-has-holes')?.path, report.io.bytesRead];
  };

  it('of torch.distributed.checkpoint are sampled', async () => {
    const files = fixtureBelow('dcp/titan-last-bf16', '');
    const [path = '', whole = new Uint8Array(0)] = Object.entries(files).find(([name]) => name.endsWith('.distcp')) ?? [];
    const holed = whole.slice().fill(0, whole.byteLength / 2);
    expect((await holesIn({ ...files, [path]: sparse(holed) }))[0]).toBe(path);
    expect((await holesIn({ ...files, [path]: holed }))[0]).toBeUndefined();
  });

  it('of zarr are sampled, the largest of many', async () => {
    const array = { zarr_format: 2, shape: [ELEMENTS * 100], chunks: [ELEMENTS], dtype: '<f4', compressor: null, filters: null, fill_value: 0, order: 'C' }; // prettier-ignore
    const chunks = Array.from({ length: 100 }, (_, at) => [`w/${at}`, sparse(half)] as const);
    const metadata = { 'w/.zarray': utf8(JSON.stringify(array)) };
    expect((await holesIn({ ...metadata, ...Object.fromEntries(chunks.slice(0, 1)) }))[0]).toBe('w/0');
    const [path, bytesRead] = await holesIn({ ...metadata, ...Object.fromEntries(chunks) });
    expect(path).toBe('w/0');
    expect(bytesRead).toBeLessThan((limits.sparseFilesOfSets + 1) * 18 * 1024);
  });
});
