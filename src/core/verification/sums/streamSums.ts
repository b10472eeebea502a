/** Formats whose sums stand between the data: they are found while the file is read. */
import { decodeLatin1 } from '../../bytes/text.js';
import { isArrayRecord } from '../../formats/arrayRecord.js';
import { isTfRecord } from '../../formats/tensorflow/tfRecord.js';
import type { StreamName } from '../passSpec.js';
import type { SumKind } from '../verification.js';
import { noSums, type SumFormat } from './sumFormat.js';

/**
 * By the names that they usually have: a first header that is damaged must not hide the format, and a file of another format may begin with compressed
 * data, as those of OCDBT do. By their first bytes only where these are a sum themselves, or a whole signature.
 */
function streamed(
  stream: StreamName,
  by: SumKind,
  name: RegExp,
  isBegin: (head: Uint8Array) => boolean = () => false,
): SumFormat {
  return {
    recognises: (path, head) => name.test(path) || isBegin(head),
    read: () => Promise.resolve({ ...noSums(), by: [by], streams: [stream] }),
  };
}

/** Masked CRC-32C of the length and of the data of each record. */
export const tfRecordSums = streamed('tfrecord', 'tfrecord-crc32c', /\.tfrecords?(?:-\d+-of-\d+)?$/i, isTfRecord);

/** Hashes of blocks and chunks. The signature is the hash of the first block. */
export const arrayRecordSums = streamed(
  'riegeli',
  'array-record-hash',
  /\.(?:array_?record|riegeli)(?:-\d+-of-\d+)?$/i,
  isArrayRecord,
);

const snappyBegin = '\xff\x06\0\0sNaPpY';
/** Masked CRC-32C of each chunk. */
export const snappySums = streamed(
  'snappy',
  'snappy-crc32c',
  /\.sz$/i,
  (head) => decodeLatin1(head.subarray(0, 10)) === snappyBegin,
);

/** CRC-32 and length of each member. */
export const gzipSums = streamed('gzip', 'gzip-crc32', /\.(?:gz|tgz|crate)$/i);

/** XXH64 of each frame, where it has one. */
export const zstdSums = streamed('zstd', 'zstd-xxh64', /\.zstd?$/i);
