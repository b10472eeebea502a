import { createHash } from 'node:crypto';
import * as zlib from 'node:zlib';
import { coreHash } from '../../core/verification/hashes/coreHash.js';
import { hexOf32, type HashName, type RunningHash } from '../../core/verification/hashes/hash.js';

/** Checksums and digests of Node's own libraries where it has them: OpenSSL's SHA-256 uses the instructions of the processor, as zlib's CRC-32 does. */
export function nodeHash(name: HashName): RunningHash {
  switch (name) {
    case 'md5':
    case 'sha1':
    case 'sha256':
    case 'sha512':
      return new NodeDigest(name);
    case 'crc32':
      // Since Node 20.15.
      return typeof zlib.crc32 === 'function' ? new NodeCrc32() : coreHash(name);
    default:
      return coreHash(name);
  }
}

class NodeDigest implements RunningHash {
  private readonly hash;

  constructor(name: string) {
    this.hash = createHash(name);
  }

  update(bytes: Uint8Array): void {
    this.hash.update(bytes);
  }

  digest(): string {
    return this.hash.digest('hex');
  }
}

class NodeCrc32 implements RunningHash {
  private value = 0;

  update(bytes: Uint8Array): void {
    this.value = zlib.crc32(bytes, this.value);
  }

  digest(): string {
    return hexOf32(this.value);
  }
}
