/** What reading values takes: buffers and counters are used again, and each byte is read once. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FormatError } from '../../../src/core/bytes/formatError.js';
import { memorySource } from '../../../src/core/bytes/memorySource.js';
import { blockBytes, readTask } from '../../../src/core/values/readTask.js';
import { sampledExtents } from '../../../src/core/values/sampledExtents.js';
import type { ValueTask } from '../../../src/core/values/valueTask.js';
import { packSummaries, unpackSummaries } from '../../../src/platform/values/packedSummaries.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { memoryTree, type ReadLog } from '../../builders/memoryTree.js';
import { scannedValues } from '../../builders/scannedValues.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('blocks', () => {
  it('are read into two buffers, whichever task they are of, each byte once', async () => {
    const bytes = new Uint8Array(5 * blockBytes + 10).map((_, index) => index & 0x3f);
    const buffers = new Set<ArrayBufferLike>();
    let read = 0;
    const source = memorySource('a', bytes);
    const open = () =>
      Promise.resolve({
        ...source,
        sizeBytes: bytes.byteLength,
        name: 'a',
        read: () => Promise.reject(new Error('it has buffers to read into')),
        readInto: async (target: Uint8Array, offset: number) => {
          buffers.add(target.buffer);
          read += target.byteLength;
          target.set(bytes.subarray(offset, offset + target.byteLength));
        },
        close: () => Promise.resolve(),
      });
    const task = (offset: number, length: number): ValueTask => ({
      stored: [{ row: offset, dtype: 'u8', isBigEndian: false, extents: [{ path: 'a', offset, bytes: length }] }],
    });
    const half = 3 * blockBytes;
    const results = [
      ...(await readTask({ open }, task(0, half))),
      ...(await readTask({ open }, task(half, bytes.byteLength - half))),
    ];
    expect(results.reduce((sum, { summary }) => sum + summary.count, 0)).toBe(bytes.byteLength);
    expect(read).toBe(bytes.byteLength);
    expect(buffers.size).toBeLessThanOrEqual(2);
  });
});

describe('a read that is given up', () => {
  it('may still write into its buffer, which is not used again', async () => {
    const bytes = new Uint8Array(4 * blockBytes).fill(1);
    const source = memorySource('a', bytes);
    let givenUp: Uint8Array | null = null;
    const open = () =>
      Promise.resolve({
        ...source,
        sizeBytes: bytes.byteLength,
        name: 'a',
        readInto: async (target: Uint8Array, offset: number) => {
          givenUp?.fill(99);
          if (givenUp === null) {
            givenUp = target;
            throw new FormatError('io', 'no answer in time', { offset });
          }
          target.set(bytes.subarray(offset, offset + target.byteLength));
          await Promise.resolve();
          givenUp.fill(99);
        },
        close: () => Promise.resolve(),
      });
    const extents = [{ path: 'a', offset: 0, bytes: bytes.byteLength }];
    const [result] = await readTask({ open }, { stored: [{ row: 0, dtype: 'u8', isBigEndian: false, extents }] });
    expect(result?.summary).toMatchObject({ count: bytes.byteLength, min: 1, max: 1 });
  });
});

describe('a stretch that a header declares beyond the end of its file', () => {
  it('fails with the first block that is not there, and the others are read', async () => {
    const bytes = new Uint8Array(3 * blockBytes).fill(1);
    const log: ReadLog = { reads: [] };
    const stretch = (row: number, offset: number, length: number) => ({
      row,
      dtype: 'u8',
      isBigEndian: false,
      extents: [{ path: 'a', offset, bytes: length }],
    });
    const results = await readTask(memoryTree('m', { a: bytes }, log), {
      stored: [stretch(0, 0, 1e15), stretch(1, 2 * blockBytes, 100), stretch(2, 5e14, 1e9)],
    });
    expect(results.map(({ summary, problem }) => problem?.detail ?? summary.count)).toEqual([
      expect.stringContaining('bytes wanted'),
      100,
      expect.stringContaining('bytes wanted'),
    ]);
    expect(log.reads.length).toBeLessThan(12);
  });
});

it('a sample has a bounded number of blocks, of the same share', () => {
  const extents = [{ path: 'a', offset: 0, bytes: 1e13 }];
  const sampled = sampledExtents(extents, 'u8', { share: 0.01, seed: 1 });
  expect(sampled.length).toBeLessThanOrEqual(65_536);
  expect(sampled.reduce((sum, { bytes }) => sum + bytes, 0) / 1e11).toBeCloseTo(1, 3);
});

describe('counters', () => {
  it('of 200 tensors take no more than those of 20', async () => {
    let made = 0;
    const counted = (Base: typeof Float64Array | typeof Uint16Array): unknown =>
      class extends (Base as typeof Float64Array) {
        constructor(...args: [number]) {
          super(...args);
          // Views are made of a buffer.
          if (args[0] > 1_000) made += 1;
        }
      };
    const scan = async (tensors: number): Promise<number> => {
      const data = Uint8Array.from({ length: 8_000 }, (_, index) => (index * 7) & 0x3f);
      const named = Object.fromEntries(
        Array.from({ length: tensors }, (_, index) => [`t${index}`, { dtype: 'BF16', shape: [4_000], data }]),
      );
      const tree = memoryTree('m', { 'model.safetensors': buildSafetensors({ tensors: named }) });
      made = 0;
      expect((await scannedValues(tree)).tensors.length).toBe(tensors);
      return made;
    };
    vi.stubGlobal('Float64Array', counted(Float64Array));
    vi.stubGlobal('Uint16Array', counted(Uint16Array));
    const few = await scan(20);
    expect((await scan(200)) - few).toBeLessThan(10);
  });
});

describe('results between threads', () => {
  it('are the same after they are packed', async () => {
    const floats = new Uint8Array(Float32Array.of(1, 2, 5, Number.NaN, 7).buffer);
    const rows = [0, 12, 16].map((offset, row) => ({ row, extents: [{ path: 'w.bin', offset, bytes: row === 0 ? 12 : 4 }] }));
    const results = await readTask(memoryTree('m', { 'w.bin': floats }), {
      stored: rows.map(({ row, extents }) => ({ row, dtype: 'f32', isBigEndian: false, extents })),
    });
    expect(results.map(({ summary }) => summary.histogram?.counts.length)).toEqual([expect.any(Number), undefined, 1]);
    expect(unpackSummaries(structuredClone(packSummaries(results)))).toEqual(results);
  });
});
