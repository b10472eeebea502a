/** LZ4 against what pyarrow 26.0.1 wrote (`pa.compress` with `lz4_raw` and `lz4`), and blocks that no writer makes. */
import { describe, expect, it } from 'vitest';
import { decompressHadoopLz4, decompressLz4Block, decompressLz4Frame } from '../../../src/core/bytes/lz4.js';
import { bytes, concat, patternBytes, u32, utf8 } from '../../builders/byteWriter.js';

/** Long matches, long literals, and a match that reaches into itself. */
const plain = concat(
  utf8('The quick brown fox '.repeat(40)),
  Uint8Array.from({ length: 256 }, (_, byte) => byte),
  utf8(`${'a'.repeat(700)}end of it`),
);
const block = Uint8Array.from(
  Buffer.from(
    '/wVUaGUgcXVpY2sgYnJvd24gZm94IBQA///7//QAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKywtLi8wMTIzNDU2Nzg5Ojs8PT4/QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl9gYWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1+f4CBgoOEhYaHiImKi4yNjo+QkZKTlJWWl5iZmpucnZ6foKGio6SlpqeoqaqrrK2ur7CxsrO0tba3uLm6u7y9vr/AwcLDxMXGx8jJysvMzc7P0NHS09TV1tfY2drb3N3e3+Dh4uPk5ebn6Onq6+zt7u/w8fLz9PX29/j5+vv8/f7/YWFhAwD//6iQZW5kIG9mIGl0',
    'base64',
  ),
);
/** Magic, flags, largest block, checksum of these; the block after its length; the end. */
const frame = concat(bytes(0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82), u32(block.length), block, u32(0));
const bigEndian = (value: number): Uint8Array => u32(value).reverse();
const corrupt = expect.objectContaining({ name: 'FormatError', code: 'corrupt' }) as Error;

describe('a block', () => {
  it('gives what was packed', () => {
    expect(decompressLz4Block(block, plain.length)).toEqual(plain);
    expect(decompressLz4Block(bytes(0), 0)).toEqual(new Uint8Array(0));
  });

  it.each([
    ['of another size', block, plain.length + 1],
    ['of a smaller size', block, plain.length - 1],
    ['of a size that it cannot have', block, 2 ** 31],
    ['that is cut', block.subarray(0, 30), plain.length],
    ['that copies what is not there', bytes(0x14, 0x61, 9, 0, 0), 9],
    ['that copies from itself', bytes(0x14, 0x61, 0, 0, 0), 9],
    ['with a length without an end', bytes(0xf0, 255, 255), 600],
  ])('%s is refused', (_, content, size) => {
    expect(() => decompressLz4Block(content, size)).toThrowError(corrupt);
  });

  it('of any bytes is refused, or has the size that is asked for', () => {
    for (let seed = 1; seed < 300; seed++) {
      const damaged = block.slice();
      damaged[(seed * 7919) % damaged.length] = seed & 0xff;
      for (const content of [damaged, patternBytes(60, seed)])
        try {
          expect(decompressLz4Block(content, plain.length)).toHaveLength(plain.length);
        } catch (error) {
          expect(error).toMatchObject({ name: 'FormatError', code: 'corrupt' });
        }
    }
  });
});

describe('a frame', () => {
  it('gives what was packed: packed blocks and plain ones', () => {
    expect(decompressLz4Frame(frame, plain.length)).toEqual(plain);
    const stored = concat(frame.subarray(0, 7), u32(0x8000_0003), utf8('abc'), u32(0));
    expect(decompressLz4Frame(stored, 3)).toEqual(utf8('abc'));
  });

  it('is refused where it is cut, has another size, or is none', () => {
    expect(() => decompressLz4Frame(frame.subarray(0, -4), plain.length)).toThrowError(corrupt);
    expect(() => decompressLz4Frame(frame, plain.length + 1)).toThrowError(corrupt);
    expect(() => decompressLz4Frame(block, plain.length)).toThrowError(/no LZ4 frame/);
  });
});

it("reads Hadoop's framing, and bare blocks in its place", () => {
  const framed = concat(bigEndian(plain.length), bigEndian(block.length), block);
  expect(decompressHadoopLz4(framed, plain.length)).toEqual(plain);
  expect(decompressHadoopLz4(concat(framed, framed), 2 * plain.length)).toEqual(concat(plain, plain));
  expect(decompressHadoopLz4(block, plain.length)).toEqual(plain);
  expect(() => decompressHadoopLz4(framed.subarray(0, -1), plain.length)).toThrowError(corrupt);
});
