import { describe, expect, it } from 'vitest';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { listTensors } from '../../../src/core/inspection/reportJson.js';
import { memoryTree, type ReadLog } from '../../builders/memoryTree.js';
import {
  buildTorchZip,
  buildZip,
  layOutTorchZip,
  sparseSource,
  stateDict,
  type TorchZipFile,
  type ZipOptions,
} from '../../builders/torchZipBuilder.js';
import { concat, latin1, overwrite, u16, u32, u64 } from '../../builders/byteWriter.js';
import { inspectHostile } from '../../hostile/accountable.js';

const small = stateDict({ 'a.weight': ['f32', [4, 8]], 'b.bias': ['bf16', [6]] });

function offsetsOf(file: Uint8Array, signature: string): number[] {
  const bytes = latin1(signature);
  return [...file.keys()].filter((at) => bytes.every((byte, index) => file[at + index] === byte));
}

async function codes(file: TorchZipFile, options: ZipOptions = {}): Promise<string[]> {
  const report = await inspectHostile(memoryTree('m', { 'x.pt': buildTorchZip(file, options) }));
  return report.findings.map((finding) => finding.code);
}

describe('archives that are right', () => {
  it.each([
    ['torch 1.13', { ...small, torch: '1.13' }],
    ['torch 2.1', { ...small, torch: '2.1' }],
    ['torch 2.6', { ...small, torch: '2.6' }],
    ['a big-endian writer', { ...small, byteorder: 'big' }],
  ] as [string, TorchZipFile][])('takes %s', async (_, file) => {
    const report = await inspectHostile(memoryTree('m', { 'x.pt': buildTorchZip(file) }));
    expect(report.findings).toEqual([]);
    expect(report.components.weights).toMatchObject({ tensorBytes: 4 * 8 * 4 + 6 * 2, tensors: 2 });
  });

  it('reads the end with the directory, and data.pkl, and nothing else', async () => {
    const log: ReadLog = { reads: [] };
    const file = buildTorchZip(stateDict({ w: ['f32', [1000, 1000]] }));
    const { report } = await inspectCheckpoint(memoryTree('m', { 'x.pt': file }, log), { path: 'm' });
    expect(log.reads).toHaveLength(2);
    expect(report.io.bytesRead).toBeLessThan(6_000);
  });

  it('a sparse file of 100 GB takes two small reads', async () => {
    const log: ReadLog = { reads: [] };
    const tensors = Object.fromEntries(
      Array.from({ length: 25 }, (_, layer) => [`layers.${layer}.weight`, ['f32', [1_000_000, 1_000]] as const]),
    );
    const source = sparseSource(layOutTorchZip(stateDict(tensors)), 'x.pt');
    const { report, tensors: table } = await inspectCheckpoint(memoryTree('m', { 'x.pt': source }, log), { path: 'm' });
    expect(report.totalBytes).toBeGreaterThan(100e9);
    expect(report.components.weights?.tensorBytes).toBe(100e9);
    expect(report.findings).toEqual([]);
    expect(listTensors(table, report.files)).toHaveLength(25);
    expect(log.reads.length).toBe(2);
    expect(report.io.bytesRead).toBeLessThan(20_000);
  });
});

describe('archives that are damaged', () => {
  it('a file without its end still lists what is there', async () => {
    const file = buildTorchZip(stateDict({ a: ['f32', [1000]], b: ['f32', [1000]], c: ['f32', [1000]] }));
    const { report, tensors } = await inspectCheckpoint(memoryTree('m', { 'x.pt': file.subarray(0, 8_000) }), { path: 'm' });
    expect(report.findings.map((finding) => finding.code)).toContain('zip-directory-missing');
    expect(tensors.size).toBe(3);
    expect(report.components.weights?.tensorBytes).toBeGreaterThan(4_000);
    expect(report.components.weights?.tensorBytes).toBeLessThan(8_000);
  });

  // Readers go by the zip64 end where there is one.
  const zip = buildTorchZip(small, { zip64End: false });
  const inDirectory = offsetsOf(zip, 'PK\x01\x02');
  const [first = 0, last = 0] = [inDirectory[0], inDirectory.at(-1)];
  const [end = 0] = offsetsOf(zip, 'PK\x05\x06');

  it.each([
    ['a comment that reaches over the end of the directory', last + 32, u16(1), 'zip-directory-missing'],
    ['an extra field that reaches over the end of the directory', last + 30, u16(40_000), 'zip-directory-missing'],
    ['a directory that reaches over the end of the file', end + 12, u32(0xffffff), 'zip-directory-missing'],
    ['fewer entries than the directory has', end + 10, u16(inDirectory.length - 1), 'zip-directory-missing'],
    ['more entries than the directory has', end + 10, u16(inDirectory.length + 1), 'zip-directory-missing'],
    ['a record that is larger than its place', (inDirectory[4] as number) + 20, u32(100_000), 'zip-record-corrupt'],
    ['a name that reaches over the next record', 26, u16(60_000), 'file-truncated'],
    ['a record without room for its header', first + 42, u32(first - 10), 'file-truncated'],
  ])('%s is found', async (_, at, field, code) => {
    const report = await inspectHostile(memoryTree('m', { 'x.pt': overwrite(zip, at, field) }));
    expect(report.findings.map((finding) => finding.code)).toContain(code);
  });

  it('sizes of 64 bits that are cut off are found', async () => {
    const half = { compressedSize: 0xffffffff, uncompressedSize: 0xffffffff, extra: concat(u16(1), u16(8), u64(128)) };
    const file = buildZip([
      { name: 'data.pkl', data: small.pickle },
      { name: 'data/0', data: new Uint8Array(128), central: half },
    ]);
    const report = await inspectHostile(memoryTree('m', { 'x.pt': file }));
    expect(report.findings.map((finding) => finding.code)).toContain('zip-directory-missing');
  });

  it('a zip64 end that is cut off is found', async () => {
    const comment = latin1('PK\x06\x06');
    const at = buildTorchZip(small, { comment }).byteLength - comment.byteLength;
    expect(await codes(small, { comment, end: { entries: 0xffff, zip64EndOffset: at } })).toEqual(['zip-directory-missing']);
  });

  it('a storage of the wrong size is found', async () => {
    expect(await codes({ ...small, storages: { ...small.storages, 0: 64 } })).toContain('storage-size-mismatch');
  });

  it('a storage that is missing is found', async () => {
    expect(await codes({ pickle: small.pickle, storages: { 1: 12 } })).toContain('storage-missing');
  });

  it('a storage that nothing refers to is counted as framing', async () => {
    const report = await inspectHostile(
      memoryTree('m', { 'x.pt': buildTorchZip({ ...small, storages: { ...small.storages, 9: 5000 } }) }),
    );
    expect(report.components.container?.otherBytes).toBe(5000);
  });
});
