import { FormatError } from '../../bytes/formatError.js';
import { isSkippable } from '../../bytes/compression.js';
import { limits } from '../../bytes/limits.js';
import { zstdBlockBytes } from '../../bytes/zstdBlock.js';
import { ZstdFrame } from '../../bytes/zstdFrame.js';
import { littleEndian, readZstdFrameHeader, type ZstdFrameHeader } from '../../bytes/zstdHeader.js';
import type { MakeHash, RunningHash } from '../hashes/hash.js';
import type { Extent } from '../verification.js';
import { FramedStream, type NextPart } from './framedStream.js';

/** Magic and descriptor, of which the length of the rest of the header follows. */
const MAGIC_BYTES = 5;
const BLOCK_HEADER_BYTES = 3;

type Stage = 'magic' | 'skipped-size' | 'skipped' | 'header' | 'block-header' | 'block' | 'checksum';

/**
 * Zstandard (RFC 8878): frames whose content has XXH64 with seed 0 behind it, of which the low four bytes are stored, where the writer wanted that
 * (3.1.1). Frames without are unpacked all the same, so that damage of their structure is noticed; they count as covered by nothing.
 */
export class ZstdStream extends FramedStream {
  private stage: Stage = 'magic';
  private frameAt = 0;
  private header: ZstdFrameHeader | null = null;
  private decoder: ZstdFrame | null = null;
  private hash: RunningHash;
  /** Behind the header of the frame, which no sum covers. */
  private blocksAt = 0;
  private unpackedBytes = 0;
  private prefix: Uint8Array = new Uint8Array(0);
  private isLastBlock = false;
  private readonly sums: Extent[] = [];

  constructor(private readonly makeHash: MakeHash) {
    super(MAGIC_BYTES);
    this.hash = makeHash('xxh64');
  }

  protected get isBetween(): boolean {
    return this.stage === 'magic' && this.at === this.frameAt;
  }

  protected get frame(): { offset: number; what: string } {
    return { offset: this.frameAt, what: 'a frame of Zstandard' };
  }

  protected override coveredOf(): Extent[] {
    return this.sums;
  }

  protected onBytes(_: Uint8Array, isLast: boolean): NextPart | undefined {
    return isLast ? this.nextFrame() : undefined;
  }

  protected onField(): NextPart {
    try {
      return this.step(this.field.whole.slice());
    } catch (error) {
      const detail = FormatError.is(error) ? error.detail : 'the compressed data are damaged';
      this.cover();
      this.say(this.frameAt, this.at - this.frameAt, `a frame of Zstandard: ${detail}`);
      return null;
    }
  }

  private step(bytes: Uint8Array): NextPart {
    switch (this.stage) {
      case 'magic':
        return this.magic(bytes);
      case 'skipped-size':
        this.stage = 'skipped';
        return { kind: 'bytes', bytes: littleEndian(joined(this.prefix, bytes), 4, 4) };
      case 'header':
        return this.beginFrame(joined(this.prefix, bytes));
      case 'block-header':
        return this.blockHeader(bytes);
      case 'block':
        this.decoder?.push(joined(this.prefix, bytes));
        return this.isLastBlock ? this.endBlocks() : this.next('block-header', BLOCK_HEADER_BYTES);
      case 'checksum':
        return this.checksum(littleEndian(bytes, 0, 4));
      case 'skipped':
        return null;
    }
  }

  private magic(bytes: Uint8Array): NextPart {
    this.prefix = bytes;
    if (isSkippable(bytes, 0)) return this.next('skipped-size', 3);
    return this.next('header', headerBytes(bytes) - MAGIC_BYTES);
  }

  private beginFrame(bytes: Uint8Array): NextPart {
    const header = readZstdFrameHeader(bytes);
    if (header.windowBytes > limits.zstdWindowBytes)
      throw new FormatError('limit-exceeded', `it needs a window of ${header.windowBytes} bytes`);
    this.header = header;
    this.blocksAt = this.at;
    this.hash = this.makeHash('xxh64');
    this.unpackedBytes = 0;
    this.decoder = new ZstdFrame(header, (block) => {
      this.unpackedBytes += block.byteLength;
      if (header.checksumBytes > 0) this.hash.update(block);
    });
    return this.next('block-header', BLOCK_HEADER_BYTES);
  }

  private blockHeader(bytes: Uint8Array): NextPart {
    const word = littleEndian(bytes, 0, BLOCK_HEADER_BYTES);
    this.prefix = bytes;
    this.isLastBlock = (word & 1) !== 0;
    const length = zstdBlockBytes(word) - BLOCK_HEADER_BYTES;
    this.stage = 'block';
    return length === 0 ? this.step(new Uint8Array(0)) : { kind: 'field', bytes: length };
  }

  private endBlocks(): NextPart {
    const { contentBytes, checksumBytes = 0 } = this.header ?? {};
    if (contentBytes !== undefined && contentBytes !== this.unpackedBytes)
      throw new FormatError('corrupt', `${this.unpackedBytes} bytes unpacked where ${contentBytes} were written`);
    return checksumBytes === 0 ? this.nextFrame() : this.next('checksum', checksumBytes);
  }

  private checksum(stored: number): NextPart {
    this.cover();
    if (parseInt(this.hash.digest().slice(8), 16) !== stored)
      this.say(this.frameAt, this.at - this.frameAt, 'a frame of Zstandard: XXH64 does not match');
    return this.nextFrame();
  }

  private cover(): void {
    if (this.header !== null && this.header.checksumBytes > 0)
      this.sums.push({ offset: this.blocksAt, length: this.at - this.blocksAt });
  }

  private nextFrame(): NextPart {
    this.frameAt = this.at;
    this.header = null;
    return this.next('magic', MAGIC_BYTES);
  }

  private next(stage: Stage, bytes: number): NextPart {
    this.stage = stage;
    return bytes === 0 ? this.step(new Uint8Array(0)) : { kind: 'field', bytes };
  }
}

/** Of a whole header, by its descriptor (RFC 8878, 3.1.1.1). */
function headerBytes(magic: Uint8Array): number {
  const descriptor = magic[4] as number;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 ? (isSingleSegment ? 1 : 0) : 1 << sizeFlag;
  return MAGIC_BYTES + (isSingleSegment ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] as number) + sizeBytes;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.byteLength + second.byteLength);
  bytes.set(first);
  bytes.set(second, first.byteLength);
  return bytes;
}
