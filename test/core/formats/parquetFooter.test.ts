/** Our footer against hyparquet's, on every file that is here; and declared lengths that no file has room for. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parquetMetadata } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../../src/core/bytes/byteSource.js';
import { FormatError } from '../../../src/core/bytes/formatError.js';
import { memorySource } from '../../../src/core/bytes/memorySource.js';
import { encodeText } from '../../../src/core/bytes/text.js';
import { readParquet } from '../../../src/core/formats/parquet/parquetFooter.js';
import { u32 } from '../../builders/byteWriter.js';
import { inspectDataset } from '../../builders/inspectDataset.js';
import type { ReadLog } from '../../builders/memoryTree.js';

const root = path.resolve('test/fixtures');
const files = (readdirSync(root, { recursive: true }) as string[]).filter((file) => file.endsWith('.parquet'));

describe.each(files)('%s', (file) => {
  it('has the sums that hyparquet finds', async () => {
    const bytes = new Uint8Array(readFileSync(path.join(root, file)));
    const ours = await readParquet(memorySource(file, bytes), undefined);
    const theirs = parquetMetadata(bytes);
    expect(ours.problem).toBeNull();
    expect(ours.rows).toBe(Number(theirs.num_rows));
    expect(ours.createdBy).toBe(theirs.created_by);
    ours.columns.forEach(({ path: own }, index) => {
      const chunks = theirs.row_groups.map(({ columns }) => columns[index]?.meta_data);
      for (const chunk of chunks) expect(chunk?.path_in_schema).toEqual(own);
      const sum = (of: (chunk: NonNullable<(typeof chunks)[number]>) => bigint): number =>
        chunks.reduce((total, chunk) => total + (chunk === undefined ? 0 : Number(of(chunk))), 0);
      expect(ours.sums[index]).toMatchObject({
        bytes: sum((chunk) => chunk.total_compressed_size),
        logicalBytes: sum((chunk) => chunk.total_uncompressed_size),
        values: sum((chunk) => chunk.num_values - (chunk.statistics?.null_count ?? 0n)),
      });
    });
  });
});

function footer(...thrift: number[]): Uint8Array {
  return new Uint8Array([...encodeText('PAR1'), ...thrift, ...u32(thrift.length), ...encodeText('PAR1')]);
}

async function codeOf(bytes: Uint8Array): Promise<string> {
  try {
    await readParquet(memorySource('x', bytes), undefined);
  } catch (error) {
    if (FormatError.is(error)) return error.code;
    throw error;
  }
  return 'none';
}

it('refuses what cannot be, without room for it', async () => {
  // A list of 2^28 schema elements, in a footer of ten bytes.
  expect(await codeOf(footer(0x29, 0xfc, 0x80, 0x80, 0x80, 0x80, 0x01, 0, 0, 0))).toBe('corrupt');
  // A text of 2^35 bytes in field 6, and a number without an end.
  expect(await codeOf(footer(0x68, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 0))).toBe('corrupt');
  expect(await codeOf(footer(0x36, ...new Array<number>(20).fill(0xff), 0))).toBe('corrupt');
  // Structs in structs, 200 deep, and deeper than a stack has room for.
  expect(await codeOf(footer(0x9c, ...new Array<number>(200).fill(0x1c), 0))).toBe('corrupt');
  expect(await codeOf(footer(0x9c, ...new Array<number>(50_000).fill(0x1c), 0))).toBe('corrupt');
  expect(await codeOf(new Uint8Array([...encodeText('PAR1'), ...u32(0xffffffff), ...encodeText('PAR1')]))).toBe('corrupt');
});

/** A number of Thrift's compact protocol. */
function zigzag(value: number): number[] {
  const out: number[] = [];
  for (let rest = 2 * value; out.length === 0 || rest > 0; rest = Math.floor(rest / 128))
    out.push((rest % 128) + (rest >= 128 ? 128 : 0));
  return out;
}

/** A struct of numbers (i64), and of fields whose bytes are given with their type. */
function struct(fields: Readonly<Record<number, number | readonly [type: number, bytes: readonly number[]]>>): number[] {
  let last = 0;
  const out = Object.entries(fields).flatMap(([id, field]) => {
    const [type, bytes] = typeof field === 'number' ? [6, zigzag(field)] : field;
    const head = ((Number(id) - last) << 4) | type;
    last = Number(id);
    return [head, ...bytes];
  });
  return [...out, 0];
}

const listOf = (structs: readonly number[][]): readonly [number, number[]] => [
  9,
  [(structs.length << 4) | 12, ...structs.flat()],
];
const name = (letter: string): readonly [number, number[]] => [8, [1, letter.charCodeAt(0)]];

interface Chunk {
  values?: number;
  plain?: number;
  bytes?: number;
  offset?: number;
  nulls?: number;
}

/** A footer of two columns of i32 without lists, behind 200 bytes; of each row group its rows and its chunks. */
async function problemOf(rows: number, ...groups: readonly [rows: number, ...chunks: Chunk[]][]): Promise<string | undefined> {
  const column = (letter: string): number[] => struct({ 1: [5, zigzag(1)], 3: [5, zigzag(0)], 4: name(letter) });
  const chunk = ({ values = 4, plain = 16, bytes = 16, offset = 4, nulls = 0 }: Chunk): number[] =>
    struct({ 3: [12, struct({ 4: [5, zigzag(0)], 5: values, 6: plain, 7: bytes, 9: offset, 12: [12, struct({ 3: nulls })] })] });
  const thrift = struct({
    2: listOf([struct({ 4: name('r'), 5: [5, zigzag(2)] }), column('a'), column('b')]),
    3: rows,
    4: listOf(groups.map(([own, ...chunks]) => struct({ 1: listOf(chunks.map(chunk)), 3: own }))),
  });
  const file = new Uint8Array([...encodeText('PAR1'), ...new Uint8Array(200), ...footer(...thrift).subarray(4)]);
  try {
    return (await readParquet(memorySource('x', file), undefined)).problem?.code;
  } catch (error) {
    return FormatError.is(error) ? error.code : String(error);
  }
}

describe('numbers that contradict each other', () => {
  it('are not seen where there are none', async () => {
    expect(await problemOf(8, [4, {}, { offset: 20 }], [4, { offset: 36 }, { offset: 188 }])).toBeUndefined();
  });

  it.each<[string, number, [rows: number, ...chunks: Chunk[]][]]>([
    ['rows of the file and of its groups', 5, [[4, {}, {}]]],
    ['values and rows', 4, [[4, {}, { values: 5 }]]],
    ['nulls and values', 4, [[4, {}, { nulls: 5 }]]],
    ['columns of a group and of the schema', 4, [[4, {}]]],
    ['a chunk and what lies before the footer', 4, [[4, {}, { bytes: 205 }]]],
    ['a chunk and where it begins', 4, [[4, {}, { offset: 189 }]]],
    ['a chunk over the beginning of the file', 4, [[4, {}, { offset: 3 }]]],
    ['all chunks and what lies before the footer', 4, [[4, { bytes: 150 }, { bytes: 150 }]]],
    ['bytes that no file has', 4, [[4, {}, { plain: 2 ** 60 }]]],
  ])('%s', async (_, rows, groups) => {
    expect(await problemOf(rows, ...groups)).toBe('corrupt');
  });

  it('a footer and the magic before it', async () => {
    const file = new Uint8Array([...encodeText('PAR1'), ...new Uint8Array(20), ...u32(21), ...encodeText('PAR1')]);
    await expect(readParquet(memorySource('x', file), undefined)).rejects.toThrow('a footer of 21 bytes');
  });
});

it('tells what is not Parquet from what is cut or encrypted', async () => {
  expect(await codeOf(encodeText('PAR1 and then nothing of it'))).toBe('truncated');
  expect(await codeOf(encodeText('something else altogether'))).toBe('not-this-format');
  expect(await codeOf(encodeText('PAREencrypted....PARE'))).toBe('unsupported');
});

it('names the types that pyarrow reads, in lists, structs and maps too', async () => {
  const folder = path.join(root, 'frameworks/datasets/parquet-nested');
  const bytes = new Uint8Array(readFileSync(path.join(folder, 'data/nested.parquet')));
  const { columns, sums } = await readParquet(memorySource('nested.parquet', bytes), undefined);
  expect(columns.map(({ name, type, dtype }, index) => [name, type, dtype, sums[index]?.values])).toEqual([
    ['input_ids', 'list<uint32>', 'u32', 13],
    ['attention_mask', 'list<int8>', 'i8', 13],
    ['meta.id', 'int64', 'i64', 5],
    ['meta.parts.place', 'list<int32>', 'i32', 4],
    ['meta.parts.tags', 'list<list<int16>>', 'i16', 8],
    ['counts.key', 'map<string>', null, 5],
    ['counts.value', 'map<uint64>', 'u64', 5],
    ['score', 'halffloat', 'f16', 5],
    ['price', 'decimal', null, 5],
    ['cost', 'decimal', null, 5],
    ['day', 'date32', null, 5],
    ['at', 'time', null, 5],
    ['micros', 'time', null, 5],
    ['stamp', 'timestamp', null, 5],
  ]);
});

describe('reads', () => {
  const tokenized = new Uint8Array(readFileSync(path.join(root, 'frameworks/datasets/parquet-tokenized/data/tokenized.parquet')));

  /** The same footer behind more data, of which nothing is in memory: 1 GB lie before it. */
  function behind(bytes: Uint8Array, log: number[][]): ByteSource {
    const gap = 2 ** 30;
    return {
      name: 'large.parquet',
      sizeBytes: gap + bytes.byteLength,
      read(offset, length) {
        log.push([offset, length]);
        return Promise.resolve(Uint8Array.from({ length }, (_, index) => bytes[offset + index - gap] ?? 0));
      },
      close: () => Promise.resolve(),
    };
  }

  it('are one of 64 KiB for the footer of a large file', async () => {
    const log: number[][] = [];
    expect((await readParquet(behind(tokenized, log), undefined)).rows).toBe(150);
    expect(log).toEqual([[2 ** 30 + tokenized.byteLength - 65_536, 65_536]]);
  });

  it('are two where the footer is larger', async () => {
    const length = new DataView(tokenized.buffer, tokenized.byteOffset).getUint32(tokenized.byteLength - 8, true);
    const footerBytes = tokenized.subarray(tokenized.byteLength - 8 - length, tokenized.byteLength - 8);
    const text = new Uint8Array(100_000);
    // Behind the last field an unknown one, in the long form: type 8 (binary), id 7000 as a zigzag number, 100,000 bytes.
    const unknown = [...footerBytes.subarray(0, -1), 0x08, 0xb0, 0x6d, 0xa0, 0x8d, 0x06];
    const large = new Uint8Array([...unknown, ...text, 0, ...u32(unknown.length + text.length + 1), ...encodeText('PAR1')]);
    const log: number[][] = [];
    expect((await readParquet(behind(large, log), undefined)).rows).toBe(150);
    expect(log.map(([, bytes]) => bytes)).toEqual([65_536, large.byteLength - 8]);
  });

  it('of a whole dataset of tokens are those of its footers, and nothing of its pages', async () => {
    const log: ReadLog = { reads: [] };
    const names = Array.from({ length: 20 }, (_, shard) => `data/train-${String(shard).padStart(5, '0')}-of-00020.parquet`);
    const report = await inspectDataset(Object.fromEntries(names.map((name) => [name, tokenized])), log);
    expect(report.tokens).toMatchObject({ count: 20 * 32_571, exact: true });
    expect(log.reads.length).toBe(20);
    expect(report.io.reads).toBe(20);
  });
});

it('may have rows and no columns', async () => {
  // As fastparquet writes a table of an index alone: a schema of its root, and a row group without chunks.
  const thrift = struct({
    2: listOf([struct({ 4: name('r'), 5: [5, zigzag(0)] })]),
    3: 2,
    4: listOf([struct({ 1: listOf([]), 2: 0, 3: 2 })]),
  });
  const report = await inspectDataset({ 'no_columns.parquet': footer(...thrift) });
  expect(report.findings).toEqual([]);
  expect(report.sampleCount).toMatchObject({ count: 2, exact: true });
  // No schema at all is damage.
  expect(await codeOf(footer(...struct({ 3: 2, 4: listOf([]) })))).toBe('corrupt');
});
