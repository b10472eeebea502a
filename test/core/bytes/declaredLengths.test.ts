/** A length that a file declares is compared with its limit before anything of it is read, also where the file is as long as it says. */
import { expect, it } from 'vitest';
import type { ByteSource } from '../../../src/core/bytes/byteSource.js';
import { decompressBeginning } from '../../../src/core/bytes/decompressBeginning.js';
import { limits } from '../../../src/core/bytes/limits.js';
import { memorySource } from '../../../src/core/bytes/memorySource.js';
import { ofBeginning } from '../../../src/core/bytes/unpackBudget.js';
import { readArrow } from '../../../src/core/formats/arrow/arrowIpc.js';
import { readParquet } from '../../../src/core/formats/parquet/parquetFooter.js';
import { readSafetensors } from '../../../src/core/formats/safetensors/safetensors.js';
import type { FileSink } from '../../../src/core/formats/sink/fileSink.js';
import { readZipDirectory } from '../../../src/core/formats/zip.js';
import { bytes, concat, u16, u32, u64, utf8 } from '../../builders/byteWriter.js';

const SIZE_BYTES = 2 ** 40;
/** More than any reader takes as its first look, and less than any of the limits. */
const LARGE_READ_BYTES = 1024 * 1024;

/** A file of a terabyte: zeros, but for its beginning and its end. */
function huge(head: Uint8Array, tail: Uint8Array = new Uint8Array(0)): ByteSource {
  return {
    name: 'huge',
    sizeBytes: SIZE_BYTES,
    read(offset, length) {
      if (length > LARGE_READ_BYTES) throw new Error(`a read of ${length} bytes`);
      const read = new Uint8Array(length);
      const put = (part: Uint8Array, at: number): void => {
        const from = Math.max(at, offset);
        const to = Math.min(at + part.byteLength, offset + length);
        if (from < to) read.set(part.subarray(from - at, to - at), from - offset);
      };
      put(head, 0);
      put(tail, SIZE_BYTES - tail.byteLength);
      return Promise.resolve(read);
    },
    close: () => Promise.resolve(),
  };
}

/** The end of a zip archive with a directory of so many bytes, in the form for large files. */
function zipEnd(directoryBytes: number): Uint8Array {
  const end64 = concat(
    ...[u32(0x06064b50), u64(44), u16(45), u16(45), u32(0), u32(0)],
    ...[1, 1, directoryBytes, 0].map((value) => u64(value)),
  );
  const locator = concat(u32(0x07064b50), u32(0), u64(SIZE_BYTES - end64.byteLength - 42), u32(1));
  return concat(end64, locator, u32(0x06054b50), u16(0), u16(0), u16(0xffff), u16(0xffff), u32(~0), u32(~0), u16(0));
}

const sink = { turn: () => Promise.resolve(), finding: () => undefined, claim: () => undefined } as unknown as FileSink;

it.each<[limit: keyof typeof limits, read: () => Promise<unknown>]>([
  ['safetensorsHeaderBytes', () => readSafetensors(huge(concat(u64(limits.safetensorsHeaderBytes + 1), utf8('{'))), sink)],
  ['zipDirectoryBytes', () => readZipDirectory(huge(new Uint8Array(0), zipEnd(limits.zipDirectoryBytes + 1)))],
  [
    'parquetFooterBytes',
    () => readParquet(huge(utf8('PAR1'), concat(u32(limits.parquetFooterBytes + 1), utf8('PAR1'))), undefined),
  ],
  ['arrowMetadataBytes', () => readArrow(huge(concat(u32(0xffff_ffff), u32(limits.arrowMetadataBytes + 8))), undefined)],
  [
    'zstdWindowBytes',
    // A frame header with a window of 2^28 bytes (RFC 8878, 3.1.1.1.2).
    () =>
      decompressBeginning(
        memorySource('z', concat(bytes(0x28, 0xb5, 0x2f, 0xfd, 0, 18 << 3), new Uint8Array(64))),
        'zstd',
        1024,
        ofBeginning(undefined),
      ),
  ],
])('%s', async (_, read) => {
  await expect((async () => read())()).rejects.toMatchObject({ code: 'limit-exceeded' });
});
