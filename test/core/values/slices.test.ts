/** Slices of tensors against a reader that decodes all of them: every type, views, bounds, and sizes that no file has. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { createRandom } from '../../../src/core/datasets/text/random.js';
import { bitsOfDtype, bytesOfElements } from '../../../src/core/tensors/dtype.js';
import { TensorTable, type TensorExtra } from '../../../src/core/tensors/tensorTable.js';
import { basisOf, decoderOf } from '../../../src/core/values/accumulatorOf.js';
import { scaledDecoder } from '../../../src/core/values/scaled/scaledDecoder.js';
import { readSlice, readSpread } from '../../../src/core/values/slice/readSlice.js';
import type { SliceAxis } from '../../../src/core/values/slice/sliceAxes.js';
import { slicePlace, type SlicePlace } from '../../../src/core/values/slice/slicePlace.js';
import { memoryTree, type ReadLog } from '../../builders/memoryTree.js';
import { seed } from '../../builders/seed.js';

const random = createRandom(seed);
const below = (most: number): number => Math.floor(random() * most);
const someBytes = (count: number): Uint8Array => Uint8Array.from({ length: count }, () => below(256));
const noRow = (): number => -1;

/** A table of one tensor in `data` at byte 24. */
function tableOf(dtype: string, shape: readonly number[], data: Uint8Array, extra?: TensorExtra): TensorTable {
  const table = new TensorTable();
  const elements = shape.reduce((product, size) => product * size, 1);
  const bytes = bytesOfElements(dtype, elements) ?? 0;
  table.add({ name: 'w', dtype, shape, bytes, component: 'weights', ...(extra && { extra }) });
  table.addPiece(0, 24, data.byteLength);
  return table;
}

function placeIn(table: TensorTable, files = ['w.bin']): SlicePlace {
  const place = slicePlace(
    table,
    files.map((path) => ({ path })),
    0,
    noRow,
  );
  if ('code' in place) throw new Error(place.code);
  return place;
}

function treeOf(data: Uint8Array, log?: ReadLog) {
  const file = new Uint8Array(24 + data.byteLength);
  file.set(data, 24);
  return memoryTree('m', { 'w.bin': file }, log);
}

/** Numbers of the element at a place of the storage, of a decoder for one element of known width. */
const naive: Record<string, (view: DataView, at: number, little: boolean) => number[]> = {
  f64: (view, at, little) => [view.getFloat64(at * 8, little)],
  f32: (view, at, little) => [view.getFloat32(at * 4, little)],
  i64: (view, at, little) => [Number(view.getBigInt64(at * 8, little))],
  u64: (view, at, little) => [Number(view.getBigUint64(at * 8, little))],
  i32: (view, at, little) => [view.getInt32(at * 4, little)],
  u32: (view, at, little) => [view.getUint32(at * 4, little)],
  i16: (view, at, little) => [view.getInt16(at * 2, little)],
  u16: (view, at, little) => [view.getUint16(at * 2, little)],
  i8: (view, at) => [view.getInt8(at)],
  u8: (view, at) => [view.getUint8(at)],
  bool: (view, at) => [view.getUint8(at) === 0 ? 0 : 1],
  c64: (view, at, little) => [view.getFloat32(at * 8, little), view.getFloat32(at * 8 + 4, little)],
  c128: (view, at, little) => [view.getFloat64(at * 16, little), view.getFloat64(at * 16 + 8, little)],
  bf16: (view, at, little) => [new Float32Array(Uint32Array.of(view.getUint16(at * 2, little) << 16).buffer)[0] ?? 0],
  quint8: (view, at) => [view.getUint8(at)],
  qint32: (view, at, little) => [view.getInt32(at * 4, little)],
};

/** Types without a decoder above: all of the storage is decoded at once. */
const others = ['f16', 'f8_e4m3', 'f8_e5m2', 'f8_e4m3fnuz', 'f8_e5m2fnuz', 'f8_e8m0', 'f4', 'f4_e2m1_x2', 'quint4x2'];
const blockTypes = ['q4_0', 'q5_1', 'q8_0', 'q2_k', 'q6_k', 'iq2_xxs', 'iq4_nl', 'tq1_0', 'mxfp4', 'nvfp4'];

function wholeNumbers(dtype: string, data: Uint8Array, isBigEndian: boolean): (place: number) => number[] {
  const own = naive[dtype];
  if (own !== undefined) {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    return (place) => own(view, place, !isBigEndian);
  }
  const decoder = decoderOf(dtype, isBigEndian);
  const numbers: number[] = [];
  for (let at = 0; at + decoder.unitBytes <= data.byteLength; at += decoder.unitBytes)
    for (const value of decoder.decode(data.slice(at, at + decoder.unitBytes), 0)) numbers.push(value);
  const parts = dtype === 'f4_e2m1_x2' ? 2 : 1;
  return (place) => numbers.slice(place * parts, (place + 1) * parts);
}

function expected(of: (place: number) => number[], place: SlicePlace, axes: readonly SliceAxis[]): number[] {
  const numbers: number[] = [];
  const visit = (axis: number, at: number): void => {
    if (axis === axes.length) return void numbers.push(...of(at));
    const { start, count, step } = axes[axis] as SliceAxis;
    for (let index = 0; index < count; index++) visit(axis + 1, at + (start + index * step) * (place.strides[axis] ?? 0));
  };
  visit(0, place.first);
  return numbers;
}

function someAxes(shape: readonly number[]): SliceAxis[] {
  return shape.map((size) => {
    const start = below(size);
    const step = 1 + below(3);
    return { start, step, count: 1 + below(Math.ceil((size - start) / step)) };
  });
}

describe('a slice has the values that a whole reading has there', () => {
  it.each([...Object.keys(naive), ...others, ...blockTypes])('%s', async (dtype) => {
    expect(basisOf(dtype)).toBeDefined();
    for (let round = 0; round < 25; round++) {
      const isBlock = bitsOfDtype(dtype) === undefined;
      const shape = isBlock ? [1 + below(3), 1 + below(3), 256] : Array.from({ length: below(4) }, () => 1 + below(9));
      const isBigEndian = !isBlock && round % 2 === 1;
      const bytes =
        bytesOfElements(
          dtype,
          shape.reduce((product, size) => product * size, 1),
        ) ?? 0;
      const data = someBytes(bytes);
      const place = placeIn(tableOf(dtype, shape, data, isBigEndian ? { isBigEndian: true } : undefined));
      const axes = someAxes(shape);
      const { numbers, bytesRead } = await readSlice(treeOf(data), place, axes);
      expect([...numbers]).toEqual(expected(wholeNumbers(dtype, data, isBigEndian), place, axes));
      expect(bytesRead).toBeLessThanOrEqual(bytes);
    }
  });

  it('of views with any strides, offsets, repeated and overlapping elements', async () => {
    for (let round = 0; round < 200; round++) {
      const shape = Array.from({ length: 1 + below(4) }, () => 1 + below(6));
      const strides = shape.map(() => below(12));
      const storageOffset = below(5);
      const last = shape.reduce((at, size, axis) => at + (size - 1) * (strides[axis] ?? 0), storageOffset);
      const data = someBytes((last + 1 + below(4)) * 2);
      const place = placeIn(tableOf('i16', shape, data, { strides, storageOffset }));
      const axes = someAxes(shape);
      const { numbers } = await readSlice(treeOf(data), place, axes);
      expect([...numbers]).toEqual(expected(wholeNumbers('i16', data, false), place, axes));
    }
  });

  it('of packed values with their scales, of which it reads its own', async () => {
    const data = someBytes(64 * 16);
    const scales = Uint8Array.from({ length: 64 }, () => 120 + below(12));
    const table = new TensorTable();
    table.add({ name: 'x_blocks', dtype: 'u8', shape: [4, 16, 16], bytes: 1024, component: 'weights' });
    table.addPiece(0, 24, 1024);
    table.add({ name: 'x_scales', dtype: 'u8', shape: [4, 16], bytes: 64, component: 'weights' });
    table.addPiece(1, 0, 64);
    const files = [{ path: 'w.bin' }, { path: 's.bin' }];
    const place = slicePlace(table, files, 0, (name) => (name === 'x_scales' ? 1 : -1));
    if ('code' in place) throw new Error(place.code);
    const file = new Uint8Array(24 + 1024);
    file.set(data, 24);
    const log: ReadLog = { reads: [] };
    const tree = memoryTree('m', { 'w.bin': file, 's.bin': scales }, log);
    const axes = [
      { start: 2, count: 1, step: 1 },
      { start: 3, count: 2, step: 4 },
      { start: 1, count: 15, step: 1 },
    ];
    const { numbers, parts, isScaled } = await readSlice(tree, place, axes);
    const decoder = scaledDecoder({ kind: 'mxfp4', parts: [] }, new Map([['scales', scales]]));
    const all = Array.from({ length: 64 }, (_, unit) => [
      ...(decoder?.decode(data.slice(unit * 16, unit * 16 + 16), unit) ?? []),
    ]).flat();
    expect([parts, isScaled]).toEqual([2, true]);
    expect([...numbers]).toEqual(expected((at) => all.slice(2 * at, 2 * at + 2), place, axes));
    expect(log.reads.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(200);
  });
});

describe('what a slice reads', () => {
  const matrix = placeIn(tableOf('f32', [1024, 2048], new Uint8Array(8 << 20)));

  it('is a read a row, and nothing of other rows', async () => {
    const log: ReadLog = { reads: [] };
    const axes = [
      { start: 1000, count: 3, step: 1 },
      { start: 4, count: 5, step: 1 },
    ];
    await readSlice(treeOf(new Uint8Array(8 << 20), log), matrix, axes);
    expect(log.reads.map(({ offset, length }) => [offset, length])).toEqual(
      [1000, 1001, 1002].map((row) => [24 + (row * 2048 + 4) * 4, 20]),
    );
  });

  it('is bounded in values, reads and bytes', async () => {
    const wide = { start: 0, count: limits.sliceValues / 2, step: 1 };
    const far = placeIn(tableOf('u8', [3, limits.sliceValues], new Uint8Array(3 * limits.sliceValues)));
    await expect(readSlice(treeOf(new Uint8Array(0)), far, [{ ...wide, count: 3 }, wide])).rejects.toMatchObject({
      code: 'limit-exceeded',
    });
    const scattered: SlicePlace = { ...far, shape: [8192], strides: [1e6], bytes: 8192e6 };
    await expect(readSlice(treeOf(new Uint8Array(0)), scattered, [{ start: 0, count: 8192, step: 1 }])).rejects.toMatchObject({
      code: 'limit-exceeded',
    });
  });

  it('is spread over a matrix evenly, in fewer rows and columns where values lie far apart', async () => {
    const data = someBytes(300 * 200);
    const place = placeIn(tableOf('u8', [2, 150, 200], data));
    const view = { rowAxis: 1, columnAxis: 2, index: [1, 99, 99] };
    const { axes, numbers } = await readSpread(treeOf(data), place, view);
    expect(axes).toEqual([
      { start: 1, count: 1, step: 1 },
      { start: 0, count: 75, step: 2 },
      { start: 0, count: 100, step: 2 },
    ]);
    expect([...numbers]).toEqual(expected(wholeNumbers('u8', data, false), place, axes));
    const huge: SlicePlace = { ...place, dtype: 'f32', shape: [1e6, 1e6], strides: [1e6, 1], bytes: 4e12 };
    const log: ReadLog = { reads: [] };
    const zeros = {
      name: 'w.bin',
      sizeBytes: 5e12,
      read: (_: number, length: number) => Promise.resolve(new Uint8Array(length)),
      close: () => Promise.resolve(),
    };
    const spread = await readSpread(memoryTree('m', { 'w.bin': zeros }, log), huge, { rowAxis: 0, columnAxis: 1, index: [] });
    expect(spread.axes.map(({ count }) => count)).toEqual([64, 64]);
    expect(log.reads.length).toBeLessThanOrEqual(limits.sliceReads);
    expect(spread.bytesRead).toBeLessThanOrEqual(limits.sliceBytes);
  });

  it('is nothing for indices that the tensor does not have', async () => {
    const one = { start: 0, count: 1, step: 1 };
    const tree = treeOf(new Uint8Array(0));
    const wrong: SliceAxis[][] = [
      [one],
      [one, { ...one, start: 2048 }],
      [one, { ...one, start: -1 }],
      [one, { ...one, start: 0.5 }],
      [one, { ...one, step: 0, count: 2 }],
      [one, { ...one, start: 2044, count: 5 }],
      [one, { ...one, step: 2 ** 53 }],
      [one, { ...one, count: NaN }],
    ];
    for (const axes of wrong) await expect(readSlice(tree, matrix, axes)).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('ends with the file that ends too early, and with who cancels it, and closes what it opened', async () => {
    const axes = [
      { start: 0, count: 1024, step: 1 },
      { start: 0, count: 1, step: 1 },
    ];
    await expect(readSlice(treeOf(new Uint8Array(500)), matrix, axes)).rejects.toMatchObject({ code: 'truncated' });
    const abort = new AbortController();
    let underWay = 0;
    let isClosed = false;
    const slow = {
      name: 'w.bin',
      sizeBytes: 1e7,
      async read(_offset: number, length: number) {
        underWay += 1;
        await Promise.resolve();
        underWay -= 1;
        if (isClosed) throw new Error('read from a closed file');
        abort.abort();
        return new Uint8Array(length);
      },
      close() {
        expect(underWay).toBe(0);
        isClosed = true;
        return Promise.resolve();
      },
    };
    const reading = readSlice(memoryTree('m', { 'w.bin': slow }), matrix, axes, { signal: abort.signal });
    await expect(reading).rejects.toMatchObject({ code: 'cancelled' });
    expect(isClosed).toBe(true);
  });
});

describe('what has no places says why', () => {
  const codeOf = (table: TensorTable, files = ['w.bin', 'v.bin']): string => {
    const place = slicePlace(
      table,
      files.map((path) => ({ path })),
      0,
      noRow,
    );
    return 'code' in place ? place.code : 'found';
  };
  const data = new Uint8Array(64);

  it.each<[string, TensorTable]>([
    ['dtype', tableOf('q8_k', [256], new Uint8Array(292))],
    ['dtype', tableOf('q4_0', [32], new Uint8Array(18), { isBigEndian: true })],
    ['encoded', tableOf('f32', [16], data, { isEncoded: true, packing: { codecs: ['zstd'] } })],
    ['size', tableOf('f32', [17], data)],
    ['size', tableOf('f32', [4, 4], data, { strides: [5, 1] })],
    ['size', tableOf('f32', [2 ** 40], data)],
    ['overlapping', tableOf('f32', [4, 4], data, { strides: [-4, 1], storageOffset: 12 })],
    ['empty', tableOf('f32', [0, 4], new Uint8Array(0))],
    ['overlapping', tableOf('f32', [4, 4], data, { strides: [1] })],
    ['overlapping', tableOf('f32', [2, 2], data, { strides: [NaN, 1] })],
    ['scattered', tableOf('q4_0', [32], new Uint8Array(18), { strides: [1] })],
    [
      'wrapper',
      tableOf('f32', [16], data, { wrapper: 'Int8Tensor', inner: [{ name: 'a', dtype: 'i8', shape: [16], bytes: 16 }] }),
    ],
  ])('%s', (code, table) => {
    expect(codeOf(table)).toBe(code);
  });

  it('in parts whose order is not known, without a file, and where copies are the same', () => {
    const parts = tableOf('f32', [8], new Uint8Array(16));
    parts.addPiece(1, 0, 16);
    expect(codeOf(parts)).toBe('parts');
    const copies = tableOf('f32', [4], new Uint8Array(16));
    copies.addPiece(1, 0, 16);
    expect(codeOf(copies)).toBe('found');
    expect(codeOf(copies, [])).toBe('no-file');
  });
});
