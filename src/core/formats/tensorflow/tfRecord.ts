/**
 * TFRecord (tensorflow/core/lib/io/record_writer.h): u64 length, u32 masked CRC-32C of the length, the data, u32 masked CRC-32C of the data;
 * little-endian. There is no index: records are found one after the other.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { crc32c } from '../../bytes/crc32c.js';
import { FormatError } from '../../bytes/formatError.js';
import { ReadAhead } from '../../bytes/readAhead.js';

const HEAD_BYTES = 12;
const TAIL_BYTES = 4;

export interface TfRecord {
  /** Where its header begins. */
  offset: number;
  dataBytes: number;
  /** Undefined where data are not wanted. */
  data: Uint8Array | undefined;
}

export interface TfRecordWalk {
  records: number;
  /** Where the first record begins that was not looked at. */
  end: number;
}

/** The checksum of a length or of data as it is stored. */
export function maskedCrc(bytes: Uint8Array): number {
  return maskedOf(crc32c(bytes));
}

/** The CRC-32C that was stored so. */
export function unmaskedOf(masked: number): number {
  const rotated = (masked - 0xa282ead8) >>> 0;
  return ((rotated >>> 17) | (rotated << 15)) >>> 0;
}

/** A CRC-32C as it is stored (tensorflow/core/lib/hash/crc32c.h, Mask). */
export function maskedOf(crc: number): number {
  return ((((crc >>> 15) | (crc << 17)) >>> 0) + 0xa282ead8) >>> 0;
}

export function isTfRecord(head: Uint8Array): boolean {
  if (head.byteLength < HEAD_BYTES) return false;
  return new DataView(head.buffer, head.byteOffset).getUint32(8, true) === maskedCrc(head.subarray(0, 8));
}

/**
 * Hands over the records that begin below `maxBytes`. Small records are read many at a time; the data of large ones are stepped over
 * where they are not wanted.
 * @param dataBytes data up to this size are handed over; 0 for none
 * @throws FormatError `not-this-format`, `corrupt` with the offset of a damaged header, `truncated` where the last record is cut
 */
export async function walkTfRecords(
  source: ByteSource,
  maxBytes: number,
  dataBytes: number,
  use: (record: TfRecord) => void,
  signal: AbortSignal | undefined,
): Promise<TfRecordWalk> {
  const window = new ReadAhead(source, signal);
  let records = 0;
  let at = 0;
  while (at < source.sizeBytes && at < maxBytes) {
    const head = await window.read(at, HEAD_BYTES);
    if (head === undefined) throw cut(source, at, records);
    const view = new DataView(head.buffer, head.byteOffset, HEAD_BYTES);
    if (view.getUint32(8, true) !== maskedCrc(head.subarray(0, 8))) {
      if (at === 0) throw new FormatError('not-this-format', 'no record begins the file', { offset: 0 });
      throw new FormatError('corrupt', 'the length of a record does not match its checksum', { offset: at });
    }
    const length = Number(view.getBigUint64(0, true));
    const end = at + HEAD_BYTES + length + TAIL_BYTES;
    if (end > source.sizeBytes) throw cut(source, at, records);
    const data = length <= dataBytes ? await window.read(at + HEAD_BYTES, length) : undefined;
    use({ offset: at, dataBytes: length, data });
    records += 1;
    at = end;
  }
  return { records, end: at };
}

function cut(source: ByteSource, offset: number, records: number): FormatError {
  return new FormatError('truncated', `the file ends within record ${records} at ${offset}`, { offset: source.sizeBytes });
}
