/** Unpacks a stretch as it is read: as a stream where its one codec can, else once it is whole. */
import { isStreamCodec, type StreamCodec } from '../bytes/chunkCodec.js';
import { createDecoder, type Decoder, type DecodedOutput } from '../bytes/decoders.js';
import { FormatError } from '../bytes/formatError.js';
import { unpackChunk } from '../bytes/unpackChunk.js';
import { pushBytes, wrongLength } from '../bytes/unpackStream.js';
import { boxed } from './chunkBox.js';
import type { PackedStretch, ValueExtent } from './valueExtent.js';

/** Takes the bytes of a stretch one after the other. */
interface Unpacker {
  /** @throws FormatError and errors of libraries for damaged data */
  push(bytes: Uint8Array, isLast: boolean): void;
}

/** Hands the values of a packed stretch on, and answers what is wrong with it. */
export class Unpacking {
  private readonly unpacker: Unpacker;
  private pushedBytes = 0;
  private hasFailed = false;

  /** @param onBytes called with what comes out, and no more than the stretch is to hold */
  constructor(
    private readonly extent: ValueExtent,
    packed: PackedStretch,
    onBytes: (bytes: Uint8Array) => void,
  ) {
    const [codec, ...others] = packed.codecs;
    const isStream = others.length === 0 && isStreamCodec(codec) && packed.box === undefined;
    this.unpacker = isStream ? new StreamUnpacker(codec, packed, onBytes) : new ChunkUnpacker(extent.bytes, packed, onBytes);
  }

  /** Answers what is wrong, once; null where nothing is. */
  push(bytes: Uint8Array): string | null {
    if (this.hasFailed) return null;
    this.pushedBytes += bytes.byteLength;
    try {
      this.unpacker.push(bytes, this.pushedBytes === this.extent.bytes);
      return null;
    } catch (error) {
      this.hasFailed = true;
      return FormatError.is(error) ? error.detail : 'the compressed data are damaged';
    }
  }
}

/** Nothing is held but what the format needs. */
class StreamUnpacker implements Unpacker, DecodedOutput {
  isFull = false;
  private readonly decoder: Decoder;
  private sizeBytes = 0;

  constructor(
    codec: StreamCodec,
    private readonly packed: PackedStretch,
    private readonly onBytes: (bytes: Uint8Array) => void,
  ) {
    this.decoder = createDecoder(codec, this);
  }

  add(block: Uint8Array): void {
    const header = Math.min(block.byteLength, Math.max(0, this.packed.headerBytes - this.sizeBytes));
    this.sizeBytes += block.byteLength;
    if (this.sizeBytes > this.packed.bytes) this.isFull = true;
    else if (block.byteLength > header) this.onBytes(block.subarray(header));
  }

  push(bytes: Uint8Array, isLast: boolean): void {
    for (let from = 0; from < bytes.byteLength && !this.isFull; from += pushBytes)
      this.decoder.push(bytes.subarray(from, from + pushBytes), isLast && from + pushBytes >= bytes.byteLength);
    if (this.isFull || (isLast && this.sizeBytes < this.packed.bytes)) throw wrongLength(this.isFull);
  }
}

class ChunkUnpacker implements Unpacker {
  private chunk: Uint8Array | undefined;
  private heldBytes = 0;

  constructor(
    private readonly storedBytes: number,
    private readonly packed: PackedStretch,
    private readonly onBytes: (bytes: Uint8Array) => void,
  ) {}

  push(bytes: Uint8Array, isLast: boolean): void {
    // Most chunks come in one read.
    if (isLast && this.chunk === undefined) return this.unpack(bytes);
    this.chunk ??= new Uint8Array(this.storedBytes);
    this.chunk.set(bytes, this.heldBytes);
    this.heldBytes += bytes.byteLength;
    if (!isLast) return;
    this.unpack(this.chunk);
    this.chunk = undefined;
  }

  private unpack(chunk: Uint8Array): void {
    const { codecs, bytes, headerBytes, box } = this.packed;
    const plain = unpackChunk(chunk, codecs, bytes).subarray(headerBytes);
    this.onBytes(box === undefined ? plain : boxed(plain, box));
  }
}
