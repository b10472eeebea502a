import type { Digest, MakeHash, RunningHash } from './hashes/hash.js';

/** CRC-32C of each block of a file. */
export class BlockSums {
  private readonly digests: Digest[] = [];
  private hash: RunningHash;
  private filled = 0;

  constructor(
    private readonly blockBytes: number,
    private readonly makeHash: MakeHash,
  ) {
    this.hash = makeHash('crc32c');
  }

  push(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.byteLength;) {
      const to = Math.min(bytes.byteLength, from + this.blockBytes - this.filled);
      this.hash.update(bytes.subarray(from, to));
      this.filled += to - from;
      if (this.filled === this.blockBytes) this.closeBlock();
      from = to;
    }
  }

  /** Those of all blocks; the last one may be shorter. */
  end(): Digest[] {
    if (this.filled > 0) this.closeBlock();
    return this.digests;
  }

  private closeBlock(): void {
    this.digests.push(this.hash.digest());
    this.hash = this.makeHash('crc32c');
    this.filled = 0;
  }
}
