/**
 * Files of real datasets cut, and with fields replaced, each among its intact neighbours: always a report with exact sums, and damage
 * of what was read is noticed.
 */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { overwrite, u32, u64 } from '../builders/byteWriter.js';
import { memoryTree } from '../builders/memoryTree.js';
import { inspectAnyHostile, isNoticed } from './accountable.js';

interface HostileCase {
  /** Directory below the fixtures of frameworks; `datasets` unless told. */
  family?: string;
  name: string;
  /** Which files to damage; one of a kind says as much as all of them. */
  files: RegExp;
  /** Cuts that cannot be noticed: nothing states how long the file is. */
  silent?: RegExp;
}

const cases: HostileCase[] = [
  { name: 'mds-bytes-zstd', files: /index\.json|00000/ },
  { name: 'mds-json-xsv', files: /index\.json|00000/ },
  { name: 'mds-merged', files: /^index\.json|0\/shard\.00000/ },
  { name: 'mds-tokens', files: /val\/index\.json|val\/shard\.00001/ },
  { name: 'litdata-tokens', files: /index\.json|chunk-0-0/ },
  { name: 'litdata-samples', files: /index\.json|chunk-0-5/ },
  // The last line of .metadata repeats the number for people.
  { name: 'datatrove', files: /00000/, silent: /metadata$/ },
  // Nothing states how many tokens there are; odd sizes are noticed.
  { name: 'bin-nanogpt', files: /meta\.pkl|val\.bin/, silent: /val\.bin/ },
  { family: 'megatron-indexed', name: 'u16-multidoc', files: /\.(idx|bin)$/ },
  { family: 'megatron-indexed', name: 'multimodal-modes', files: /\.idx$/ },
];

const root = path.resolve('test/fixtures/frameworks');

function filesOf(family: string, name: string): Record<string, Uint8Array> {
  const data = path.join(root, family, name, 'data');
  const files = (readdirSync(data, { recursive: true }) as string[]).filter((file) => statSync(path.join(data, file)).isFile());
  return Object.fromEntries(
    files.map((file) => [file.split(path.sep).join('/'), new Uint8Array(readFileSync(path.join(data, file)))]),
  );
}

/** Every byte of short files and of both ends of long ones; a prime step between. */
function placesIn(size: number): number[] {
  return Array.from({ length: size }, (_, at) => at).filter((at) => at < 160 || at > size - 24 || at % 211 === 0);
}

describe.each(cases)('$name', ({ family = 'datasets', name, files: pattern, silent }) => {
  const intact = filesOf(family, name);
  const targets = Object.keys(intact).filter((file) => pattern.test(file));

  it('is damaged in some file', () => expect(targets.length).toBeGreaterThan(0));

  it.each(targets)('says so where %s is cut', async (file) => {
    const bytes = intact[file] as Uint8Array;
    const unnoticed: number[] = [];
    for (const length of placesIn(bytes.byteLength)) {
      const report = await inspectAnyHostile(memoryTree(name, { ...intact, [file]: bytes.subarray(0, length) }));
      if (!isNoticed(report)) unnoticed.push(length);
    }
    if (silent?.test(file) !== true) expect(unnoticed).toEqual([]);
  });

  it.each(targets)('survives every field of %s replaced', async (file) => {
    const bytes = intact[file] as Uint8Array;
    for (const offset of placesIn(bytes.byteLength - 8))
      for (const value of [u32(0), u32(0xffffffff), u64(2n ** 40n), u64(0xffffffffffffffffn)])
        await inspectAnyHostile(memoryTree(name, { ...intact, [file]: overwrite(bytes, offset, value) }));
  });
});
