/** What one inspection decompresses, of all of its files together. */
import { gzipSync, deflateSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { unpack } from '../../../src/core/bytes/unpack.js';
import { ofBeginning, UnpackBudget } from '../../../src/core/bytes/unpackBudget.js';
import { concat, u64, utf8 } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { global, reduce, str, tuple } from '../../builders/pickleBuilder.js';
import { buildTar } from '../../builders/tarBuilder.js';
import { inspectAnyHostile } from '../../hostile/accountable.js';

it('grows with what was read, and shrinks with what was decompressed', () => {
  const counter = { bytesRead: 0 };
  const budget = new UnpackBudget(counter);
  expect(budget.roomBytes).toBe(limits.unpackedBytes);
  budget.charge(limits.unpackedBytes + 100);
  expect(budget.roomBytes).toBe(0);
  counter.bytesRead = 10;
  expect(budget.roomBytes).toBe(10 * limits.unpackedPerByteRead - 100);
});

it('is shared by what is decompressed one after the other', async () => {
  const unpacking = ofBeginning(undefined);
  const packed = gzipSync(Buffer.alloc(limits.unpackedBytes - 1000));
  expect((await unpack(packed, 'gzip', Infinity, unpacking)).isWhole).toBe(true);
  expect(await unpack(packed, 'gzip', Infinity, unpacking)).toMatchObject({ isWhole: false, bytes: { byteLength: 1000 } });
});

/** A pickle of 20 MiB of zeros, with a call at its end. */
const large = concat(
  Uint8Array.of(0x80, 4, 0x8e),
  u64(BigInt(20 * 1024 * 1024)),
  new Uint8Array(20 * 1024 * 1024),
  utf8('0'),
  reduce(global('os', 'system'), tuple(str('true'))),
  utf8('.'),
);
const files = 5;

describe.each([
  ['gzip', 'model.pkl', () => gzipSync(large)],
  ['zlib', 'model.joblib', () => deflateSync(large)],
  ['members of a zip archive', 'model.zip', () => zipSync({ 'a.pkl': large })],
  ['members of an npz archive', 'model.npz', () => zipSync({ 'a.pkl': large })],
  ['the record of a torch archive', 'model.pt', () => zipSync({ 'archive/data.pkl': large, 'archive/version': utf8('3\n') })],
])('%s', (_, name, make) => {
  it('of several files unpack to no more than one of them may, and what is not scanned is reported', async () => {
    const packed = new Uint8Array(make());
    const tree = Object.fromEntries(Array.from({ length: files }, (_unused, index) => [`${index}/${name}`, packed]));
    const { findings } = await inspectAnyHostile(memoryTree('saved', tree));
    const count = (code: string): number => new Set(findings.filter((each) => each.code === code).map(({ path }) => path)).size;
    expect(count('pickle-calls-unexpected')).toBe(1);
    expect(count('pickle-not-scanned')).toBe(files - 1);
    const reasons = findings.filter(({ code }) => code === 'pickle-not-scanned').map(({ message }) => message);
    expect(reasons.filter((reason) => !reason.includes('used up'))).toEqual([]);
  });
});

it('a pickle behind the unpacked beginning of a tar archive is reported', async () => {
  const tar = buildTar([{ name: 'a.pkl', data: large }]);
  const { findings } = await inspectAnyHostile(memoryTree('shards', { 'shard-0.tar.gz': new Uint8Array(gzipSync(tar)) }));
  expect(findings.map(({ code }) => code)).toContain('pickle-not-scanned');
});
