import type { MakeHash } from '../hashes/hash.js';
import type { StreamName } from '../passSpec.js';
import type { Damage, Extent } from '../verification.js';
import { GzipStream } from './gzipStream.js';
import { SnappyStream } from './snappyStream.js';
import { TfRecordStream } from './tfRecordStream.js';
import { ZstdStream } from './zstdStream.js';

/** Finds the sums of a file while its bytes pass, and checks them. */
export interface SumStream {
  push(bytes: Uint8Array): void;
  end(): { damage: Damage[]; covered: Extent[] };
}

export function createStream(name: StreamName, makeHash: MakeHash): SumStream {
  switch (name) {
    case 'tfrecord':
      return new TfRecordStream(makeHash);
    case 'snappy':
      return new SnappyStream(makeHash);
    case 'gzip':
      return new GzipStream(makeHash);
    case 'zstd':
      return new ZstdStream(makeHash);
  }
}
