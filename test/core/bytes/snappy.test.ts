/** Blocks that no writer makes. Those of writers are in the fixtures: Parquet of pyarrow, indexes of TensorFlow. */
import { describe, expect, it } from 'vitest';
import { snappyUncompress } from 'hyparquet';
import { FormatError } from '../../../src/core/bytes/formatError.js';
import { decompressSnappy } from '../../../src/core/bytes/snappy.js';
import { bytes, concat, utf8 } from '../../builders/byteWriter.js';

const corrupt = (block: Uint8Array): void => {
  try {
    decompressSnappy(block, 7);
  } catch (error) {
    expect(FormatError.is(error, 'corrupt')).toBe(true);
    return;
  }
  expect.fail('it was unpacked');
};

describe('Snappy', () => {
  it('unpacks literals with lengths of one and two bytes, and copies with offsets of one, two and four', () => {
    const literal = utf8('abcdefgh'.repeat(10));
    const long = utf8('x'.repeat(300));
    const block = concat(
      bytes(0x87, 0x03),
      bytes(60 << 2, 79),
      literal,
      bytes((0 << 2) | 1, 8),
      bytes((2 << 2) | 2, 80, 0),
      bytes((3 << 2) | 3, 1, 0, 0, 0),
      bytes(61 << 2, 0x2b, 0x01),
      long,
    );
    const expected = new Uint8Array(391);
    snappyUncompress(block, expected);
    expect(decompressSnappy(block)).toEqual(expected);
  });

  it('refuses a literal and a copy whose four bytes are a negative number as signed ones, and ends', () => {
    corrupt(bytes(52, 0xfc, 0x34, 0xfc, 0x61, 0xfa, 0x01, 0x00));
    corrupt(bytes(8, 0, 0x61, 0xff, 0xff, 0xff, 0xff, 0xff));
  });

  it('refuses elements that reach outside', () => {
    corrupt(bytes(4, 0x0c, 0x61));
    corrupt(bytes(4, 0x00, 0x61, 0x01, 2));
    corrupt(bytes(4, 0x00, 0x61, 0x01, 0));
    corrupt(bytes(4, 0x00, 0x61, 0x02));
    corrupt(bytes(1, 0x04, 0x61, 0x61));
    corrupt(bytes(2, 0x00, 0x61));
    corrupt(bytes(0xff, 0xff, 0xff, 0xff, 0x0f));
    corrupt(bytes(0x80));
    expect(decompressSnappy(bytes(0))).toEqual(new Uint8Array(0));
  });
});
