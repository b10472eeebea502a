/** Texts that are drawn from tables against those that pyarrow and Polars wrote: all encodings, all windows. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../src/core/bytes/memorySource.js';
import { readArrow } from '../../../src/core/formats/arrow/arrowIpc.js';
import { hasRowTexts, readRowTexts } from '../../../src/core/formats/arrow/arrowText.js';
import { readParquet } from '../../../src/core/formats/parquet/parquetFooter.js';
import { hasPageTexts } from '../../../src/core/formats/parquet/columnCodec.js';
import { readPageTexts } from '../../../src/core/formats/parquet/parquetText.js';
import type { DataPage } from '../../../src/core/formats/parquet/chunkReader.js';
import { PlainTexts, textsOfPage } from '../../../src/core/formats/parquet/textPage.js';
import { FormatError } from '../../../src/core/bytes/formatError.js';
import { bytes, concat, u16, u32, utf8 } from '../../builders/byteWriter.js';

const root = path.resolve('test/fixtures/text-tables');
const texts = JSON.parse(readFileSync(path.join(root, 'texts.json'), 'utf8')) as string[];
const bytesOf = (file: string): Uint8Array => new Uint8Array(readFileSync(path.join(root, file)));

const windows: [from: number, count: number][] = [
  [0, 40],
  [0, 1],
  [15, 2],
  [16, 16],
  [31, 9],
  [39, 5],
  [7, 0],
];

describe.each(['string.arrow', 'large-zstd.arrow', 'lz4.arrow', 'views.arrow', 'polars.arrow'])('%s', (file) => {
  // Written without the null, which views of Arrow's own writer would hold as an empty text all the same.
  const expected = file === 'views.arrow' ? texts.with(4, 'naïve café') : texts;

  it('gives the texts of any rows', async () => {
    const source = memorySource(file, bytesOf(file));
    const contents = await readArrow(source, undefined);
    expect(hasRowTexts(contents, 0)).toBe(true);
    for (const [from, count] of windows)
      expect(await readRowTexts(source, contents, 0, from, count, undefined)).toEqual(expected.slice(from, from + count));
  });
});

describe.each(['dictionary', 'plain', 'v2', 'gzip', 'lz4-raw', 'tail'])('%s.parquet', (name) => {
  const expected = name === 'tail' ? texts.slice(5) : texts;

  it('gives the texts of any rows', async () => {
    const source = memorySource(name, bytesOf(`${name}.parquet`));
    const contents = await readParquet(source, undefined);
    expect(hasPageTexts(contents, 0)).toBe(true);
    for (const [from, count] of windows)
      expect(await readPageTexts(source, contents, 0, from, count, undefined)).toEqual(expected.slice(from, from + count));
  });
});

it('has no texts of codecs and encodings that are not at hand', async () => {
  const parquet = await readParquet(memorySource('brotli', bytesOf('brotli.parquet')), undefined);
  expect(hasPageTexts(parquet, 0)).toBe(false);
  for (const file of ['length.parquet', 'delta.parquet'])
    expect(hasPageTexts(await readParquet(memorySource(file, bytesOf(file)), undefined), 0)).toBe(false);
});

it('refuses pages that decode to more than the limit', async () => {
  const file = bytesOf('plain.parquet');
  const contents = await readParquet(memorySource('plain', file), undefined);
  // The page header says 2^30 bytes: zigzag varint at its second field.
  const start = contents.chunkOffsets.at(0);
  const huge = new Uint8Array([0x15, 0x00, 0x15, 0x80, 0x80, 0x80, 0x80, 0x08, 0x15, 0x02, 0x2c, 0x15, 0x02, 0x00, 0x00]);
  file.set(huge, start);
  await expect(readPageTexts(memorySource('plain', file), contents, 0, 0, 1, undefined)).rejects.toSatisfy((error) =>
    FormatError.is(error, 'limit-exceeded'),
  );
});

describe('pages', () => {
  const two = concat(u32(1), utf8('a'), u32(2), utf8('bc'));
  const dictionary = new PlainTexts(two, 2);
  const textsOf = (page: Partial<DataPage<PlainTexts>>): string[] =>
    textsOfPage({ slots: 2, levels: undefined, values: two, dictionary: undefined, ...page }, 0, 2);

  it('have plain texts, or indices into a dictionary', () => {
    expect(textsOf({})).toEqual(['a', 'bc']);
    expect(textsOf({ dictionary, values: bytes(1, 3, 2) })).toEqual(['a', 'bc']);
  });

  it.each<[string, Partial<DataPage<PlainTexts>>]>([
    ['the length of a text', { values: two.subarray(0, 8) }],
    ['a text', { values: two.subarray(0, 10) }],
    ['an index beyond the dictionary', { dictionary, values: bytes(2, 4, 2) }],
    ['indices of 33 bits', { dictionary, values: bytes(33, 4, 0, 0, 0, 0, 0) }],
    ['a run of indices', { dictionary, values: bytes(8, 4) }],
    ['packed indices', { dictionary, values: bytes(1, 3) }],
    ['levels', { levels: bytes(3) }],
  ])('are refused that end within %s, or have what there cannot be', (_, page) => {
    expect(() => textsOf(page)).toThrowError(expect.objectContaining({ name: 'FormatError', code: 'corrupt' }) as Error);
  });

  it('whose levels are longer than they are do not hide that', async () => {
    const file = bytesOf('plain.parquet');
    const contents = await readParquet(memorySource('plain', file), undefined);
    // A data page of one value that is null: its header, levels of 100 bytes of which 2 are there.
    const header = bytes(0x15, 0, 0x15, 12, 0x15, 12, 0x2c, 0x15, 2, 0x15, 0, 0, 0);
    file.set(concat(header, u32(100), u16(2)), contents.chunkOffsets.at(0));
    await expect(readPageTexts(memorySource('plain', file), contents, 0, 0, 1, undefined)).rejects.toSatisfy((error) =>
      FormatError.is(error, 'corrupt'),
    );
  });
});
