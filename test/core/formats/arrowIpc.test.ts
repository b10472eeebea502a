/** Our reader of Arrow's metadata against apache-arrow, on every file that is here and on others that it writes; what it reads and allocates. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type Table,
  Dictionary,
  Field,
  FixedSizeList,
  Int32,
  List,
  LargeUtf8,
  RecordBatchReader,
  Struct,
  Uint16,
  Utf8,
  tableFromIPC,
  vectorFromArray,
  type Data,
  type RecordBatch,
} from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../../src/core/bytes/byteSource.js';
import { FormatError } from '../../../src/core/bytes/formatError.js';
import { memorySource } from '../../../src/core/bytes/memorySource.js';
import { readArrow } from '../../../src/core/formats/arrow/arrowIpc.js';
import { type ArrowContents } from '../../../src/core/formats/arrow/arrowContents.js';
import { FlatBuffer, type FlatTable } from '../../../src/core/formats/arrow/flatBuffer.js';
import type { ArrowNode } from '../../../src/core/formats/arrow/arrowSchema.js';
import { listLengthBytes, readListLengths } from '../../../src/core/formats/arrow/listLengths.js';
import { arrowBytes, fixedLists, ids, lists } from '../../builders/arrowBuilder.js';
import { concat, overwrite, u16, u32, u64, utf8 } from '../../builders/byteWriter.js';
import { runs } from '../../builders/seed.js';

const root = path.resolve('test/fixtures');
const allColumns = ({ columns }: { columns: readonly unknown[] }): number[] => columns.map((_, index) => index);
const read = (bytes: Uint8Array): Promise<ArrowContents> => readArrow(memorySource('a.arrow', bytes), undefined, allColumns);

/** Batches as apache-arrow reads them; undefined for types and codecs that it does not know. */
function batchesOf(bytes: Uint8Array): RecordBatch[] | undefined {
  try {
    return [...RecordBatchReader.from(bytes)] as RecordBatch[];
  } catch {
    return undefined;
  }
}

/** Fields in the order of our nodes: parents before their children. */
function fieldsOf(batch: RecordBatch): Data[] {
  const fields: Data[] = [];
  const add = (data: Data): void => {
    fields.push(data);
    for (const child of data.children) add(child);
  };
  for (const child of batch.data.children) add(child);
  return fields;
}

/** Whether what lies in place of nulls may be around a node. */
function isBelowNulls(nodes: readonly ArrowNode[], fields: readonly Data[], node: number): boolean {
  for (let at = nodes[node]?.parent ?? -1; at >= 0; at = nodes[at]?.parent ?? -1)
    if ((fields[at]?.nullCount ?? 0) > 0 && nodes[at]?.type.physical === 'fixedList') return true;
  return false;
}

async function compare(bytes: Uint8Array, batches: readonly RecordBatch[]): Promise<void> {
  const ours = await read(bytes);
  expect(ours.problem).toBeNull();
  expect(ours.rows).toBe(batches.reduce((sum, { numRows }) => sum + numRows, 0));
  expect(ours.batchOffsets.length).toBe(batches.length);
  const perBatch = batches.map(fieldsOf);
  for (const fields of perBatch) expect(fields.length).toBe(ours.schema.nodes.length);
  for (const [index, { node, isExact, name }] of ours.schema.columns.entries()) {
    if (!isExact || perBatch.some((fields) => isBelowNulls(ours.schema.nodes, fields, node))) continue;
    const leaves = perBatch.map((fields) => fields[node] as Data);
    expect(ours.columns[index]?.values, name).toBe(leaves.reduce((sum, { length, nullCount }) => sum + length - nullCount, 0));
    compareBytes(bytes, ours, index, leaves);
  }
}

/** Places are those of batches without nulls. */
function compareBytes(bytes: Uint8Array, ours: ArrowContents, column: number, leaves: readonly Data[]): void {
  const places = ours.places.of(column);
  if (places.length === 0) return;
  const plain = leaves.filter(({ length, nullCount }) => length > 0 && nullCount === 0);
  expect(places.length).toBe(plain.length);
  places.forEach(({ offset, bytes: length }, index) => {
    const { values } = plain[index] as Data<Int32>;
    const theirs = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    expect(Buffer.compare(bytes.subarray(offset, offset + length), theirs.subarray(0, length))).toBe(0);
  });
}

describe('files that frameworks wrote', () => {
  const files = (readdirSync(root, { recursive: true }) as string[]).filter((file) => /\.(arrow|feather)$/.test(file));
  let compared = 0;

  it.each(files)('%s', async (file) => {
    const bytes = new Uint8Array(readFileSync(path.join(root, file)));
    const batches = batchesOf(bytes);
    if (batches === undefined || batches.length === 0) return;
    await compare(bytes, batches);
    compared += 1;
  });

  it('are mostly known to apache-arrow', () => expect(compared).toBeGreaterThan(files.length / 2));
});

describe('tables that apache-arrow writes', () => {
  const item = (type: Int32 | Uint16): Field => new Field('item', type, true);
  const rows = Array.from({ length: 50 }, (_, row) => ids(row % 7, 1000, row));
  const struct = new Struct([new Field('id', new Int32(), true), new Field('tokens', new List(item(new Uint16())), true)]);
  const tables = {
    lists: { input_ids: lists(rows), other: vectorFromArray(rows.map(String), new LargeUtf8()) },
    nulls: { input_ids: lists(rows.map((row, index) => (index % 3 === 0 ? null : [...row, null]))) },
    fixed: { input_ids: fixedLists(rows.map(() => ids(8, 100))) },
    'fixed in lists': {
      input_ids: vectorFromArray([[[1, 2]], [], [[3, 4]]], new List(new Field('item', new FixedSizeList(2, item(new Int32()))))),
    },
    structs: {
      nested: vectorFromArray(
        rows.map((tokens, id) => (id === 4 ? null : { id, tokens })),
        struct,
      ),
    },
    dictionary: {
      source: vectorFromArray(
        rows.map((_, row) => `s${row % 4}`),
        new Dictionary(new Utf8(), new Int32()),
      ),
      input_ids: lists(rows),
    },
    'without rows': { input_ids: lists([]) },
  };

  describe.each(Object.entries(tables))('%s', (_, columns) => {
    it.each(['stream', 'file'] as const)('as a %s, of one and of several batches', async (form) => {
      for (const count of [1, 3]) {
        const bytes = arrowBytes(form, ...Array.from({ length: count }, () => columns));
        await compare(bytes, batchesOf(bytes) ?? []);
      }
    });

    it('after a slice', async () => {
      const table = tableFromIPC(arrowBytes('stream', columns));
      const part: Table = table.slice(1, 20);
      const bytes = arrowBytes(
        'stream',
        Object.fromEntries(part.schema.names.map((name) => [name, part.getChild(name) as never])),
      );
      await compare(bytes, batchesOf(bytes) ?? []);
    });
  });

  it('have the lengths that its lists have, whatever they are', async () => {
    const row = fc.option(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 6 }), { nil: null });
    const batches = fc.array(fc.array(row, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(batches, async (made) => {
        const bytes = arrowBytes('stream', ...made.map((part) => ({ input_ids: lists(part) })));
        const source = memorySource('a.arrow', bytes);
        const contents = await readArrow(source, undefined, allColumns);
        const lengths: number[] = [];
        await readListLengths(source, contents, 0, (length) => lengths.push(length), undefined);
        expect(lengths).toEqual(made.flat().map((each) => each?.length ?? 0));
        expect(listLengthBytes(contents, 0)).toBe(4 * (lengths.length + made.length));
      }),
      runs(60),
    );
  });
});

/** A stream of one batch over and over, of which nothing is in memory but the batch. */
function repeated(head: Uint8Array, batch: Uint8Array, count: number): { source: ByteSource; reads: number[] } {
  const reads: number[] = [];
  const end = head.byteLength + batch.byteLength * count;
  const mark = concat(u32(0xffffffff), u32(0));
  const byteAt = (at: number): number =>
    (at < head.byteLength ? head[at] : at >= end ? mark[at - end] : batch[(at - head.byteLength) % batch.byteLength]) ?? 0;
  const source: ByteSource = {
    name: 'long.arrow',
    sizeBytes: end + mark.byteLength,
    read(offset, length) {
      reads.push(length);
      return Promise.resolve(Uint8Array.from({ length }, (_, index) => byteAt(offset + index)));
    },
    close: () => Promise.resolve(),
  };
  return { source, reads };
}

async function streamParts(bytes: Uint8Array): Promise<{ head: Uint8Array; batch: Uint8Array }> {
  const { batchOffsets } = await read(bytes);
  const start = batchOffsets.at(0);
  return { head: bytes.slice(0, start), batch: bytes.slice(start, bytes.byteLength - 8) };
}

describe('reads', () => {
  it('are one a batch where batches are large, of a kilobyte or so', async () => {
    const { head, batch } = await streamParts(
      arrowBytes('stream', { input_ids: lists(Array.from({ length: 200 }, () => ids(500, 99))) }),
    );
    const { source, reads } = repeated(head, batch, 500);
    expect((await readArrow(source, undefined, allColumns)).rows).toBe(100_000);
    expect(reads.length).toBeLessThanOrEqual(503);
    expect(reads.reduce((sum, length) => sum + length, 0)).toBeLessThan(1_100 * 500 + 32 * 1024);
  });

  it('are a few for many small batches', async () => {
    const { head, batch } = await streamParts(arrowBytes('stream', { input_ids: lists([[1, 2], [3]]) }));
    const { source, reads } = repeated(head, batch, 3_000);
    const contents = await readArrow(source, undefined, allColumns);
    expect(contents.rows).toBe(6_000);
    expect(reads.length).toBeLessThanOrEqual(Math.ceil(source.sizeBytes / 60_000) + 3);
    const before = reads.length;
    let sum = 0;
    await readListLengths(source, contents, 0, (length) => (sum += length), undefined);
    expect(sum).toBe(9_000);
    expect(reads.length - before).toBeLessThanOrEqual(Math.ceil(source.sizeBytes / 60_000) + 3);
    expect(contents.places.of(0).length).toBeLessThanOrEqual(256);
  });
});

describe('declared lengths', () => {
  const bytes = arrowBytes('stream', { input_ids: lists([[1, 2], [3]]) });

  async function outcome(damaged: Uint8Array): Promise<string> {
    try {
      return (await read(damaged)).problem?.code ?? 'none';
    } catch (error) {
      if (FormatError.is(error)) return error.code;
      throw error;
    }
  }

  it('of metadata are compared with the file', async () => {
    for (const length of [0x7fffffff, 0x7ffffff8, 0x80000000])
      expect(await outcome(overwrite(bytes, 4, u32(length)))).not.toBe('none');
  });

  it('of bodies are compared with the file', async () => {
    const { batchOffsets } = await read(bytes);
    const start = batchOffsets.at(0);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const bodyBytes = bytes.byteLength - 8 - start - 8 - view.getInt32(start + 4, true);
    const at = findU64(bytes, start, bodyBytes);
    for (const length of [2n ** 62n, 2n ** 40n, 2n ** 63n])
      expect(await outcome(overwrite(bytes, at, u64(length)))).not.toBe('none');
  });

  it('of vectors, batches and fields take no memory', async () => {
    const before = process.memoryUsage().arrayBuffers;
    for (let at = 8; at + 4 <= bytes.byteLength; at += 4) await outcome(overwrite(bytes, at, u32(2 ** 30)));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
  });
});

describe('batches', () => {
  const stream = arrowBytes('stream', { input_ids: lists([[1, 2], [3], null, [4]]) });
  const file = arrowBytes('file', { input_ids: lists([[1, 2], [3]]) }, { input_ids: lists([[4]]) });
  const problemOf = async (bytes: Uint8Array): Promise<[string | undefined, number]> => {
    const { problem, rows } = await read(bytes);
    return [problem?.code, rows];
  };

  it.each([
    ['without the mark of the end', stream.subarray(0, stream.byteLength - 8), 'truncated', 4],
    ['with bytes behind the mark of the end', concat(stream, new Uint8Array(8)), 'corrupt', 4],
  ])('of a stream %s are reported as such', async (_, bytes, code, count) => {
    expect(await problemOf(bytes)).toEqual([code, count]);
  });

  /** Where the first batch begins, and where its body does. */
  const batchOf = async (bytes: Uint8Array): Promise<[start: number, bodyAt: number]> => {
    const start = (await read(bytes)).batchOffsets.at(0);
    return [start, start + 8 + new DataView(bytes.buffer, bytes.byteOffset).getInt32(start + 4, true)];
  };

  it('whose body is cut do not count', async () => {
    const [start, bodyAt] = await batchOf(stream);
    const bodyBytes = stream.byteLength - 8 - bodyAt;
    const larger = overwrite(stream, findU64(stream, start, bodyBytes), u64(bodyBytes + 4096));
    expect(await problemOf(larger)).toEqual(['truncated', 0]);
  });

  // The metadata have the rows of the batch, length and nulls of each field, offset and length of each buffer.
  it.each([
    ['more rows than their columns have', [4], 5],
    ['more nulls than values', [4, 1], 5],
    ['fewer bytes of offsets than rows', [24], 16],
    ['a buffer behind the end of their body', [24], 4096],
  ])('that have %s do not count', async (_, fields, value) => {
    const [start, bodyAt] = await batchOf(stream);
    const wanted = concat(...fields.map((field) => u64(field)));
    const places = [...stream.keys()].filter(
      (at) => at >= start && at < bodyAt && at % 8 === 0 && wanted.every((byte, index) => stream[at + index] === byte),
    );
    expect(places.length).toBeGreaterThan(0);
    for (const at of places)
      expect(await problemOf(overwrite(stream, at + wanted.byteLength - 8, u64(value)))).toEqual(['corrupt', 0]);
  });

  it('of a file have the length that its footer says, and are listed once', async () => {
    const { batchOffsets } = await read(file);
    const [one, other] = [batchOffsets.at(0), batchOffsets.at(1)];
    const block = (offset: number): number => findLast(file, u64(offset));
    expect(block(other) - block(one)).toBe(24);
    expect(await problemOf(overwrite(file, block(one) + 16, u64(8)))).toEqual(['corrupt', 1]);
    expect(await problemOf(overwrite(file, block(one), file.slice(block(other), block(other) + 24)))).toEqual(['corrupt', 1]);
  });
});

describe('tables and vectors of metadata', () => {
  /** A table of one field: its offset, its vtable, then what stands for the field. */
  const tableOf = (...field: Uint8Array[]): Uint8Array => concat(u32(12), u16(6), u16(8), u16(4), u16(0), u32(8), ...field);

  it.each<[string, Uint8Array, (table: FlatTable) => unknown]>([
    ['a root', concat(u32(4), new Uint8Array(3)), (table) => table],
    ['a vtable', concat(u32(4), u32(2 ** 32 - 4), u16(8), u16(4)), (table) => table],
    ['a number', tableOf(new Uint8Array(3)), (table) => table.i32(0)],
    ['a long number', tableOf(u32(1)), (table) => table.i64(0)],
    ['a vector', tableOf(u32(4), u32(2), u32(7)), (table) => table.vector(0, 4)],
    ['a text', tableOf(u32(4), u32(3), utf8('ab')), (table) => table.text(0)],
    ['a table of a vector', tableOf(u32(4), u32(1), u32(4)), (table) => [...table.tables(0)]],
  ])('%s of which less is there than it needs is refused', (_, bytes, use) => {
    expect(() => use(new FlatBuffer(bytes, 0).root())).toThrowError(
      expect.objectContaining({ name: 'FormatError', code: 'corrupt' }) as Error,
    );
  });
});

function findLast(bytes: Uint8Array, wanted: Uint8Array): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).lastIndexOf(wanted);
}

function findU64(bytes: Uint8Array, from: number, value: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = from; at + 8 <= bytes.byteLength; at += 4) if (view.getBigUint64(at, true) === BigInt(value)) return at;
  throw new Error(`no ${value}`);
}
