/** A bit that is the other way, anywhere in the fixtures: noticed where a sum covers it, everywhere with a manifest, and never in another file. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { decompress } from 'fzstd';
import { describe, expect, it } from 'vitest';
import { isExhaustive, seed } from '../../builders/seed.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { fileOf, flipped, passesHere } from '../../builders/verification.js';
import { memorySource } from '../../../src/core/bytes/memorySource.js';
import { readZipDirectory } from '../../../src/core/formats/zip.js';
import { openZipRecord } from '../../../src/core/formats/zipRecord.js';
import type { Manifest, ManifestFile } from '../../../src/core/verification/expected.js';
import { manifestBlockBytes } from '../../../src/core/verification/manifest/manifestFile.js';
import { isFailure, type Extent } from '../../../src/core/verification/verification.js';
import { type VerifiedTree, verifyTree } from '../../../src/core/verification/verifyTree.js';

type Files = Record<string, Uint8Array>;

/** Directories that are verified by themselves: a fixture each. */
function fixtures(): string[] {
  const below = (root: string): string[] => readdirSync(root).map((name) => path.join(root, name));
  const kinds = below('test/fixtures/frameworks').filter((each) => statSync(each).isDirectory());
  return ['test/fixtures/verification', ...kinds.flatMap(below)].filter((each) => statSync(each).isDirectory());
}

function filesIn(root: string): Files {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(path.join(root, name)).isFile());
  return Object.fromEntries(
    files.map((name) => [name.split(path.sep).join('/'), new Uint8Array(readFileSync(path.join(root, name)))]),
  );
}

function verified(files: Files, manifest: Manifest | null, isListed = false): Promise<VerifiedTree> {
  return verifyTree({
    path: 'checkpoint',
    tree: memoryTree('checkpoint', files),
    passes: passesHere,
    manifest,
    manifestPath: null,
    listing: isListed ? { known: new Map(), add: async () => undefined } : null,
    clock: () => 0,
    onProgress: () => undefined,
    signal: undefined,
  });
}

/** xorshift32 (Marsaglia, 2003). */
let state = seed | 1;
function below(limit: number): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % limit;
}

function anyBit(extents: readonly Extent[]): number {
  const full = extents.filter(({ length }) => length > 0);
  const { offset, length } = full[below(full.length)] as Extent;
  return 8 * (offset + below(length)) + below(8);
}

function isCovered(extents: readonly Extent[], bit: number): boolean {
  return extents.some(({ offset, length }) => bit >= 8 * offset && bit < 8 * (offset + length));
}

/** Whether another program unpacks the same with that bit the other way. */
async function isSameUnpacked(name: string, bytes: Uint8Array, bit: number): Promise<boolean> {
  const unpack = Object.entries(unpackers).find(([ending]) => name.endsWith(ending))?.[1];
  if (unpack === undefined) return false;
  const [whole, damaged] = [await unpack(bytes), await unpack(flipped(bytes, bit)).catch(() => null)];
  return damaged !== null && Buffer.from(whole).equals(Buffer.from(damaged));
}

const unpackers: Record<string, (bytes: Uint8Array) => Promise<Uint8Array>> = {
  '.gz': async (bytes) => gunzipSync(bytes),
  '.zst': async (bytes) => decompress(bytes),
  '.zip': unzipped,
  '.keras': unzipped,
  '.npz': unzipped,
};

/** Members of an archive one behind the other, unpacked by Node's zlib. */
async function unzipped(bytes: Uint8Array): Promise<Uint8Array> {
  const source = memorySource('archive', bytes);
  const members: Uint8Array[] = [];
  for (const entry of (await readZipDirectory(source)).entries) {
    const { dataOffset, storedBytes } = await openZipRecord(source, entry, 0);
    const data = bytes.subarray(dataOffset, dataOffset + storedBytes);
    members.push(entry.method === 8 ? inflateRawSync(data) : data);
  }
  return Buffer.concat(members);
}

/** In the gate one of a few fixtures is visited each day; their order is by the seed. */
const flipsAFile = isExhaustive ? 20 : 1;
const share = isExhaustive ? 1 : 4;

describe('a flipped bit', () => {
  const all = fixtures();
  const chosen = all.filter((name, index) => name.endsWith('verification') || (index + seed) % share === 0);

  it('in a region that a sum covers is noticed without a manifest, in its own file', async () => {
    let flips = 0;
    for (const root of chosen) {
      const files = filesIn(root);
      const { covered, report } = await verified(files, null);
      for (const { path: name } of report.files) {
        const extents = covered.get(name) ?? [];
        if (!extents.some(({ length }) => length > 0)) continue;
        for (let flip = 0; flip < flipsAFile * (root.endsWith('verification') ? 20 : 1); flip++) {
          const bit = anyBit(extents);
          const damaged = await verified({ ...files, [name]: flipped(files[name] as Uint8Array, bit) }, null);
          const failed = damaged.report.files.filter(({ status }) => isFailure(status));
          const place = `${root}/${name}, bit ${bit}`;
          flips += 1;
          // A sum over what is unpacked says nothing of bits that unpack to the same.
          if (failed.length === 0 && (await isSameUnpacked(name, files[name] as Uint8Array, bit))) continue;
          expect(
            failed.map((file) => file.path),
            place,
          ).toEqual([name]);
          expect(fileOf(damaged.report, name).status, place).toBe('changed');
        }
      }
    }
    expect(flips).toBeGreaterThan(isExhaustive ? 10_000 : 300);
  }, 600_000);

  it('anywhere is noticed with a manifest, in its own file and its block', async () => {
    let flips = 0;
    for (const root of chosen) {
      const files = filesIn(root);
      const { listed } = await verified(files, null, true);
      const manifest: Manifest = {
        blockBytes: manifestBlockBytes,
        files: new Map(listed.map((file): [string, ManifestFile] => [file.path, file])),
      };
      for (const [name, bytes] of Object.entries(files)) {
        for (let flip = 0; flip < (bytes.byteLength === 0 ? 0 : flipsAFile); flip++) {
          const bit = below(8 * bytes.byteLength);
          const { report } = await verified({ ...files, [name]: flipped(bytes, bit) }, manifest);
          const failed = report.files.filter(({ status }) => isFailure(status));
          const place = `${root}/${name}, bit ${bit}`;
          expect(
            failed.map((file) => file.path),
            place,
          ).toEqual([name]);
          const { damage } = fileOf(report, name);
          expect(
            damage.some((extent) => isCovered([extent], bit)),
            place,
          ).toBe(true);
          flips += 1;
        }
      }
    }
    expect(flips).toBeGreaterThan(isExhaustive ? 10_000 : 200);
  }, 600_000);

  it.each([
    ['lines.jsonl.gz', 29, 'a flag of gzip that is reserved'],
    ['lines.jsonl.gz', 303, 'codes of distances that are incomplete'],
    ['deflated.zip', 511, 'codes of distances that are incomplete'],
    ['deflated.zip', 3192, 'the length of a stored block and its complement'],
  ])('of %s, bit %i, is noticed where it unpacks to the same and zlib refuses it: %s', async (name, bit) => {
    const bytes = new Uint8Array(readFileSync(path.join('test/fixtures/verification', name)));
    const { report } = await verified({ [name]: flipped(bytes, bit) }, null);
    expect(fileOf(report, name).status).toBe('changed');
  });

  it('is noticed in all structures of HDF5 that a sum covers, whatever size a damaged one gives itself', async () => {
    const name = 'latest.h5';
    const bytes = new Uint8Array(readFileSync(path.join('test/fixtures/verification', name)));
    const { covered } = await verified({ [name]: bytes }, null);
    const structures = (covered.get(name) ?? []).filter(({ offset }) => offset < 1024);
    expect(structures.length).toBeGreaterThan(0);
    const missed: number[] = [];
    for (let bit = 0; bit < 8 * 1024; bit++) {
      if (!isCovered(structures, bit)) continue;
      const { report } = await verified({ [name]: flipped(bytes, bit) }, null);
      if (fileOf(report, name).status !== 'changed') missed.push(bit);
    }
    expect(missed).toEqual([]);
  });
});
