/**
 * What every object of an OCDBT database is wrapped in (tensorstore/kvstore/ocdbt/format/codec_util.cc):
 *
 *   magic u32 big-endian | length u64 of all | version varint | compression varint | body | crc32c u32 of all before
 *
 * Compression 0 stores the body as it is, 1 as one Zstandard frame.
 */
import { ByteCursor } from '../../bytes/byteCursor.js';
import { toSafeInteger } from '../../bytes/checkedInteger.js';
import { crc32c } from '../../bytes/crc32c.js';
import { FormatError } from '../../bytes/formatError.js';
import { decompressZstd } from '../../bytes/zstd.js';

const objectKinds = { manifest: 0x0cdb3a2a, node: 0x0cdb20de } as const;

const HEAD_BYTES = 12;
const CHECKSUM_BYTES = 4;
const SMALLEST_BYTES = HEAD_BYTES + 2 + CHECKSUM_BYTES;

/** The decoded inside of an object. */
export interface ObjectBody {
  body: ByteCursor;
  /** Where in the object as stored a position of the body lies: exact where nothing is compressed, in proportion where it is. */
  storedPosition: (position: number) => number;
}

/**
 * Checks and opens an object that fills `bytes`.
 * @throws FormatError `not-this-format`, `truncated`, `corrupt` (a checksum that does not match), `unsupported` or `limit-exceeded`
 */
export function openObject(bytes: Uint8Array, kind: keyof typeof objectKinds, maxBodyBytes: number): ObjectBody {
  if (bytes.byteLength < SMALLEST_BYTES)
    throw new FormatError('truncated', `an OCDBT ${kind} of ${bytes.byteLength} bytes`, { offset: bytes.byteLength });
  const cursor = new ByteCursor(bytes);
  if (cursor.u32BigEndian() !== objectKinds[kind])
    throw new FormatError('not-this-format', `no OCDBT ${kind} begins here`, { offset: 0 });
  checkLength(toSafeInteger(cursor.u64(), 'the length of an OCDBT object', 4), bytes.byteLength, kind);
  checkChecksum(bytes, kind);
  const version = cursor.varint();
  if (version !== 0) throw new FormatError('unsupported', `version ${version} of an OCDBT ${kind}`);
  const compression = cursor.varint();
  if (compression > 1) throw new FormatError('unsupported', `compression ${compression} of an OCDBT ${kind}`);
  const start = cursor.position;
  const stored = bytes.subarray(start, bytes.byteLength - CHECKSUM_BYTES);
  const body = compression === 1 ? decompressZstd(stored, maxBodyBytes) : stored;
  const scale = stored.byteLength / Math.max(1, body.byteLength);
  return { body: new ByteCursor(body), storedPosition: (position) => start + Math.floor(position * scale) };
}

function checkLength(declared: number, present: number, kind: string): void {
  if (declared > present)
    throw new FormatError('truncated', `an OCDBT ${kind} of ${declared} bytes is cut off at ${present}`, { offset: present });
  if (declared < present)
    throw new FormatError('corrupt', `an OCDBT ${kind} says ${declared} bytes where ${present} are stored`, { offset: 4 });
}

function checkChecksum(bytes: Uint8Array, kind: string): void {
  const end = bytes.byteLength - CHECKSUM_BYTES;
  const stored = new DataView(bytes.buffer, bytes.byteOffset + end, CHECKSUM_BYTES).getUint32(0, true);
  if (crc32c(bytes.subarray(0, end)) !== stored)
    throw new FormatError('corrupt', `the checksum of an OCDBT ${kind} does not match its bytes`, { offset: end });
}
