/** Saves of torch.distributed.checkpoint with damage to their index and their ranks' files: exact sums, and the damage is said. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { overwrite } from '../builders/byteWriter.js';
import { filesBelow } from '../builders/diskTree.js';
import { memoryTree } from '../builders/memoryTree.js';
import { inspectHostile } from './accountable.js';
import { fieldValues, sweepCuts, sweepFields, sweepRandomDamage } from './damage.js';
import type { HostileFile } from './fixtureFiles.js';

const fixtures = path.resolve('test/fixtures/frameworks');
const saved = filesBelow(path.join(fixtures, 'dcp/fsdp2-app-2r/data/step_3'));
const compressed = filesBelow(path.join(fixtures, 'dcp/zstd-2r/data'));
const unfinished = filesBelow(path.join(fixtures, 'dcp/unfinished-2r/data'));
const slices = filesBelow(path.join(fixtures, 'dcp/hf-writer-sharded-only/data'));

type Files = Record<string, Uint8Array>;

const without = (files: Files, name: string): Files =>
  Object.fromEntries(Object.entries(files).filter(([path]) => path !== name));
const fileOf = (name: string, beside: Files, path: string): HostileFile => ({
  name: `${name}/${path}`,
  root: 'step_3',
  path,
  bytes: beside[path] as Uint8Array,
  beside,
  shape: name,
});
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
    await sweepCuts(fileOf('dcp/fsdp2-app-2r', saved, '.metadata'), { edge: 32, nearEdge: 16, headers: 16, rest: 64 });
  });

  it('gives a report whatever the bytes of its index are', async () => {
    const index = fileOf('dcp/fsdp2-app-2r', saved, '.metadata');
    await sweepFields(
      index,
      { edge: 4, nearEdge: 16, headers: 16, rest: 80 },
      { values: [...fieldValues, { name: 'STOP', bytes: Uint8Array.of(0x2e) }] },
    );
    await sweepRandomDamage(index, 40, 4000);
  });

  it('gives a report whatever the bytes of a rank’s file are', async () => {
    for (const [name, files] of [
      ['dcp/fsdp2-app-2r', saved],
      ['dcp/zstd-2r', compressed],
    ] as const)
      await sweepFields(fileOf(name, files, '__0_0.distcp'), {
        edge: 1,
        nearEdge: 12,
        headers: 12,
        rest: 24,
        exhaustive: 20_000,
      });
  });

  it('notices a rank’s file that is cut, empty or missing', async () => {
    const data = saved['__1_0.distcp'] as Uint8Array;
    expect(await codesOf({ ...saved, '__1_0.distcp': new Uint8Array(0) })).toContain('file-empty');
    for (const length of [1, 1000, data.byteLength - 1])
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
