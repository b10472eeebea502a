/** No byte of a small file is read twice in an inspection. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../src/core/bytes/memorySource.js';
import { ReadMemory } from '../../../src/core/bytes/readMemory.js';
import { inspect } from '../../../src/core/inspection/inspect.js';
import { patternBytes } from '../../builders/byteWriter.js';
import { filesBelow } from '../../builders/diskTree.js';
import { casesBelow, fixtureRoot } from '../../builders/frameworkFixtures.js';
import { memoryTree } from '../../builders/memoryTree.js';

const bytes = patternBytes(1000);

/** A source over `bytes`, and what was read of it. */
function logged(content: Uint8Array = bytes): { source: ReturnType<typeof memorySource>; reads: [number, number][] } {
  const source = memorySource('a', content);
  const reads: [number, number][] = [];
  const read = (offset: number, length: number): Promise<Uint8Array> => {
    reads.push([offset, length]);
    return source.read(offset, length);
  };
  return { source: { ...source, read }, reads };
}

describe('reads of one file', () => {
  it('get what is missing, and join it with what is kept', async () => {
    const memory = new ReadMemory();
    const { source, reads } = logged();
    for (const [offset, length] of [
      [100, 50],
      [300, 100],
      [120, 10],
      [50, 400],
      [0, 1000],
      [0, 1000],
    ] as const)
      expect(await memory.over('a', source).read(offset, length)).toEqual(bytes.subarray(offset, offset + length));
    expect(reads).toEqual([
      [100, 50],
      [300, 100],
      [50, 50],
      [150, 150],
      [400, 50],
      [0, 50],
      [450, 550],
    ]);
  });

  it('wait for one of the same bytes that is under way', async () => {
    const memory = new ReadMemory();
    const { source, reads } = logged();
    const ranges = [
      [100, 200],
      [100, 200],
      [150, 250],
      [50, 100],
      [0, 1000],
    ] as const;
    const found = await Promise.all(ranges.map(([offset, length]) => memory.over('a', source).read(offset, length)));
    expect(found).toEqual(ranges.map(([offset, length]) => bytes.subarray(offset, offset + length)));
    expect(reads.reduce((sum, [, length]) => sum + length, 0)).toBe(1000);
  });

  it('read for themselves where the one under way fails', async () => {
    const memory = new ReadMemory();
    const { source, reads } = logged();
    let failures = 1;
    const read = (offset: number, length: number): Promise<Uint8Array> =>
      failures-- > 0 ? Promise.reject(new Error('gone')) : source.read(offset, length);
    const failing = memory.over('a', { ...source, read });
    const found = await Promise.allSettled([failing.read(0, 10), failing.read(5, 10)]);
    expect(found.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(reads).toEqual([[5, 10]]);
  });

  it('at random places read each byte once', async () => {
    const memory = new ReadMemory();
    const { source, reads } = logged();
    const seeds = patternBytes(600);
    for (let at = 0; at + 3 < seeds.length; at += 3) {
      const offset = ((seeds[at] as number) * 4) % 1000;
      const length = Math.min(1 + (seeds[at + 1] as number), 1000 - offset);
      expect(await memory.over('a', source).read(offset, length)).toEqual(bytes.subarray(offset, offset + length));
    }
    expect(reads.reduce((sum, [, length]) => sum + length, 0)).toBeLessThanOrEqual(1000);
  });

  it('outside of it fail as they did', async () => {
    const { source } = logged();
    await expect(new ReadMemory().over('a', source).read(990, 20)).rejects.toMatchObject({ code: 'truncated' });
  });

  it('that changed its size are not answered from before', async () => {
    const memory = new ReadMemory();
    await memory.over('a', logged().source).read(0, 10);
    const { source, reads } = logged(patternBytes(500, 2));
    expect(await memory.over('a', source).read(0, 10)).toEqual(patternBytes(500, 2).subarray(0, 10));
    expect(reads).toHaveLength(1);
  });
});

describe('what is kept', () => {
  it('is no more than its bound: the file that was not used for longest goes first', async () => {
    const memory = new ReadMemory(1500);
    const [first, second] = [logged(), logged()];
    await memory.over('first', first.source).read(0, 1000);
    await memory.over('second', second.source).read(0, 1000);
    await memory.over('second', second.source).read(0, 1000);
    await memory.over('first', first.source).read(0, 1000);
    expect([first.reads.length, second.reads.length]).toEqual([2, 1]);
  });

  it('is nothing of a larger file', async () => {
    const memory = new ReadMemory(999);
    const { source } = logged();
    expect(memory.over('a', source)).toBe(source);
  });
});

describe.each(['dataset', 'checkpoint'] as const)('a %s', (kind) => {
  it.each(casesBelow(fixtureRoot, kind))('is read once: %s', async (name) => {
    const files = filesBelow(path.join(fixtureRoot, name, 'data'));
    for (const changed of [files, withEach(files, (content) => content.subarray(0, Math.floor(content.length * 0.7)))]) {
      const { report } = await inspect(memoryTree('data', changed), { path: 'data' });
      const totalBytes = Object.values(changed).reduce((sum, { byteLength }) => sum + byteLength, 0);
      expect(report.io.bytesRead).toBeLessThanOrEqual(totalBytes);
    }
  });
});

function withEach(
  files: Readonly<Record<string, Uint8Array>>,
  change: (content: Uint8Array) => Uint8Array,
): Record<string, Uint8Array> {
  return Object.fromEntries(Object.entries(files).map(([name, content]) => [name, change(content)]));
}
