/**
 * Zstandard frames (RFC 8878) through fzstd, which is pure JavaScript: Node 20 has no zstd and the core does not use Node. The frame's
 * headers are checked here first, as the decoder allocates what they declare.
 */
import { FormatError } from './formatError.js';
import { zstdBlockBytes } from './zstdBlock.js';
import { ZstdFrame } from './zstdFrame.js';
import { littleEndian, readZstdFrameHeader, type ZstdFrameHeader } from './zstdHeader.js';

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
  return collect(frame, header, maxBytes);
}

/** The most that the frame's blocks can give, from their headers alone: 3 bytes each, with kind and size (RFC 8878, 3.1.1.2). */
function boundOfBlocks(frame: Uint8Array, start: number): number {
  let bound = 0;
  for (let at = start; ;) {
    const block = littleEndian(frame, at, 3);
    bound += ((block >> 1) & 3) === 2 ? MAX_BLOCK_BYTES : block >> 3;
    at += zstdBlockBytes(block);
    if (at > frame.byteLength) throw new FormatError('truncated', 'a Zstandard frame ends within a block', { offset: at });
    if ((block & 1) !== 0) return Math.max(bound, MIN_WINDOW_BYTES);
  }
}

function collect(frame: Uint8Array, header: ZstdFrameHeader, maxBytes: number): Uint8Array {
  const blocks: Uint8Array[] = [];
  let total = 0;
  const decoder = new ZstdFrame(header, (block) => {
    total += block.byteLength;
    if (total > maxBytes) throw tooLarge(maxBytes);
    blocks.push(block);
  });
  try {
    let at = header.headerBytes;
    for (let isLast = false; !isLast;) {
      const block = littleEndian(frame, at, 3);
      const length = zstdBlockBytes(block);
      decoder.push(frame.slice(at, at + length));
      isLast = (block & 1) !== 0;
      at += length;
    }
    if (at + header.checksumBytes > frame.byteLength)
      throw new FormatError('truncated', 'a Zstandard frame ends in its checksum', { offset: at });
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

function tooLarge(maxBytes: number): FormatError {
  return new FormatError('limit-exceeded', `a Zstandard frame holds more than ${maxBytes} bytes`);
}
