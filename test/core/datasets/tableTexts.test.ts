/** Texts that are drawn from tables against those that pyarrow and Polars wrote: all encodings, all windows. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../src/core/bytes/memorySource.js';
import { readArrow } from '../../../src/core/formats/arrow/arrowIpc.js';
import { hasRowTexts, readRowTexts } from '../../../src/core/formats/arrow/arrowText.js';
import { readParquet } from '../../../src/core/formats/parquet/parquetFooter.js';
import { hasPageTexts, readPageTexts } from '../../../src/core/formats/parquet/parquetText.js';
import { FormatError } from '../../../src/core/bytes/formatError.js';

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

describe.each(['string.arrow', 'large-zstd.arrow', 'views.arrow', 'polars.arrow'])('%s', (file) => {
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

describe.each(['dictionary', 'plain', 'v2', 'gzip', 'tail'])('%s.parquet', (name) => {
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
  const arrow = await readArrow(memorySource('lz4', bytesOf('lz4.arrow')), undefined);
  expect(hasRowTexts(arrow, 0)).toBe(false);
  const parquet = await readParquet(memorySource('brotli', bytesOf('brotli.parquet')), undefined);
  expect(hasPageTexts(parquet, 0)).toBe(false);
  for (const file of ['length.parquet', 'delta.parquet'])
    expect(hasPageTexts(await readParquet(memorySource(file, bytesOf(file)), undefined), 0)).toBe(false);
});

it('refuses pages that decode to more than the limit', async () => {
  const bytes = bytesOf('plain.parquet');
  const contents = await readParquet(memorySource('plain', bytes), undefined);
  // The page header says 2^30 bytes: zigzag varint at its second field.
  const start = contents.chunkOffsets.at(0);
  const huge = new Uint8Array([0x15, 0x00, 0x15, 0x80, 0x80, 0x80, 0x80, 0x08, 0x15, 0x02, 0x2c, 0x15, 0x02, 0x00, 0x00]);
  bytes.set(huge, start);
  await expect(readPageTexts(memorySource('plain', bytes), contents, 0, 0, 1, undefined)).rejects.toSatisfy((error) =>
    FormatError.is(error, 'limit-exceeded'),
  );
});
