/** Headers of Zstandard frames (RFC 8878, 3.1.1.1). */
import { FormatError } from './formatError.js';

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

/** What stands before the first block of a frame. */
export interface ZstdFrameHeader {
  headerBytes: number;
  windowBytes: number;
  contentBytes: number | undefined;
  /** 0 where none is needed. */
  dictionaryId: number;
  /** Of the content, behind the last block; 0 without one. It is not looked at. */
  checksumBytes: number;
}

/**
 * RFC 8878, 3.1.1.1: descriptor, window descriptor unless single-segment, dictionary id, content size. At most 18 bytes.
 * @throws FormatError `not-this-format` or `truncated`
 */
export function readZstdFrameHeader(frame: Uint8Array): ZstdFrameHeader {
  if (MAGIC.some((byte, index) => frame[index] !== byte)) throw new FormatError('not-this-format', 'no Zstandard frame');
  const descriptor = byteAt(frame, 4);
  if ((descriptor & 8) !== 0) throw new FormatError('corrupt', 'a Zstandard frame has a reserved bit', { offset: 4 });
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const dictionaryAt = isSingleSegment ? 5 : 6;
  const dictionaryLength = [0, 1, 2, 4][descriptor & 3] as number;
  const sizeAt = dictionaryAt + dictionaryLength;
  const sizeLength = sizeFlag === 0 ? (isSingleSegment ? 1 : 0) : 1 << sizeFlag;
  const contentBytes = sizeLength === 0 ? undefined : littleEndian(frame, sizeAt, sizeLength) + (sizeFlag === 1 ? 256 : 0);
  return {
    headerBytes: sizeAt + sizeLength,
    contentBytes,
    checksumBytes: (descriptor & 4) === 0 ? 0 : 4,
    dictionaryId: littleEndian(frame, dictionaryAt, dictionaryLength),
    windowBytes: isSingleSegment ? (contentBytes ?? 0) : windowOf(byteAt(frame, 5)),
  };
}

function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new FormatError('truncated', 'a Zstandard frame ends in its header', { offset: at });
  return byte;
}

/** An unsigned number of up to 8 bytes; above 2^53 it is not exact, but then it is above every limit too. */
export function littleEndian(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = length - 1; index >= 0; index--) value = value * 256 + byteAt(bytes, at + index);
  return value;
}
