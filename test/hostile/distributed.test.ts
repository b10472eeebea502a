/** Saves of torch.distributed.checkpoint with damage to their index and their ranks' files: exact sums, and the damage is said. */
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overwrite, u32, u64 } from '../builders/byteWriter.js';
import { filesBelow } from '../builders/diskTree.js';
import { memoryTree } from '../builders/memoryTree.js';
import { inspectHostile, isNoticed } from './accountable.js';

const fixtures = path.resolve('test/fixtures/frameworks');
const saved = filesBelow(path.join(fixtures, 'dcp/fsdp2-app-2r/data/step_3'));
const compressed = filesBelow(path.join(fixtures, 'dcp/zstd-2r/data'));
const unfinished = filesBelow(path.join(fixtures, 'dcp/unfinished-2r/data'));
const slices = filesBelow(path.join(fixtures, 'dcp/hf-writer-sharded-only/data'));

type Files = Record<string, Uint8Array>;

const without = (files: Files, name: string): Files =>
  Object.fromEntries(Object.entries(files).filter(([path]) => path !== name));
const codesOf = async (files: Files): Promise<string[]> =>
  (await inspectHostile(memoryTree('step_3', files))).findings.map(({ code }) => code);

describe('a distributed save', () => {
  it('is whole as it was written', async () => {
    expect(await codesOf(saved)).toEqual([]);
  });

  it('counts no files of an earlier save among its ranks', async () => {
    const stale = { '__2_0.distcp': new Uint8Array(1000), '__7_0.distcp': new Uint8Array(1000) };
    const report = await inspectHostile(memoryTree('step_3', { ...saved, ...stale }));
    expect(report.findings.map(({ code }) => code)).toEqual(['stale-files']);
    expect(report.ranks.map(({ rank }) => rank)).toEqual(['0', '1']);
    expect(report.topology.worldSize).toBe(2);
    expect(report.files.filter(({ role }) => role === 'left from an earlier save')).toHaveLength(2);
  });

  it('notices an index that is cut anywhere', async () => {
    const index = saved['.metadata'] as Uint8Array;
    for (let length = 0; length < index.byteLength; length += length < 64 || length > index.byteLength - 64 ? 1 : 61) {
      const report = await inspectHostile(memoryTree('cut', { ...saved, '.metadata': index.subarray(0, length) }));
      expect(isNoticed(report), `cut at ${length}`).toBe(true);
    }
  }, 120_000);

  it('gives a report whatever the bytes of its index are', async () => {
    const index = saved['.metadata'] as Uint8Array;
    const patch = fc.record({
      at: fc.nat(index.byteLength - 9),
      value: fc.constantFrom(u32(0), u32(0xffffffff), u64(2n ** 53n), Uint8Array.of(0x2e)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(patch, { minLength: 1, maxLength: 4 }), async (patches) => {
        const damaged = patches.reduce((bytes, { at, value }) => overwrite(bytes, at, value), index);
        await inspectHostile(memoryTree('patched', { ...saved, '.metadata': damaged }));
      }),
      { numRuns: 400, seed: 5 },
    );
  }, 120_000);

  it('gives a report whatever the bytes of a rank’s file are', async () => {
    for (const files of [saved, compressed]) {
      const data = files['__0_0.distcp'] as Uint8Array;
      for (let at = 0; at + 8 < Math.min(data.byteLength, 20_000); at += 191)
        await inspectHostile(memoryTree('patched', { ...files, '__0_0.distcp': overwrite(data, at, u64(2n ** 64n - 1n)) }));
    }
  }, 120_000);

  it('notices a rank’s file that is cut, empty or missing', async () => {
    const data = saved['__1_0.distcp'] as Uint8Array;
    for (const length of [0, 1, 1000, data.byteLength - 1])
      expect(await codesOf({ ...saved, '__1_0.distcp': data.subarray(0, length) })).toContain('file-truncated');
    expect(await codesOf(without(saved, '__1_0.distcp'))).toContain('rank-file-missing');
  });

  it('notices a block of zeros at either end of a rank’s file', async () => {
    const data = saved['__1_0.distcp'] as Uint8Array;
    const zeros = new Uint8Array(4096);
    expect(await codesOf({ ...saved, '__1_0.distcp': overwrite(data, 0, zeros) })).toContain('file-zero-filled');
    expect(await codesOf({ ...saved, '__1_0.distcp': overwrite(data, data.byteLength - 4096, zeros) })).toContain(
      'file-zero-filled',
    );
    const other = compressed['__0_0.distcp'] as Uint8Array;
    expect(await codesOf({ ...compressed, '__0_0.distcp': overwrite(other, 0, zeros) })).not.toEqual([]);
    expect(await codesOf(compressed)).toEqual([]);
  });

  it('calls a save without its index unfinished, and says what it still holds', async () => {
    expect(await codesOf(without(saved, '.metadata'))).toEqual(expect.arrayContaining(['save-unfinished', 'save-unindexed']));
    const cut = { ...unfinished, '__1_0.distcp': (unfinished['__1_0.distcp'] as Uint8Array).subarray(0, 30_000) };
    const report = await inspectHostile(memoryTree('cut', cut));
    expect(report.resume.verdict).toBe('broken');
    expect(report.components.unexplained?.otherBytes).toBe(report.totalBytes);
  });

  it('names files that nothing refers to', async () => {
    expect(await codesOf({ ...saved, '__7_0.distcp': new Uint8Array(500) })).toEqual(['stale-files']);
  });

  it('notices an index that is another thing', async () => {
    expect(await codesOf({ ...saved, '.metadata': new TextEncoder().encode('{"version": 1}') })).toContain('file-not-its-format');
  });
});

describe('slices of ranks in safetensors', () => {
  it('are put together', async () => {
    const report = await inspectHostile(memoryTree('sharded', slices));
    expect(report.parameters.unique).toBe(13_920);
    expect(report.findings).toEqual([]);
  });

  it('are noticed when one is missing or cut', async () => {
    const [first = ''] = Object.keys(slices);
    expect(await codesOf(without(slices, first))).toContain('tensor-slices-missing');
    expect(await codesOf({ ...slices, [first]: (slices[first] as Uint8Array).subarray(0, 4_000) })).toContain('file-truncated');
  });
});
