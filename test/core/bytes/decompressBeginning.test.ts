/** Streams of gzip and Zstandard: several members, cuts, bombs. */
import { ofBeginning } from '../../../src/core/bytes/unpackBudget.js';
import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { compressionOf } from '../../../src/core/bytes/compression.js';
import { decompressBeginning } from '../../../src/core/bytes/decompressBeginning.js';
import { FormatError } from '../../../src/core/bytes/formatError.js';
import { memorySource } from '../../../src/core/bytes/memorySource.js';
import { decompressZstd } from '../../../src/core/bytes/zstd.js';
import { concat, u32 } from '../../builders/byteWriter.js';

const text = new TextEncoder().encode(Array.from({ length: 5000 }, (_, line) => `line ${line} ${line * 7919}\n`).join(''));
const zst = new Uint8Array(readFileSync('test/fixtures/frameworks/datasets/jsonl/data/c.jsonl.zst'));
const raw = (bytes: Uint8Array): Uint8Array =>
  concat(u32(0xfd2fb528), Uint8Array.of(0, 0x58), u24((bytes.byteLength << 3) | 1), bytes);

function u24(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff);
}

async function all(bytes: Uint8Array, kind: 'gzip' | 'zstd', maxBytes = 1e9) {
  return decompressBeginning(memorySource('file', bytes), kind, maxBytes, ofBeginning(undefined));
}

describe('gzip', () => {
  const member = new Uint8Array(gzipSync(text));

  it('gives the whole content of several members', async () => {
    const { bytes, isWhole, consumedBytes } = await all(concat(member, member), 'gzip');
    expect(bytes.byteLength).toBe(2 * text.byteLength);
    expect(bytes.subarray(text.byteLength)).toEqual(text);
    expect([isWhole, consumedBytes]).toEqual([true, 2 * member.byteLength]);
  });

  it('leaves out zeros behind the last member, as on tapes', async () => {
    for (const zeros of [1, 3, 4, 9, 512, 40_000]) {
      const { bytes, isWhole } = await all(concat(member, member, new Uint8Array(zeros)), 'gzip');
      expect([bytes.byteLength, isWhole], String(zeros)).toEqual([2 * text.byteLength, true]);
    }
    for (const rest of [new Uint8Array(100).fill(1), concat(new Uint8Array(20_000), Uint8Array.of(1)), text])
      await expect(all(concat(member, rest), 'gzip')).rejects.toMatchObject({ code: 'corrupt' });
  });

  it('stops at the bound', async () => {
    const { bytes, isWhole } = await all(member, 'gzip', 1000);
    expect(bytes).toEqual(text.subarray(0, 1000));
    expect(isWhole).toBe(false);
  });

  it('takes no more of a bomb than it was asked for', async () => {
    const bomb = new Uint8Array(gzipSync(new Uint8Array(50_000_000)));
    const { bytes, isWhole, consumedBytes } = await all(bomb, 'gzip', 1_000_000);
    expect([bytes.byteLength, isWhole]).toEqual([1_000_000, false]);
    expect(consumedBytes).toBeLessThan(20_000);
  });

  it('says that it was cut, wherever it was', async () => {
    const small = new Uint8Array(gzipSync(text.subarray(0, 3000)));
    for (let length = 1; length < small.byteLength - 8; length++)
      await expect(all(small.subarray(0, length), 'gzip'), String(length)).rejects.toSatisfy((error) => FormatError.is(error));
  });
});

describe('zstd', () => {
  it('gives the whole content of several frames, skippable ones left out', async () => {
    const skippable = concat(u32(0x184d2a50), u32(5), new Uint8Array(5));
    const once = await all(zst, 'zstd');
    const twice = await all(concat(zst, skippable, raw(text.subarray(0, 100)), zst), 'zstd');
    expect(twice.bytes.byteLength).toBe(2 * once.bytes.byteLength + 100);
    expect(twice.isWhole).toBe(true);
  });

  it('refuses a window that no one writes', async () => {
    const huge = concat(u32(0xfd2fb528), Uint8Array.of(0, 0xf8), u24(1), new Uint8Array(20));
    await expect(all(huge, 'zstd')).rejects.toMatchObject({ code: 'limit-exceeded' });
  });

  it('gives the content of frames of a few bytes', async () => {
    const lines = Array.from({ length: 300 }, (_, at) => `${at}\n`);
    const frames = concat(...lines.map((line) => raw(new TextEncoder().encode(line))));
    expect(new TextDecoder().decode((await all(frames, 'zstd')).bytes)).toBe(lines.join(''));
    expect((await all(raw(Uint8Array.of(7)), 'zstd')).bytes).toEqual(Uint8Array.of(7));
  });

  it('does not move a large window for each block', async () => {
    const copyWithin = vi.spyOn(Uint8Array.prototype, 'copyWithin');
    const blocks = Array.from({ length: 20_000 }, (_, at) => concat(u24((1 << 3) | (at === 19_999 ? 1 : 0)), Uint8Array.of(at)));
    const window = Uint8Array.of(0, 17 << 3);
    const { bytes } = await all(concat(u32(0xfd2fb528), window, ...blocks), 'zstd');
    const moved = copyWithin.mock.calls.reduce((sum, [, start, end]) => sum + ((end ?? 0) - start), 0);
    copyWithin.mockRestore();
    expect([bytes.byteLength, bytes[299]]).toEqual([20_000, 299 & 255]);
    expect(moved).toBeLessThan(1_000_000);
  });

  it('refuses frames that need a dictionary', async () => {
    const frame = concat(u32(0xfd2fb528), Uint8Array.of(1, 0x58, 9), u24((1 << 3) | 1), Uint8Array.of(7));
    await expect(all(frame, 'zstd')).rejects.toMatchObject({ code: 'unsupported' });
    expect(() => decompressZstd(frame, 100)).toThrow('needs a dictionary');
  });

  it('copes with many empty frames', async () => {
    const frame = raw(new Uint8Array(0));
    const many = new Uint8Array(frame.byteLength * 50_000);
    for (let at = 0; at < many.byteLength; at += frame.byteLength) many.set(frame, at);
    expect((await all(many, 'zstd')).bytes.byteLength).toBe(0);
  });

  it('says that it was cut, wherever it was', async () => {
    for (let length = 5; length < zst.byteLength - 4; length += 3)
      await expect(all(zst.subarray(0, length), 'zstd'), String(length)).rejects.toSatisfy((error) => FormatError.is(error));
  });
});

it('knows both by their first bytes', () => {
  expect([gzipSync(text), zst, text].map((bytes) => compressionOf(bytes))).toEqual(['gzip', 'zstd', undefined]);
});
