/** Decoders that take a compressed file piece by piece, and hold no more of what comes out than their bound. */
import { Gunzip, Inflate, Unzlib } from 'fflate';
import { isSkippable, type Compression } from './compression.js';
import { FormatError } from './formatError.js';
import { limits } from './limits.js';
import type { UnpackBudget } from './unpackBudget.js';
import { zstdBlockBytes } from './zstdBlock.js';
import { ZstdFrame } from './zstdFrame.js';
import { readZstdFrameHeader } from './zstdHeader.js';

export interface Decoder {
  /** @throws FormatError or an error of the library for damaged data */
  push(piece: Uint8Array, isLast: boolean): void;
}

/** Takes what comes out. A decoder stops once it is full, and uses the bytes again. */
export interface DecodedOutput {
  readonly isFull: boolean;
  add(block: Uint8Array): void;
}

/** Collects what comes out, and no more than the bound and the budget. */
export class BoundedOutput implements DecodedOutput {
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
export function createDecoder(compression: Compression | 'deflate', output: DecodedOutput): Decoder {
  if (compression === 'deflate') return new Inflate((block) => output.add(block));
  if (compression === 'zlib') return new ZlibDecoder(output);
  return compression === 'gzip' ? new GzipDecoder(output) : new ZstdDecoder(output);
}

/** One stream with the checksum of what it holds at its end, which shows where one is cut (RFC 1950, ADLER32). */
class ZlibDecoder implements Decoder {
  private readonly unzlib: Unzlib;
  private tail: Uint8Array = new Uint8Array(0);
  private low = 1;
  private high = 0;

  constructor(private readonly output: DecodedOutput) {
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

function refuseUnlessZeros(padding: Uint8Array): void {
  if (padding.some((byte) => byte !== 0)) throw new FormatError('corrupt', 'the compressed data are damaged');
}

/** Members one behind the other, each with its length at its end (RFC 1952, ISIZE, modulo 2^32). Files on tapes are padded with zeros. */
class GzipDecoder implements Decoder {
  private readonly gunzip: Gunzip;
  private memberBytes = 0;
  /** True behind the last member. */
  private isPadding = false;

  constructor(private readonly output: DecodedOutput) {
    this.gunzip = new Gunzip((block) => {
      this.memberBytes += block.byteLength;
      output.add(block);
    });
    this.gunzip.onmember = () => (this.memberBytes = 0);
  }

  push(piece: Uint8Array, isLast: boolean): void {
    if (this.isPadding) return refuseUnlessZeros(piece);
    try {
      // It does not notice a stream that ends too early, and loses its place at the last piece.
      this.gunzip.push(piece, false);
    } catch (error) {
      const padding = this.behindMember();
      if (padding === undefined) throw error;
      refuseUnlessZeros(padding);
      this.isPadding = true;
      return;
    }
    if (!isLast || this.output.isFull) return;
    const rest = this.behindMember();
    if (rest === undefined) throw new FormatError('truncated', 'the compressed data end too early');
    refuseUnlessZeros(rest);
  }

  /** What fflate 0.8 holds behind the end of a member, where no other one begins; undefined within one. */
  private behindMember(): Uint8Array | undefined {
    const { p: held, v: next } = this.gunzip as unknown as { p: Uint8Array; v: number };
    if (next < 5 || next - 1 > held.byteLength) return undefined;
    const length = new DataView(held.buffer, held.byteOffset + next - 5, 4).getUint32(0, true);
    return length === this.memberBytes % 2 ** 32 ? held.subarray(next - 1) : undefined;
  }
}

const MAX_FRAME_HEADER_BYTES = 18;

/** Hands fzstd one block at a time, and each frame to a decoder of its own, after a look at what its header asks for. */
class ZstdDecoder implements Decoder {
  private pending: Uint8Array = new Uint8Array(0);
  private frame: ZstdFrame | undefined;
  private checksumBytes = 0;
  /** Bytes to leave out: a checksum, or a skippable frame. */
  private skip = 0;

  constructor(private readonly output: DecodedOutput) {}

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
    const header = readZstdFrameHeader(bytes);
    if (header.windowBytes > limits.zstdWindowBytes)
      throw new FormatError('limit-exceeded', `a Zstandard frame needs a window of ${header.windowBytes} bytes`);
    this.checksumBytes = header.checksumBytes;
    this.frame = new ZstdFrame(header, (block) => this.output.add(block));
    return header.headerBytes;
  }

  /** RFC 8878, 3.1.1.2: three bytes with the last block's mark, kind and size; a repeated byte takes one. */
  private block(bytes: Uint8Array, frame: ZstdFrame): number {
    if (bytes.byteLength < 3) return 0;
    const header = (bytes[0] as number) | ((bytes[1] as number) << 8) | ((bytes[2] as number) << 16);
    const length = zstdBlockBytes(header);
    if (bytes.byteLength < length) return 0;
    frame.push(bytes.slice(0, length));
    if ((header & 1) !== 0) {
      this.frame = undefined;
      this.skip = this.checksumBytes;
    }
    return length;
  }
}
