/**
 * LZ4 (github.com/lz4/lz4): blocks (doc/lz4_Block_format.md), frames of them (doc/lz4_Frame_format.md), and the framing of Hadoop, which
 * old Parquet files have. By hand, as the format is small and every length in it has to be checked. Checksums are not compared.
 */
import { FormatError } from './formatError.js';

/** Lengths of 15 go on in further bytes. */
const LONG_LENGTH = 15;
const MIN_MATCH_BYTES = 4;
/** A byte of a length stands for 255 bytes of a match at most. */
const MOST_GROWTH = 255;

/**
 * Unpacks a block of a known size.
 * @throws FormatError `corrupt`, also for a size that the block cannot have, before anything is allocated
 */
export function decompressLz4Block(block: Uint8Array, plainBytes: number): Uint8Array {
  const output = outputOf(block, plainBytes);
  if (new BlockDecoder(block, output).decode(0) !== plainBytes) throw corrupt();
  return output;
}

/** A buffer for what a block of this length may unpack to. */
function outputOf(block: Uint8Array, plainBytes: number): Uint8Array {
  if (plainBytes < 0 || plainBytes > (block.byteLength + 1) * MOST_GROWTH)
    throw new FormatError('corrupt', 'an LZ4 block declares a size that it cannot have');
  return new Uint8Array(plainBytes);
}

/**
 * Unpacks Parquet's `LZ4`: in Hadoop's framing (parquet-mr: u32 bytes uncompressed and u32 bytes compressed before each block, big-endian),
 * or a bare block, as old versions of Arrow wrote it.
 * @throws FormatError `corrupt`
 */
export function decompressHadoopLz4(bytes: Uint8Array, plainBytes: number): Uint8Array {
  return isHadoopFramed(bytes, plainBytes) ? unframed(bytes, plainBytes) : decompressLz4Block(bytes, plainBytes);
}

/** Whether the lengths fill the bytes, and their content is as long as it has to be. */
function isHadoopFramed(bytes: Uint8Array, plainBytes: number): boolean {
  const view = viewOf(bytes);
  let plain = 0;
  let at = 0;
  while (at + 8 <= bytes.byteLength) {
    plain += view.getUint32(at, false);
    at += 8 + view.getUint32(at + 4, false);
  }
  return at === bytes.byteLength && plain === plainBytes;
}

function unframed(bytes: Uint8Array, plainBytes: number): Uint8Array {
  const view = viewOf(bytes);
  const output = outputOf(bytes, plainBytes);
  let to = 0;
  for (let at = 0; at < bytes.byteLength;) {
    const end = at + 8 + view.getUint32(at + 4, false);
    const until = to + view.getUint32(at, false);
    // Each block reaches back within itself alone.
    const own = output.subarray(to, until);
    if (new BlockDecoder(bytes.subarray(at + 8, end), own).decode(0) !== own.byteLength) throw corrupt();
    [at, to] = [end, until];
  }
  return output;
}

const MAGIC = 0x184d2204;
const HAS_DICTIONARY = 1;
const HAS_CONTENT_SIZE = 8;
const HAS_BLOCK_CHECKSUM = 16;

/**
 * Unpacks a frame whose content has a known size, as in Arrow's bodies.
 * @throws FormatError `not-this-format`, `unsupported` for a dictionary, `corrupt`
 */
export function decompressLz4Frame(frame: Uint8Array, plainBytes: number): Uint8Array {
  const view = viewOf(frame);
  if (frame.byteLength < 7 || view.getUint32(0, true) !== MAGIC) throw new FormatError('not-this-format', 'no LZ4 frame');
  const flags = view.getUint8(4);
  if ((flags & HAS_DICTIONARY) !== 0) throw new FormatError('unsupported', 'an LZ4 frame with a dictionary');
  const output = outputOf(frame, plainBytes);
  let to = 0;
  for (let at = 7 + ((flags & HAS_CONTENT_SIZE) === 0 ? 0 : 8); ;) {
    if (at + 4 > frame.byteLength) throw corrupt();
    const header = view.getUint32(at, true);
    if (header === 0) break;
    const length = header & 0x7fff_ffff;
    const block = frame.subarray(at + 4, at + 4 + length);
    if (block.byteLength !== length) throw corrupt();
    if (header >= 0x8000_0000) {
      if (to + length > plainBytes) throw corrupt();
      output.set(block, to);
      to += length;
    } else to = new BlockDecoder(block, output).decode(to);
    at += 4 + length + ((flags & HAS_BLOCK_CHECKSUM) === 0 ? 0 : 4);
  }
  if (to !== plainBytes) throw corrupt();
  return output;
}

/** Largest blocks by the number in the frame's descriptor (doc/lz4_Frame_format.md, BD byte). */
const maxBlockBytes = [0, 0, 0, 0, 65_536, 262_144, 1_048_576, 4_194_304];

/**
 * Unpacks a frame whose content may be of any size, up to `maxBytes`. Output grows with the blocks that are there.
 * @throws FormatError `not-this-format`, `unsupported` for a dictionary, `corrupt`
 */
export function decompressLz4FrameBeginning(frame: Uint8Array, maxBytes: number): { bytes: Uint8Array; isWhole: boolean } {
  const view = viewOf(frame);
  if (frame.byteLength < 7 || view.getUint32(0, true) !== MAGIC) throw new FormatError('not-this-format', 'no LZ4 frame');
  const flags = view.getUint8(4);
  if ((flags & HAS_DICTIONARY) !== 0) throw new FormatError('unsupported', 'an LZ4 frame with a dictionary');
  const blockBytes = maxBlockBytes[(view.getUint8(5) >> 4) & 7] ?? 0;
  let output = new Uint8Array(blockBytes);
  let to = 0;
  for (let at = 7 + ((flags & HAS_CONTENT_SIZE) === 0 ? 0 : 8); at + 4 <= frame.byteLength;) {
    const header = view.getUint32(at, true);
    if (header === 0) return { bytes: output.subarray(0, Math.min(to, maxBytes)), isWhole: to <= maxBytes };
    const length = header & 0x7fff_ffff;
    const block = frame.subarray(at + 4, at + 4 + length);
    if (to >= maxBytes || block.byteLength !== length)
      return { bytes: output.subarray(0, Math.min(to, maxBytes)), isWhole: false };
    if (to + blockBytes > output.byteLength) {
      const larger = new Uint8Array(Math.max(Math.min(maxBytes, output.byteLength * 2), to + blockBytes));
      larger.set(output);
      output = larger;
    }
    if (header < 0x8000_0000) to = new BlockDecoder(block, output).decode(to);
    else {
      if (length > blockBytes) throw corrupt();
      output.set(block, to);
      to += length;
    }
    at += 4 + length + ((flags & HAS_BLOCK_CHECKSUM) === 0 ? 0 : 4);
  }
  return { bytes: output.subarray(0, to), isWhole: false };
}

/** Sequences of literals and matches: a copy of what was put out before, up to 65,535 bytes back. */
class BlockDecoder {
  private at = 0;

  constructor(
    private readonly block: Uint8Array,
    private readonly output: Uint8Array,
  ) {}

  /** @returns where the output ends. @param start where it begins; what is before it may be copied */
  decode(start: number): number {
    const { block, output } = this;
    let to = start;
    while (this.at < block.byteLength) {
      const token = this.byte();
      const literals = this.length(token >> 4);
      if (this.at + literals > block.byteLength || to + literals > output.byteLength) throw corrupt();
      output.set(block.subarray(this.at, this.at + literals), to);
      this.at += literals;
      to += literals;
      // The last sequence has literals alone.
      if (this.at === block.byteLength) break;
      const back = this.byte() + 256 * this.byte();
      const length = MIN_MATCH_BYTES + this.length(token & LONG_LENGTH);
      if (back === 0 || back > to || to + length > output.byteLength) throw corrupt();
      // A match may reach into itself: each byte after the one before it.
      for (const end = to + length; to < end; to++) output[to] = output[to - back] as number;
    }
    return to;
  }

  private length(nibble: number): number {
    let length = nibble;
    for (let more = nibble === LONG_LENGTH ? 255 : 0; more === 255; length += more) more = this.byte();
    return length;
  }

  private byte(): number {
    const byte = this.block[this.at++];
    if (byte === undefined) throw corrupt();
    return byte;
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function corrupt(): FormatError {
  return new FormatError('corrupt', 'an LZ4 block cannot be decompressed');
}
