/**
 * A torch zip whose end is missing: the process that saved it was killed, or the disk was full. data.pkl is the first record and
 * stored, and each storage's size is in it, so that the records which are there can still be found one after the other.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeText } from '../../bytes/text.js';
import type { FileSink, FoundPiece } from '../sink/fileSink.js';
import { FileImports } from '../pickle/imports/fileImports.js';
import { damageCodes, pickleDamage } from '../pickle/pickleDamage.js';
import { runPickle, type PickleResult } from '../pickle/pickleMachine.js';
import { listTorchTensors, storageSizesOf } from './torchStorages.js';

const LOCAL = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const LOCAL_BYTES = 30;
/** Local headers of torch are below 200 bytes: name, and padding to the next multiple of 64. */
const HEADER_READ_BYTES = 512;
const FIRST_READ_BYTES = 64 * 1024;

/** Lists what can be told of the file. Storages that are cut off are listed without a place. */
export async function readTruncatedTorchZip(source: ByteSource, sink: FileSink): Promise<void> {
  const head = await source.read(0, Math.min(HEADER_READ_BYTES, source.sizeBytes), sink.signal);
  const first = localHeader(head, 0);
  if (first?.name.endsWith('/data.pkl') !== true) {
    sink.unexplained(0, source.sizeBytes);
    return;
  }
  const pickle = await readGrowing(source, first.dataOffset, sink);
  if (pickle === undefined) {
    sink.unexplained(first.dataOffset, source.sizeBytes - first.dataOffset);
    return;
  }
  sink.object(pickle.root);
  const { places, endOffset } = await findStorages(
    source,
    first.dataOffset + pickle.end,
    first.name.slice(0, -'data.pkl'.length),
    storageSizesOf(pickle),
    sink,
  );
  if (endOffset < source.sizeBytes) sink.unexplained(endOffset, source.sizeBytes - endOffset);
  // A storage that begins but does not end here counts with the bytes that are here: that is what the ledger keeps.
  listTorchTensors(pickle.root, (key) => places.get(key), sink, true);
}

interface LocalHeader {
  name: string;
  dataOffset: number;
}

function localHeader(bytes: Uint8Array, offset: number): LocalHeader | undefined {
  if (bytes.byteLength < LOCAL_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== LOCAL) return undefined;
  const nameBytes = view.getUint16(26, true);
  if (LOCAL_BYTES + nameBytes > bytes.byteLength) return undefined;
  return {
    name: decodeText(bytes, LOCAL_BYTES, LOCAL_BYTES + nameBytes),
    dataOffset: offset + LOCAL_BYTES + nameBytes + view.getUint16(28, true),
  };
}

/** The pickle's length is not in its local header: read more until it has its STOP. */
async function readGrowing(source: ByteSource, offset: number, sink: FileSink): Promise<PickleResult | undefined> {
  for (let wanted = FIRST_READ_BYTES; ; wanted *= 4) {
    const length = Math.max(0, Math.min(wanted, source.sizeBytes - offset, limits.pickleBytes));
    const bytes = await source.read(Math.min(offset, source.sizeBytes), length, sink.signal);
    try {
      const pickle = runPickle(bytes);
      await noteImports(bytes, offset, pickle.end, sink);
      return pickle;
    } catch (error) {
      if (!FormatError.is(error) || !damageCodes.has(error.code)) throw error;
      if (error.code === 'truncated' && length === wanted) continue;
      await noteImports(bytes, offset, bytes.byteLength, sink);
      sink.finding(pickleDamage(error, 'data.pkl', bytes.byteLength, offset));
      return undefined;
    }
  }
}

async function noteImports(bytes: Uint8Array, offset: number, end: number, sink: FileSink): Promise<void> {
  const imports = new FileImports(sink);
  imports.scan(bytes, offset, { end });
  await imports.report(sink);
}

/** Goes from local header to local header; small records between the storages are found by their descriptors' signature. */
async function findStorages(
  source: ByteSource,
  start: number,
  prefix: string,
  sizes: ReadonlyMap<string, number>,
  sink: FileSink,
): Promise<{ places: Map<string, FoundPiece>; endOffset: number }> {
  const places = new Map<string, FoundPiece>();
  let at = start;
  for (;;) {
    const window = await source.read(at, Math.max(0, Math.min(HEADER_READ_BYTES, source.sizeBytes - at)), sink.signal);
    const skip = nextLocalHeader(window);
    const header = skip === -1 ? undefined : localHeader(window.subarray(skip), at + skip);
    if (header === undefined) return { places, endOffset: at };
    const key = header.name.startsWith(`${prefix}data/`) ? header.name.slice(prefix.length + 5) : undefined;
    const size = key === undefined ? undefined : sizes.get(key);
    if (key !== undefined && size !== undefined) {
      const present = Math.max(0, Math.min(size, source.sizeBytes - header.dataOffset));
      places.set(key, { offset: header.dataOffset, bytes: size });
      if (present < size) return { places, endOffset: source.sizeBytes };
    }
    at = header.dataOffset + (size ?? 0);
    if (at >= source.sizeBytes) return { places, endOffset: source.sizeBytes };
  }
}

/** Position of the next local header in a window that begins in a descriptor or in a small record's data; -1 without one. */
function nextLocalHeader(window: Uint8Array): number {
  const view = new DataView(window.buffer, window.byteOffset, window.byteLength);
  const first = window.byteLength >= 4 && view.getUint32(0, true) === DESCRIPTOR ? 16 : 0;
  for (let at = first; at + LOCAL_BYTES <= window.byteLength; at++) if (view.getUint32(at, true) === LOCAL) return at;
  return -1;
}
