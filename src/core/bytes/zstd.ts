/**
 * Zstandard frames (RFC 8878) through fzstd, which is pure JavaScript: Node 20 has no zstd and the core does not use Node. The frame's
 * headers are checked here first, as the decoder allocates what they declare.
 */
import { Decompress } from 'fzstd';
import { FormatError } from './formatError.js';

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const MAX_BLOCK_BYTES = 128 * 1024;
const MIN_WINDOW_BYTES = 1024;

/**
 * The content of one frame.
 * @param maxBytes the content may not be larger: checked against what the headers declare before anything is allocated, and again
 *   on what really comes out
 * @throws FormatError `not-this-format`, `truncated`, `corrupt` or `limit-exceeded`
 */
export function decompressZstd(frame: Uint8Array, maxBytes: number): Uint8Array {
  const header = readZstdFrameHeader(frame);
  if (header.contentBytes !== undefined && header.contentBytes > maxBytes) throw tooLarge(maxBytes);
  const bound = Math.min(maxBytes, boundOfBlocks(frame, header.headerBytes));
  if (header.contentBytes !== undefined && header.contentBytes > bound)
    throw new FormatError('corrupt', `a Zstandard frame declares ${header.contentBytes} bytes, more than its blocks can hold`);
  return collect(header.windowBytes > bound ? withWindow(frame, bound) : frame, maxBytes);
}

/** What stands before the first block of a frame. */
export interface ZstdFrameHeader {
  headerBytes: number;
  windowBytes: number;
  contentBytes: number | undefined;
}

/**
 * RFC 8878, 3.1.1.1: descriptor, window descriptor unless single-segment, dictionary id, content size. At most 18 bytes.
 * @throws FormatError `not-this-format` or `truncated`
 */
export function readZstdFrameHeader(frame: Uint8Array): ZstdFrameHeader {
  if (MAGIC.some((byte, index) => frame[index] !== byte)) throw new FormatError('not-this-format', 'no Zstandard frame');
  const descriptor = byteAt(frame, 4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const dictionaryAt = isSingleSegment ? 5 : 6;
  const sizeAt = dictionaryAt + ([0, 1, 2, 4][descriptor & 3] as number);
  const sizeLength = sizeFlag === 0 ? (isSingleSegment ? 1 : 0) : 1 << sizeFlag;
  const contentBytes = sizeLength === 0 ? undefined : littleEndian(frame, sizeAt, sizeLength) + (sizeFlag === 1 ? 256 : 0);
  return {
    headerBytes: sizeAt + sizeLength,
    contentBytes,
    windowBytes: isSingleSegment ? (contentBytes ?? 0) : windowOf(byteAt(frame, 5)),
  };
}

function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

/** The most that the frame's blocks can give, from their headers alone: 3 bytes each, with kind and size (RFC 8878, 3.1.1.2). */
function boundOfBlocks(frame: Uint8Array, start: number): number {
  let bound = 0;
  for (let at = start; ;) {
    const blockAt = at;
    const block = littleEndian(frame, at, 3);
    const size = block >> 3;
    const kind = (block >> 1) & 3;
    bound += kind === 2 ? MAX_BLOCK_BYTES : size;
    at += 3 + (kind === 1 ? 1 : size);
    if (at > frame.byteLength) throw new FormatError('truncated', 'a Zstandard frame ends within a block', { offset: at });
    checkZstdBlock(frame.subarray(blockAt, at));
    if ((block & 1) !== 0) return Math.max(bound, MIN_WINDOW_BYTES);
  }
}

/**
 * Refuses a block whose Huffman weights never end. Weights are coded by a table of states (RFC 8878, 4.2.1.2); where one symbol has all
 * of its probability, a state takes no bits and follows itself, and fzstd reads weights forever. Compressors never write this.
 * @param block with its header of three bytes
 * @throws FormatError `corrupt`
 */
export function checkZstdBlock(block: Uint8Array): void {
  const kind = ((block[0] as number) >> 1) & 3;
  const literals = block[3];
  if (kind !== 2 || literals === undefined || (literals & 3) !== 2) return;
  const sizeFormat = (literals >> 2) & 3;
  const treeAt = 3 + ([3, 3, 4, 5][sizeFormat] as number);
  // From 128 on the weights are stored directly.
  if ((block[treeAt] ?? 128) < 128 && hasCertainSymbol(block, treeAt + 1))
    throw new FormatError('corrupt', 'a Zstandard block has Huffman weights of one symbol');
}

/** Whether one symbol has all of the probability: those before it have none (RFC 8878, 4.1.1). */
function hasCertainSymbol(bytes: Uint8Array, at: number): boolean {
  let bit = 8 * at;
  const take = (count: number): number => {
    const byte = bit >> 3;
    const value = ((bytes[byte] ?? 0) | ((bytes[byte + 1] ?? 0) << 8)) >> (bit & 7);
    bit += count;
    return value & ((1 << count) - 1);
  };
  const log = take(4) + 5;
  // Weights have at most 64 states, and the decoder refuses more.
  if (log > 6) return false;
  const states = 1 << log;
  // Values up to `states + 1` take `log` bits where they are small, one more otherwise.
  const small = 2 ** (log + 1) - 2 - states;
  for (let symbol = 0; symbol < 256; symbol++) {
    const low = take(log);
    const value = low < small || take(1) === 0 ? low : low + 2 ** log - small;
    if (value !== 1) return value === states + 1;
    for (let repeat = take(2); ; repeat = take(2)) {
      symbol += repeat;
      if (repeat !== 3 || symbol > 255) break;
    }
  }
  return false;
}

/** The frame with the smallest window that holds `bytes`: a window beyond the whole content is never looked into. */
function withWindow(frame: Uint8Array, bytes: number): Uint8Array {
  if ((byteAt(frame, 4) & 0x20) !== 0) return frame;
  const copy = frame.slice();
  copy[5] = Math.max(0, Math.ceil(Math.log2(bytes)) - 10) << 3;
  return copy;
}

function collect(frame: Uint8Array, maxBytes: number): Uint8Array {
  const blocks: Uint8Array[] = [];
  let total = 0;
  const decoder = new Decompress((block) => {
    total += block.byteLength;
    if (total > maxBytes) throw tooLarge(maxBytes);
    blocks.push(block);
  });
  try {
    decoder.push(frame, true);
  } catch (error) {
    if (FormatError.is(error)) throw error;
    throw new FormatError('corrupt', 'a Zstandard frame cannot be decompressed', { cause: error });
  }
  return joined(blocks, total);
}

function joined(blocks: readonly Uint8Array[], total: number): Uint8Array {
  const content = new Uint8Array(total);
  let at = 0;
  for (const block of blocks) {
    content.set(block, at);
    at += block.byteLength;
  }
  return content;
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new FormatError('truncated', 'a Zstandard frame ends in its header', { offset: at });
  return byte;
}

/** An unsigned number of up to 8 bytes; above 2^53 it is not exact, but then it is above every limit too. */
function littleEndian(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = length - 1; index >= 0; index--) value = value * 256 + byteAt(bytes, at + index);
  return value;
}

function tooLarge(maxBytes: number): FormatError {
  return new FormatError('limit-exceeded', `a Zstandard frame holds more than ${maxBytes} bytes`);
}
