/** Wherever a length could stand: 0, the largest value and 2^63 in its place, and random bytes. Always a report with exact sums. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overwrite, u32, u64 } from '../builders/byteWriter.js';
import { memoryTree } from '../builders/memoryTree.js';
import { inspectHostile } from './accountable.js';
import { fixtureFiles } from './fixtureFiles.js';

const values: [name: string, bytes: Uint8Array][] = [
  ['u32 0', u32(0)],
  ['u32 max', u32(0xffffffff)],
  ['u64 0', u64(0)],
  ['u64 max', u64(0xffffffffffffffffn)],
  ['2^63', u64(2n ** 63n)],
];
const edgeBytes = 700;
/** Offsets between the edges are met in steps of this; odd, so that all alignments are. */
const step = 499;

function offsetsOf(size: number): number[] {
  return Array.from({ length: size - 8 }, (_, offset) => offset).filter(
    (offset) => offset < edgeBytes || offset > size - edgeBytes || offset % step === 0,
  );
}

const files = fixtureFiles(['torch', 'safetensors', 'gguf', 'misc'], 20_000);

describe.each(files)('$name', ({ name, bytes }) => {
  const fileName = name.slice(name.lastIndexOf('/') + 1);

  it('survives every field replaced', async () => {
    for (const offset of offsetsOf(bytes.byteLength)) {
      for (const [, value] of values) await inspectHostile(memoryTree('field', { [fileName]: overwrite(bytes, offset, value) }));
    }
  });

  it('survives random damage', async () => {
    const damage = fc.array(fc.record({ at: fc.nat(bytes.byteLength - 1), byte: fc.nat(255) }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(damage, async (changes) => {
        const copy = bytes.slice();
        for (const { at, byte } of changes) copy[at] = byte;
        await inspectHostile(memoryTree('random', { [fileName]: copy }));
      }),
      { numRuns: 150, seed: 20 },
    );
  });
});

it('runs over real files', () => expect(files.length).toBeGreaterThan(15));
