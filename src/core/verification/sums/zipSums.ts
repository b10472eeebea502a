import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { pagedSource } from '../../bytes/pagedSource.js';
import { isZip, readZipDirectory, type ZipEntry } from '../../formats/zip.js';
import { openZipRecord, zipMethodName } from '../../formats/zipRecord.js';
import { visibleText } from '../../text/visibleText.js';
import { hexOf32 } from '../hashes/hash.js';
import { type ContainerSums, noSums, type SumFormat } from './sumFormat.js';
import type { Packing, Region } from '../passSpec.js';

/** What members are packed with, by their method; undefined for stored ones. Others are not unpacked here. */
const packings: Readonly<Record<number, Packing | undefined>> = { 0: undefined, 8: 'deflate', 20: 'zstd', 93: 'zstd' };

/** CRC-32 of the content of each member of a zip archive: torch, npz, keras, NeMo, any other. Local headers are compared with the directory. */
export const zipSums: SumFormat = {
  recognises: (_, head) => isZip(head),
  async read(source, { signal }) {
    const sums = noSums();
    const { entries } = await readZipDirectory(source, signal);
    const pages = pagedSource(source, headerPageBytes);
    for (const entry of entries) await addEntry(sums, pages, entry, signal);
    refuseOverlaps(sums);
    if (sums.regions.length + sums.damage.length > 0) sums.by.push('zip-crc32');
    return sums;
  },
};

/** No program writes members that lie on each other; unpacking them over and over would make any amount of data of a small file. */
function refuseOverlaps(sums: ContainerSums): void {
  let before: Region | undefined;
  sums.regions = sums.regions
    .sort((a, b) => a.offset - b.offset)
    .filter((region) => {
      const isOn = before !== undefined && region.offset < before.offset + before.length;
      if (isOn)
        sums.damage.push({ offset: region.offset, length: region.length, what: `${region.what}: it lies on another member` });
      else before = region;
      return !isOn;
    });
}

/** A page has the local header of a member, with its name and padding. */
const headerPageBytes = 256;

async function addEntry(
  sums: ContainerSums,
  source: ByteSource,
  entry: ZipEntry,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { method, headerOffset, compressedBytes, bytes, crc32, isEncrypted } = entry;
  const name = visibleText(entry.name);
  try {
    const { dataOffset, storedBytes, conflict } = await openZipRecord(source, entry, 0, signal);
    if (conflict !== undefined)
      sums.damage.push({ offset: headerOffset, length: dataOffset - headerOffset, what: `local header of ${name}: ${conflict}` });
    if (storedBytes < compressedBytes) {
      sums.damage.push({ offset: dataOffset, length: storedBytes, what: `data of ${name}: cut off by the end of the file` });
      return;
    }
    if (isEncrypted || !(method in packings)) {
      sums.reason ??= isEncrypted
        ? `${name} is encrypted`
        : `${name} is compressed with ${zipMethodName(method)}, which is not unpacked`;
      return;
    }
    // torch writes 0 where CRC-32 is turned off, and for data that `skip_data` leaves out.
    if (crc32 === 0 && bytes > 0) {
      sums.reason ??= `${name} was written without a CRC-32`;
      return;
    }
    const packing = packings[method];
    sums.regions.push({
      offset: dataOffset,
      length: compressedBytes,
      algorithm: 'crc32',
      expected: [hexOf32(crc32)],
      what: `data of ${name} in the archive`,
      ...(packing === undefined ? {} : { packing, unpackedBytes: bytes }),
    });
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'io' || error.code === 'cancelled') throw error;
    sums.damage.push({ offset: headerOffset, length: source.sizeBytes - headerOffset, what: error.detail });
  }
}
