import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { pagedSource } from '../../bytes/pagedSource.js';
import type { Hdf5Sums } from '../../formats/hdf5/hdf5Bytes.js';
import { isHdf5, readHdf5 } from '../../formats/hdf5/readHdf5.js';
import { visibleText } from '../../text/visibleText.js';
import { hexOf32 } from '../hashes/hash.js';
import { lookup3 } from '../hashes/lookup3.js';
import type { Extent } from '../verification.js';
import { type ContainerSums, noSums, type SumFormat } from './sumFormat.js';
import { TensorPlaces } from './tensorPlaces.js';

const SUM_BYTES = 4;

/**
 * Checksums of HDF5's metadata where the file has the structures of version 1.8 and later: superblocks of version 2 and 3, object headers of version 2,
 * heads of fractal heaps, B-trees of version 2 and fixed arrays; and Fletcher-32 of chunks with that filter.
 */
export const hdf5Sums: SumFormat = {
  recognises: (path, head) => isHdf5(head) || /\.(?:h5|hdf5)$/i.test(path),
  async read(source, { path, signal }) {
    await refuseDamagedSuperblock(source, signal);
    const sink = new TensorPlaces(path, signal);
    const found = new FoundSums();
    await readHdf5(source, sink, found);
    const sums = noSums();
    const pages = pagedSource(source);
    for (const extent of found.structures) await checkMetadata(sums, pages, extent, signal);
    for (const { dataset, extent } of found.chunks) await addChunk(sums, source, dataset, extent, signal);
    addFindings(sums, sink, source.sizeBytes);
    if (found.structures.length > 0) sums.by.push('hdf5-lookup3');
    if (sums.regions.length > 0) sums.by.push('hdf5-fletcher32');
    sums.reason = reasonOf(found);
    return sums;
  },
};

const VERSION_AT = 8;

/** From version 2 on the superblock has a checksum, which distinguishes a damaged version from one that is not known. @throws FormatError `corrupt` */
async function refuseDamagedSuperblock(source: ByteSource, signal: AbortSignal | undefined): Promise<void> {
  const head = await source.read(0, Math.min(64, source.sizeBytes), signal);
  const version = head[VERSION_AT] ?? 0;
  const length = 12 + 4 * (head[VERSION_AT + 1] ?? 0);
  if (!isHdf5(head) || version <= 3 || length + SUM_BYTES > head.byteLength) return;
  const stored = new DataView(head.buffer, head.byteOffset).getUint32(length, true);
  if (lookup3(head.subarray(0, length)) !== stored)
    throw new FormatError('corrupt', 'the checksum of the superblock does not match', { offset: 0 });
}

function reasonOf({ structures, chunks }: FoundSums): string | null {
  if (chunks.length > 0) return null;
  return structures.length > 0
    ? 'its data were written without Fletcher-32: only metadata have checksums'
    : 'it was written without checksums: neither structures of HDF5 1.8 nor Fletcher-32';
}

class FoundSums implements Hdf5Sums {
  readonly structures: Extent[] = [];
  readonly chunks: { dataset: string; extent: Extent }[] = [];

  metadata(offset: number, length: number): void {
    if (this.structures.length < limits.hdf5Objects) this.structures.push({ offset, length });
  }

  chunk(dataset: string, offset: number, length: number): void {
    if (this.chunks.length < limits.hdf5Objects) this.chunks.push({ dataset, extent: { offset, length } });
  }
}

async function checkMetadata(
  sums: ContainerSums,
  source: ByteSource,
  { offset, length }: Extent,
  signal: AbortSignal | undefined,
): Promise<void> {
  const what = 'a structure of HDF5';
  if (offset + length > source.sizeBytes || length > limits.hdf5StructureBytes || length <= SUM_BYTES) {
    const there = Math.max(0, Math.min(length, source.sizeBytes - offset));
    sums.damage.push({ offset, length: there, what: `${what}: it has no such length` });
    return;
  }
  sums.checked.push({ offset, length });
  const bytes = await source.read(offset, length, signal);
  const stored = new DataView(bytes.buffer, bytes.byteOffset).getUint32(length - SUM_BYTES, true);
  if (lookup3(bytes.subarray(0, length - SUM_BYTES)) !== stored)
    sums.damage.push({ offset, length, what: `${what}: its checksum does not match` });
}

async function addChunk(
  sums: ContainerSums,
  source: ByteSource,
  dataset: string,
  { offset, length }: Extent,
  signal: AbortSignal | undefined,
): Promise<void> {
  const what = `a chunk of ${visibleText(dataset)}`;
  if (offset + length > source.sizeBytes || length < SUM_BYTES) {
    const there = Math.max(0, Math.min(length, source.sizeBytes - offset));
    sums.damage.push({ offset, length: there, what: `${what}: cut off by the end of the file` });
    return;
  }
  const stored = await source.read(offset + length - SUM_BYTES, SUM_BYTES, signal);
  sums.regions.push({ offset, length, algorithm: 'fletcher32', expected: expectedOf(stored), what, sumBytes: SUM_BYTES });
}

/** HDF5 before 1.6.3 stored the bytes of each half in the other order; readers accept both (H5Zfletcher32.c). */
function expectedOf(stored: Uint8Array): string[] {
  const value = new DataView(stored.buffer, stored.byteOffset).getUint32(0, true);
  const swapped = ((value & 0x00ff00ff) << 8) | ((value >>> 8) & 0x00ff00ff);
  return [hexOf32(value), hexOf32(swapped)];
}

/** What kept the reader from going on. */
function addFindings(sums: ContainerSums, { findings }: TensorPlaces, sizeBytes: number): void {
  for (const finding of findings) {
    if (finding.code === 'header-too-large') {
      // No structure can be larger than its file: a length that is has been damaged.
      if (sizeBytes > limits.hdf5StructureBytes)
        throw new FormatError('limit-exceeded', 'its structures are too large to be read');
      sums.damage.push({ offset: 0, length: sizeBytes, what: 'structures of HDF5: one is larger than the file' });
      continue;
    }
    if (finding.code !== 'header-corrupt' && finding.code !== 'file-truncated') continue;
    const offset = Math.min(finding.offset ?? 0, sizeBytes);
    const detail = finding.code === 'header-corrupt' ? finding.facts.detail : 'cut off by the end of the file';
    sums.damage.push({ offset, length: sizeBytes - offset, what: `structures of HDF5: ${detail}` });
  }
}
