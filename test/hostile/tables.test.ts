/** Arrow and Parquet files cut anywhere, with fields replaced, and with random damage; those with text too, which is sampled. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overwrite, u32, u64 } from '../builders/byteWriter.js';
import { memoryTree } from '../builders/memoryTree.js';
import { inspectAnyHostile, isNoticed } from './accountable.js';

const folders = [
  'arrow-awkward',
  'arrow-polars',
  'arrow-ipc-file',
  'arrow-map-cache',
  'parquet-writers',
  'parquet-text-shards',
].map((name) => `frameworks/datasets/${name}/data`);

const files = [...folders, 'text-tables'].flatMap((folder) => {
  const root = path.resolve('test/fixtures', folder);
  return (readdirSync(root, { recursive: true }) as string[])
    .filter((file) => /\.(arrow|parquet)$/.test(file))
    .map((file) => ({
      name: `${folder}/${file}`,
      file: path.basename(file),
      bytes: new Uint8Array(readFileSync(path.join(root, file))),
    }));
});

/** The ends at every byte, what lies between in steps of a prime. */
const edgeBytes = 250;

function offsetsOf(size: number, edge: number, step: number): number[] {
  return Array.from({ length: size }, (_, offset) => offset).filter(
    (offset) => offset < edge || offset >= size - edge || offset % step === 0,
  );
}

const values: readonly Uint8Array[] = [u32(0), u32(0xffffffff), u64(0xffffffffffffffffn), u64(2n ** 40n), u64(2n ** 63n)];

describe.each(files)('$name', ({ file, bytes }) => {
  it('is noticed wherever it is cut', async () => {
    const silent: number[] = [];
    for (const length of offsetsOf(bytes.byteLength, edgeBytes, 61)) {
      const report = await inspectAnyHostile(memoryTree('cut', { [file]: bytes.subarray(0, length) }));
      if (!isNoticed(report)) silent.push(length);
    }
    expect(silent).toEqual([]);
  });

  it('survives every field replaced', async () => {
    // 3 and 5 have no common divisor with each other: each place meets each value in some file.
    let turn = 0;
    for (const offset of offsetsOf(bytes.byteLength - 8, 3 * edgeBytes, 61)) {
      if (offset % 3 !== 0 && bytes.byteLength > 2_000) continue;
      const value = values[turn++ % values.length] as Uint8Array;
      await inspectAnyHostile(memoryTree('field', { [file]: overwrite(bytes, offset, value) }));
    }
  });

  it('survives random damage', async () => {
    const damage = fc.array(fc.record({ at: fc.nat(bytes.byteLength - 1), byte: fc.nat(255) }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(damage, async (changes) => {
        const copy = bytes.slice();
        for (const { at, byte } of changes) copy[at] = byte;
        await inspectAnyHostile(memoryTree('random', { [file]: copy }));
      }),
      { numRuns: 40, seed: 5 },
    );
  });
});

it('runs over real files', () => expect(files.length).toBeGreaterThan(25));
