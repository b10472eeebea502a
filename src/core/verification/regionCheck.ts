import { createDecoder, type DecodedOutput, type Decoder } from '../bytes/decoders.js';
import { FormatError } from '../bytes/formatError.js';
import type { MakeHash, RunningHash } from './hashes/hash.js';
import type { Packing, Region } from './passSpec.js';
import { RawInflate } from './rawInflate.js';
import type { Extent } from './verification.js';
import { StringDecoder } from './stringDecoder.js';

/** DEFLATE gives at most 1,032 bytes for one: 17 MB a push. */
const PUSH_BYTES = 16 * 1024;

/** The sum of one region while its bytes pass. */
export class RegionCheck {
  /** Where it ends in the file. */
  readonly end: number;
  private readonly hash: RunningHash;
  private readonly decoder: Decoder | null;
  private readonly output: HashedOutput;
  /** Bytes that the sum is still to be over, as stored. */
  private left: number;
  private part = 0;
  private problem: string | null = null;

  constructor(
    readonly region: Region,
    makeHash: MakeHash,
  ) {
    this.end = region.offset + region.length;
    this.left = region.length - (region.sumBytes ?? 0);
    this.hash = makeHash(region.algorithm);
    this.output = new HashedOutput(this.hash, region.unpackedBytes ?? Infinity);
    this.decoder = region.packing === undefined ? null : decoderOf(region.packing, region.items ?? 0, this.output);
  }

  push(bytes: Uint8Array): void {
    const own = bytes.subarray(0, this.left);
    const offset = this.end - (this.region.sumBytes ?? 0) - this.left;
    this.left -= own.byteLength;
    if (this.region.parts !== undefined) this.pushParts(this.region.parts, own, offset);
    else if (this.decoder === null) this.hash.update(own);
    else this.unpack(this.decoder, own);
  }

  private pushParts(parts: readonly Extent[], bytes: Uint8Array, offset: number): void {
    for (let part = parts[this.part]; part !== undefined && part.offset < offset + bytes.byteLength; part = parts[this.part]) {
      const end = part.offset + part.length;
      this.hash.update(bytes.subarray(Math.max(0, part.offset - offset), Math.max(0, end - offset)));
      if (end > offset + bytes.byteLength) return;
      this.part += 1;
    }
  }

  /** What is wrong; null where the sum matches. */
  close(): string | null {
    if (this.problem !== null) return this.problem;
    if (this.left > 0) return 'cut off by the end of the file';
    const { algorithm, expected, unpackedBytes } = this.region;
    if (this.decoder !== null && unpackedBytes !== undefined && this.output.bytes !== unpackedBytes)
      return `${this.output.isFull ? 'more' : this.output.bytes} bytes unpacked where ${unpackedBytes} were written`;
    return expected.includes(this.hash.digest()) ? null : `${algorithmNames[algorithm]} does not match`;
  }

  private unpack(decoder: Decoder, bytes: Uint8Array): void {
    for (let from = 0; from < bytes.byteLength && this.problem === null && !this.output.isFull; from += PUSH_BYTES) {
      const isLast = this.left === 0 && from + PUSH_BYTES >= bytes.byteLength;
      try {
        decoder.push(bytes.subarray(from, from + PUSH_BYTES), isLast);
      } catch (error) {
        this.problem = FormatError.is(error) ? error.detail : 'the compressed data are damaged';
      }
    }
  }
}

const algorithmNames: Record<Region['algorithm'], string> = {
  crc32: 'CRC-32',
  crc32c: 'CRC-32C',
  adler32: 'Adler-32',
  fletcher32: 'Fletcher-32',
  lookup3: 'the checksum (lookup3)',
  riegeli: 'HighwayHash-64',
  xxh64: 'XXH64',
  md5: 'MD5',
  sha1: 'SHA-1',
  sha256: 'SHA-256',
  sha512: 'SHA-512',
};

function decoderOf(packing: Packing, items: number, output: DecodedOutput): Decoder {
  if (packing === 'tensorflow-strings') return new StringDecoder(items, output);
  return packing === 'deflate' ? new RawInflate(output) : createDecoder(packing, output);
}

/** Hashes what comes out, and stops where more comes than was written. */
class HashedOutput implements DecodedOutput {
  bytes = 0;

  constructor(
    private readonly hash: RunningHash,
    private readonly mostBytes: number,
  ) {}

  get isFull(): boolean {
    return this.bytes > this.mostBytes;
  }

  add(block: Uint8Array): void {
    this.bytes += block.byteLength;
    if (!this.isFull) this.hash.update(block);
  }
}
