/** Our footer against hyparquet's, on every file that is here; and declared lengths that no file has room for. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parquetMetadata } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../src/core/bytes/formatError.js';
import { memorySource } from '../../../src/core/bytes/memorySource.js';
import { encodeText } from '../../../src/core/bytes/text.js';
import { readParquet } from '../../../src/core/formats/parquet/parquetFooter.js';
import { u32 } from '../../builders/byteWriter.js';

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
  // Structs in structs, 200 deep.
  expect(await codeOf(footer(0x9c, ...new Array<number>(200).fill(0x1c), 0))).toBe('corrupt');
  expect(await codeOf(new Uint8Array([...encodeText('PAR1'), ...u32(0xffffffff), ...encodeText('PAR1')]))).toBe('corrupt');
});

it('tells what is not Parquet from what is cut or encrypted', async () => {
  expect(await codeOf(encodeText('PAR1 and then nothing of it'))).toBe('truncated');
  expect(await codeOf(encodeText('something else altogether'))).toBe('not-this-format');
  expect(await codeOf(encodeText('PAREencrypted....PARE'))).toBe('unsupported');
});
