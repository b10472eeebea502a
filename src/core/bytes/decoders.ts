/** Decoders that take a compressed file piece by piece, and hold no more of what comes out than their bound. */
import { Gunzip, Unzlib } from 'fflate';
import { Decompress } from 'fzstd';
import { isSkippable, type Compression } from './compression.js';
import { FormatError } from './formatError.js';
import { limits } from './limits.js';
import type { UnpackBudget } from './unpackBudget.js';
import { checkZstdBlock, readZstdFrameHeader } from './zstd.js';

export interface Decoder {
  /** @throws FormatError or an error of the library for damaged data */
  push(piece: Uint8Array, isLast: boolean): void;
}

/** Collects what comes out, and no more than the bound and the budget. */
export class BoundedOutput {
  private readonly blocks: Uint8Array[] = [];
  private sizeBytes = 0;
  isFull = false;

  constructor(
    private readonly maxBytes: number,
    private readonly budget: UnpackBudget,
  ) {}

  add(block: Uint8Array): void {
    const room = Math.min(this.maxBytes - this.sizeBytes, this.budget.roomBytes);
    if (block.byteLength > room) this.isFull = true;
    if (room <= 0 || block.byteLength === 0) return;
    // A copy, as decoders use their buffers again.
    const kept = block.slice(0, room);
    this.blocks.push(kept);
    this.sizeBytes += kept.byteLength;
    this.budget.charge(kept.byteLength);
  }

  joined(): Uint8Array {
    const bytes = new Uint8Array(this.sizeBytes);
    let at = 0;
    for (const block of this.blocks) {
      bytes.set(block, at);
      at += block.byteLength;
    }
    return bytes;
  }
}

/** A decoder that adds what comes out to the output. */
export function createDecoder(compression: Compression, output: BoundedOutput): Decoder {
  if (compression === 'zlib') return new ZlibDecoder(output);
  return compression === 'gzip' ? new GzipDecoder(output) : new ZstdDecoder(output);
}

/** One stream with the checksum of what it holds at its end, which shows where one is cut (RFC 1950, ADLER32). */
class ZlibDecoder implements Decoder {
  private readonly unzlib: Unzlib;
  private tail: Uint8Array = new Uint8Array(0);
  private low = 1;
  private high = 0;

  constructor(private readonly output: BoundedOutput) {
    this.unzlib = new Unzlib((block) => {
      this.sum(block);
      output.add(block);
    });
  }

  push(piece: Uint8Array, isLast: boolean): void {
    const tail = new Uint8Array(this.tail.byteLength + Math.min(4, piece.byteLength));
    tail.set(this.tail);
    tail.set(piece.subarray(-4), this.tail.byteLength);
    this.tail = tail.slice(-4);
    this.unzlib.push(piece, isLast);
    if (isLast && !this.output.isFull && !this.isEnded()) throw new FormatError('truncated', 'the compressed data end too early');
  }

  private isEnded(): boolean {
    if (this.tail.byteLength < 4) return false;
    return new DataView(this.tail.buffer).getUint32(0, false) === this.high * 65_536 + this.low;
  }

  private sum(block: Uint8Array): void {
    for (const byte of block) {
      this.low = (this.low + byte) % 65_521;
      this.high = (this.high + this.low) % 65_521;
    }
  }
}

/** Header of 10 bytes, an empty block of 2, trailer of 8, at least 18 in all with what is between (RFC 1952, 2.3). */
const MIN_MEMBER_BYTES = 18;

/** fflate does not notice a stream that ends too early: the length in the trailer tells (RFC 1952, ISIZE, modulo 2^32). */
class GzipDecoder implements Decoder {
  private readonly gunzip: Gunzip;
  private inputBytes = 0;
  private memberBytes = 0;
  private tail: Uint8Array = new Uint8Array(0);

  constructor(private readonly output: BoundedOutput) {
    this.gunzip = new Gunzip((block) => {
      this.memberBytes += block.byteLength;
      output.add(block);
    });
    this.gunzip.onmember = () => (this.memberBytes = 0);
  }

  push(piece: Uint8Array, isLast: boolean): void {
    this.inputBytes += piece.byteLength;
    const tail = new Uint8Array(this.tail.byteLength + Math.min(4, piece.byteLength));
    tail.set(this.tail);
    tail.set(piece.subarray(-4), this.tail.byteLength);
    this.tail = tail.slice(-4);
    this.gunzip.push(piece, isLast);
    if (isLast && !this.output.isFull && !this.isEnded()) throw new FormatError('truncated', 'the compressed data end too early');
  }

  private isEnded(): boolean {
    if (this.inputBytes < MIN_MEMBER_BYTES) return false;
    return new DataView(this.tail.buffer).getUint32(0, true) === this.memberBytes % 2 ** 32;
  }
}

const MAX_FRAME_HEADER_BYTES = 18;

/** Hands fzstd one block at a time, and each frame to a decoder of its own, after a look at what its header asks for. */
class ZstdDecoder implements Decoder {
  private pending: Uint8Array = new Uint8Array(0);
  private frame: Decompress | undefined;
  private hasChecksum = false;
  /** Bytes to leave out: a checksum, or a skippable frame. */
  private skip = 0;

  constructor(private readonly output: BoundedOutput) {}

  push(piece: Uint8Array, isLast: boolean): void {
    const bytes = new Uint8Array(this.pending.byteLength + piece.byteLength);
    bytes.set(this.pending);
    bytes.set(piece, this.pending.byteLength);
    let at = 0;
    for (let next = this.step(bytes, isLast); next > 0; next = this.step(bytes.subarray(at), isLast)) at += next;
    this.pending = bytes.subarray(at);
    if (isLast && !this.output.isFull && (this.pending.byteLength > 0 || this.frame !== undefined || this.skip > 0))
      throw new FormatError('truncated', 'the compressed data end within a frame');
  }

  /** Uses up the next part of the data; answers its length, 0 where more is needed. */
  private step(bytes: Uint8Array, isLast: boolean): number {
    if (this.output.isFull || bytes.byteLength === 0) return 0;
    if (this.skip > 0) {
      const skipped = Math.min(this.skip, bytes.byteLength);
      this.skip -= skipped;
      return skipped;
    }
    return this.frame === undefined ? this.beginFrame(bytes, isLast) : this.block(bytes, this.frame);
  }

  private beginFrame(bytes: Uint8Array, isLast: boolean): number {
    if (bytes.byteLength < MAX_FRAME_HEADER_BYTES && !isLast) return 0;
    if (isSkippable(bytes, 0)) {
      if (bytes.byteLength < 8) return 0;
      this.skip = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
      return 8;
    }
    const { headerBytes, windowBytes } = readZstdFrameHeader(bytes);
    if (windowBytes > limits.zstdWindowBytes)
      throw new FormatError('limit-exceeded', `a Zstandard frame needs a window of ${windowBytes} bytes`);
    this.hasChecksum = ((bytes[4] as number) & 4) !== 0;
    this.frame = new Decompress((block) => this.output.add(block));
    this.frame.push(bytes.slice(0, headerBytes));
    return headerBytes;
  }

  /** RFC 8878, 3.1.1.2: three bytes with the last block's mark, kind and size; a repeated byte takes one. */
  private block(bytes: Uint8Array, frame: Decompress): number {
    if (bytes.byteLength < 3) return 0;
    const header = (bytes[0] as number) | ((bytes[1] as number) << 8) | ((bytes[2] as number) << 16);
    const length = 3 + (((header >> 1) & 3) === 1 ? 1 : header >> 3);
    if (bytes.byteLength < length) return 0;
    const block = bytes.slice(0, length);
    checkZstdBlock(block);
    frame.push(block);
    if ((header & 1) !== 0) {
      this.frame = undefined;
      this.skip = this.hasChecksum ? 4 : 0;
    }
    return length;
  }
}
