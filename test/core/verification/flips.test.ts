/** A bit that is the other way, anywhere in the fixtures: noticed where a sum covers it, everywhere with a manifest, and never in another file. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { decompress } from 'fzstd';
import { describe, expect, it } from 'vitest';
import { isExhaustive, seed } from '../../builders/seed.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { fileOf, flipped, passesHere } from '../../builders/verification.js';
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

/** Whether a compressed file has the same content with that bit the other way. */
function isSameUnpacked(name: string, bytes: Uint8Array, bit: number): boolean {
  const unpack = Object.entries(unpackers).find(([ending]) => name.endsWith(ending))?.[1];
  if (unpack === undefined) return false;
  return Buffer.from(unpack(bytes)).equals(Buffer.from(unpack(flipped(bytes, bit))));
}

const unpackers: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  '.gz': (bytes) => gunzipSync(bytes),
  '.zst': (bytes) => decompress(bytes),
  '.zip': (bytes) => Buffer.concat(Object.values(unzipSync(bytes))),
  '.keras': (bytes) => Buffer.concat(Object.values(unzipSync(bytes))),
  '.npz': (bytes) => Buffer.concat(Object.values(unzipSync(bytes))),
};

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
          if (failed.length === 0 && isSameUnpacked(name, files[name] as Uint8Array, bit)) continue;
          expect(
            failed.map((file) => file.path),
            place,
          ).toEqual([name]);
          expect(fileOf(damaged.report, name).status, place).toBe('changed');
        }
      }
    }
    expect(flips).toBeGreaterThan(300);
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
        if (bytes.byteLength === 0) continue;
        const bit = below(8 * bytes.byteLength);
        const { report } = await verified({ ...files, [name]: flipped(bytes, bit) }, manifest);
        const failed = report.files.filter(({ status }) => isFailure(status));
        expect(
          failed.map((file) => file.path),
          `${root}/${name}, bit ${bit}`,
        ).toEqual([name]);
        const { damage } = fileOf(report, name);
        expect(
          damage.some((extent) => isCovered([extent], bit)),
          `${root}/${name}, bit ${bit}`,
        ).toBe(true);
        flips += 1;
      }
    }
    expect(flips).toBeGreaterThan(200);
  }, 600_000);
});
