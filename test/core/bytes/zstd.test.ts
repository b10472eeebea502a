import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../src/core/bytes/formatError.js';
import { decompressZstd } from '../../../src/core/bytes/zstd.js';
import { bytes, concat, integerLE, overwrite, patternBytes, u32, utf8 } from '../../builders/byteWriter.js';

const MAGIC = u32(0xfd2fb528);
/** Window of 2 MiB and no content size, as TensorStore's writer has it. */
const STREAM_HEAD = concat(MAGIC, bytes(0x00, 0x58));

type BlockKind = 'raw' | 'rle';

function block(kind: BlockKind, size: number, data: Uint8Array, isLast = true): Uint8Array {
  return concat(integerLE((size << 3) | (kind === 'raw' ? 0 : 2) | (isLast ? 1 : 0), 3), data);
}

/** `zstd -19` of 'stowage '.repeat(40), 320 bytes. */
const compressed = Uint8Array.from(atob('KLUv/QRofQAAQHN0b3dhZ2UgAQA11csFK1Vy8w=='), (character) => character.charCodeAt(0));

function codeOf(frame: Uint8Array, maxBytes: number): string {
  try {
    decompressZstd(frame, maxBytes);
    return 'none';
  } catch (error) {
    return FormatError.is(error) ? error.code : `not a FormatError: ${String(error)}`;
  }
}

describe('Zstandard', () => {
  it('gives the content of a frame', () => {
    const raw = patternBytes(300);
    expect(decompressZstd(concat(STREAM_HEAD, block('raw', 300, raw)), 300)).toEqual(raw);
    expect(decompressZstd(concat(STREAM_HEAD, block('rle', 5000, utf8('x'))), 5000)).toEqual(new Uint8Array(5000).fill(0x78));
    expect(decompressZstd(concat(STREAM_HEAD, block('raw', 3, utf8('abc'), false), block('raw', 2, utf8('de'))), 9)).toEqual(
      utf8('abcde'),
    );
  });

  it('gives what the reference compressor packed', () => {
    expect(decompressZstd(compressed, 320)).toEqual(utf8('stowage '.repeat(40)));
    expect(codeOf(compressed, 319)).toBe('limit-exceeded');
  });

  it('refuses a frame that is larger than allowed before and after it is unpacked', () => {
    const bomb = concat(
      STREAM_HEAD,
      ...Array.from({ length: 99 }, () => block('rle', 131072, utf8('x'), false)),
      block('rle', 1, utf8('x')),
    );
    expect(codeOf(bomb, 1_000_000)).toBe('limit-exceeded');
    const declared = concat(MAGIC, bytes(0xe0), integerLE(2n ** 40n, 8), block('raw', 1, utf8('a')));
    expect(codeOf(declared, 1_000_000)).toBe('limit-exceeded');
    // The decoder would allocate what is declared, although the blocks cannot hold it.
    expect(codeOf(concat(MAGIC, bytes(0xa0), u32(900_000), block('raw', 1, utf8('a'))), 1_000_000)).toBe('corrupt');
  });

  it.each([
    ['the first', [0xf0, 0x03]],
    // Probability 0 for one symbol, then for three and one more by the flags that repeat it.
    ['a later', [0x10, 0xee, 0x07]],
  ])('refuses Huffman weights of which %s symbol is the only one, which would be read forever', (_, table) => {
    const tree = [table.length + 2, ...table, 0, 0x80];
    const literals = [0x42, ((tree.length + 1) & 3) << 6, (tree.length + 1) >> 2, ...tree, 1];
    const content = bytes(...literals, 0);
    const frame = concat(STREAM_HEAD, integerLE((content.byteLength << 3) | 4 | 1, 3), content);
    expect(() => decompressZstd(frame, 1000)).toThrow('weights of one symbol');
  });

  it('survives every cut and every byte replaced', () => {
    for (let length = 0; length < compressed.byteLength; length++)
      expect(codeOf(compressed.subarray(0, length), 1000)).toMatch(/^(not-this-format|truncated|corrupt)$/);
    for (let at = 0; at < compressed.byteLength; at++)
      for (const value of [0, 0x7f, 0xff]) expect(codeOf(overwrite(compressed, at, bytes(value)), 1000)).not.toMatch(/^not a/);
  });
});
