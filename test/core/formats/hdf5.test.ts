import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { Fields } from '../../../src/core/formats/hdf5/hdf5Bytes.js';
import { listTensors } from '../../../src/core/inspection/reportJson.js';
import { concat, overwrite, u32, u64 } from '../../builders/byteWriter.js';
import { memoryTree, type ReadLog } from '../../builders/memoryTree.js';
import { buildZip } from '../../builders/torchZipBuilder.js';
import { inspectHostile } from '../../hostile/accountable.js';

const load = (name: string): Uint8Array => new Uint8Array(readFileSync(`test/fixtures/frameworks/misc/${name}`));
const plain = load('hdf5-plain/data/state.h5');
const latest = load('hdf5-latest/data/latest.h5');
const weights = load('keras-h5/data/model.weights.h5');

async function codesOf(name: string, file: Uint8Array): Promise<string[]> {
  const report = await inspectHostile(memoryTree(name, { [name]: file }));
  return report.findings.filter(({ severity }) => severity === 'error').map(({ code }) => code);
}

/** Offsets of a signature. */
function find(file: Uint8Array, signature: string): number[] {
  const bytes = new TextEncoder().encode(signature);
  const found: number[] = [];
  for (let at = 0; at + 4 <= file.byteLength; at++) if (bytes.every((byte, index) => file[at + index] === byte)) found.push(at);
  return found;
}

describe('files', () => {
  it('are read behind a block of the user’s own', async () => {
    // Addresses count from the superblock where it says so; here it declares its own position as their base.
    const moved = overwrite(plain, 24, u64(512));
    const file = concat(new Uint8Array(512), overwrite(moved, 40, u64(plain.byteLength + 512)));
    const { report, tensors } = await inspectCheckpoint(memoryTree('a.h5', { 'a.h5': file }), { path: 'a.h5' });
    expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(listTensors(tensors, report.files)).toHaveLength(4);
    expect(report.components.weights?.tensorBytes).toBe(2080);
  });

  it.each([
    ['put in front of a file', concat(new Uint8Array(512), plain)],
    ['taken away from its front', overwrite(overwrite(plain, 24, u64(512)), 40, u64(plain.byteLength + 512))],
  ])('are read where bytes were %s, as the library reads them', async (_, file) => {
    const { report, tensors } = await inspectCheckpoint(memoryTree('a.h5', { 'a.h5': file }), { path: 'a.h5' });
    expect(report.findings).toEqual([]);
    expect(listTensors(tensors, report.files)).toHaveLength(4);
  });

  it('report bytes behind their end', async () => {
    const report = await inspectHostile(memoryTree('a.h5', { 'a.h5': concat(plain, new Uint8Array(40)) }));
    expect(report.findings).toMatchObject([{ code: 'bytes-behind-end', severity: 'warning', offset: plain.byteLength }]);
    expect(report.resume.verdict).not.toBe('broken');
    expect(report.components.unexplained?.otherBytes).toBe(40);
  });

  it('tell compressed bytes from uncompressed ones', async () => {
    const { report } = await inspectCheckpoint(memoryTree('a.h5', { 'a.h5': latest }), { path: 'a.h5' });
    const { tensorBytes = 0, logicalBytes = 0 } = report.components.optimizer ?? {};
    expect(tensorBytes).toBeLessThan(logicalBytes);
  });

  it('are read by their headers only', async () => {
    const log: ReadLog = { reads: [] };
    const grown = concat(weights, new Uint8Array(4 << 20));
    await inspectHostile(memoryTree('a.h5', { 'a.h5': grown }, log));
    expect(log.reads.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(weights.byteLength);
  });

  it('of no framework keep an account of their own', async () => {
    const { report } = await inspectCheckpoint(memoryTree('a.h5', { 'a.h5': plain }), { path: 'a.h5' });
    expect(report).toMatchObject({ layout: 'unknown', framework: { name: 'hdf5' } });
  });
});

describe('Keras archives', () => {
  const options = { prefix: '', alignment: 1, dataDescriptors: false } as const;

  it('with compressed weights say that they are not read', async () => {
    const file = buildZip([{ name: 'model.weights.h5', data: weights, deflate: true }], options);
    const report = await inspectHostile(memoryTree('m.keras', { 'm.keras': file }));
    expect(report.findings.map(({ code }) => code)).toContain('unsupported-version');
    expect(report.layout).toBe('keras');
  });

  it('without weights are noticed, other zips are another format', async () => {
    const empty = buildZip([{ name: 'config.json', data: new Uint8Array(2) }], options);
    const report = await inspectHostile(memoryTree('m.keras', { 'm.keras': empty }));
    expect(report.findings.map(({ code }) => code)).toContain('file-missing');
    expect(await codesOf('m.keras', buildZip([{ name: 'x', data: new Uint8Array(2) }], options))).toContain(
      'file-not-its-format',
    );
  });
});

describe('damage', () => {
  it('of a superblock', async () => {
    expect(await codesOf('a.h5', overwrite(plain, 0, u32(0)))).toContain('file-not-its-format');
    expect(await codesOf('a.h5', overwrite(plain, 13, Uint8Array.of(3)))).toContain('header-corrupt');
    expect(await codesOf('a.h5', overwrite(plain, 40, u64(2n ** 50n)))).toContain('file-truncated');
  });

  it.each(['TREE', 'SNOD', 'HEAP'])('of a %s', async (signature) => {
    for (const at of find(plain, signature))
      expect(await codesOf('a.h5', overwrite(plain, at, u32(0)))).toContain('header-corrupt');
  });

  it.each(['OHDR', 'FRHP', 'BTHD', 'BTLF', 'FAHD'])('of an %s', async (signature) => {
    const offsets = find(latest, signature);
    expect(offsets.length).toBeGreaterThan(0);
    for (const at of offsets) await inspectHostile(memoryTree('a.h5', { 'a.h5': overwrite(latest, at, u32(0)) }));
  });

  it.each<[string, (fields: Fields) => unknown]>([
    ['a byte', (fields) => [fields.skip(3), fields.u8()]],
    ['two bytes', (fields) => [fields.skip(2), fields.u16()]],
    ['four bytes', (fields) => fields.u32()],
    ['a length', (fields) => fields.length()],
    ['an address', (fields) => fields.address()],
    ['a text', (fields) => fields.text(4)],
    ['a part', (fields) => fields.part(4)],
    ['a step back', (fields) => fields.skip(-1)],
  ])('of a structure that ends before %s', (_, use) => {
    const fields = new Fields(new Uint8Array(3), { offsetBytes: 4, lengthBytes: 4, base: 0 }, 0);
    expect(() => use(fields)).toThrowError(expect.objectContaining({ name: 'FormatError', code: 'corrupt' }) as Error);
  });

  it('of an array of chunks', async () => {
    for (const at of find(latest, 'FAHD')) {
      // Bits of the number of entries in a page.
      expect(await codesOf('a.h5', overwrite(latest, at + 7, Uint8Array.of(32)))).toContain('header-corrupt');
    }
  });

  it('of a layout whose data reach over the end of the file', async () => {
    const { report, tensors } = await inspectCheckpoint(memoryTree('a.h5', { 'a.h5': plain }), { path: 'a.h5' });
    const bytes = listTensors(tensors, report.files)[0]?.bytes ?? 0;
    // Version 3, contiguous, an address, the length.
    const view = new DataView(plain.buffer, plain.byteOffset, plain.byteLength);
    const layouts = find(plain, '\x03\x01').filter(
      (at) => at + 18 <= plain.byteLength && view.getBigUint64(at + 10, true) === BigInt(bytes),
    );
    expect(layouts.length).toBeGreaterThan(0);
    for (const at of layouts)
      expect(await codesOf('a.h5', overwrite(plain, at + 10, u64(plain.byteLength)))).toContain('tensor-out-of-range');
  });

  it('an index that contains itself ends', async () => {
    for (const at of find(plain, 'TREE')) {
      // Level 1, one child: the node itself.
      const loop = overwrite(overwrite(plain, at + 5, Uint8Array.of(1, 1, 0)), at + 32, u64(at));
      await inspectHostile(memoryTree('a.h5', { 'a.h5': loop }));
    }
  });
});
