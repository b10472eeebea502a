import type { MakeHash } from '../hashes/hash.js';
import type { StreamName } from '../passSpec.js';
import { GzipStream } from './gzipStream.js';
import { RiegeliStream } from './riegeliStream.js';
import { SnappyStream } from './snappyStream.js';
import type { SumStream } from './sumStream.js';
import { TfRecordStream } from './tfRecordStream.js';
import { ZstdStream } from './zstdStream.js';

/** A check of the sums of one format. */
export function createStream(name: StreamName, makeHash: MakeHash): SumStream {
  switch (name) {
    case 'tfrecord':
      return new TfRecordStream(makeHash);
    case 'riegeli':
      return new RiegeliStream(makeHash);
    case 'snappy':
      return new SnappyStream(makeHash);
    case 'gzip':
      return new GzipStream(makeHash);
    case 'zstd':
      return new ZstdStream(makeHash);
  }
}
