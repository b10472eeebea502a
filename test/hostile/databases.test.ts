/** Databases of real checkpoints, cut and with every field replaced: a report with exact sums, also where checksums were made to fit. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { overwrite, u32, u64 } from '../builders/byteWriter.js';
import { filesBelow } from '../builders/diskTree.js';
import { memoryTree } from '../builders/memoryTree.js';
import { resealed } from '../builders/ocdbtBuilder.js';
import { inspectHostile, isNoticed } from './accountable.js';

const fixtures = path.resolve('test/fixtures/frameworks/orbax');
/** Uncompressed nodes, so that fields are where they are; then a checkpoint as Orbax writes it. */
const plain = filesBelow(path.join(fixtures, 'ts-ocdbt-nocompress/data/db'));
const packed = filesBelow(path.join(fixtures, 'pytree-mixed-leaves/data/ckpt'));
const zarr = filesBelow(path.join(fixtures, 'prng-keys/data/run/3'));

type Files = Record<string, Uint8Array>;

const values = [u32(0), u32(0xffffffff), u64(0xffffffffffffffffn), u64(2n ** 63n), u64(2n ** 52n)];

/** Manifests, and the data files that the newest version refers to: damage to the others is read by nobody. */
async function objectsOf(files: Files): Promise<string[]> {
  const report = await inspectHostile(memoryTree('db', files));
  return report.files.filter(({ role }) => role === 'manifest' || role === 'array data').map((file) => file.path);
}

async function inspectDamaged(files: Files, step: number, replacements: readonly Uint8Array[]): Promise<void> {
  for (const name of await objectsOf(files)) {
    const bytes = files[name] as Uint8Array;
    for (let at = 0; at + 8 <= bytes.byteLength; at += bytes.byteLength < 300 ? 1 : step)
      for (const value of replacements)
        await inspectHostile(memoryTree('db', { ...files, [name]: resealed(overwrite(bytes, at, value)) }));
  }
}

describe('an OCDBT database', () => {
  it('survives every field replaced, with checksums that fit', async () => {
    await inspectDamaged(plain, 13, values);
  }, 120_000);

  it('survives every byte replaced, with checksums that fit', async () => {
    const all = [0x00, 0x01, 0x7f, 0x80, 0xff].map((value) => Uint8Array.of(value));
    await inspectDamaged(plain, 11, all);
  }, 120_000);

  it('of Orbax survives damage to compressed nodes', async () => {
    await inspectDamaged(packed, 7, values.slice(0, 2));
  }, 120_000);
});

describe.each([
  ['an OCDBT database', plain],
  ['an Orbax checkpoint', packed],
  ['arrays of zarr', zarr],
])('%s', (_, files) => {
  it('survives every file cut or gone, and says so of manifests', async () => {
    for (const [name, bytes] of Object.entries(files)) {
      const lengths = Array.from({ length: bytes.byteLength }, (__, length) => length).filter(
        (length) => bytes.byteLength < 150 || length < 40 || length % 97 === 0,
      );
      for (const length of lengths) {
        const report = await inspectHostile(memoryTree('ckpt', { ...files, [name]: bytes.subarray(0, length) }));
        if (/^manifest\.ocdbt|\.zarray$/.test(name)) expect(isNoticed(report), `${name} cut to ${length}`).toBe(true);
      }
      const { [name]: gone, ...rest } = files;
      expect(gone).toBeDefined();
      await inspectHostile(memoryTree('ckpt', rest));
    }
  }, 120_000);
});
