/**
 * Where the values of a tensor are in an item of torch.distributed.checkpoint: each is an archive of torch.save, of which the index states the beginning and
 * the length alone (torch/distributed/checkpoint/filesystem.py, _write_item). Its records come in the order in which they were written: data.pkl, which
 * describes the tensor, and then data/0.
 */
import { FormatError } from '../bytes/formatError.js';
import { decodeText } from '../bytes/text.js';
import { runPickle } from '../formats/pickle/pickleMachine.js';
import { tensorOf } from '../formats/torch/torchTensor.js';
import type { ValueExtent } from './valueExtent.js';
import { usualStrides } from './viewRuns.js';

/** The records before the values take some 700 bytes, and 4 kB more where they are aligned to pages. */
export const itemHeadBytes = 8192;

/** True for a stretch that is read through the archive that it begins with. */
export function isItem({ path, packed }: Pick<ValueExtent, 'path' | 'packed'>): boolean {
  return packed === undefined && path.endsWith('.distcp');
}

/** Reads bytes of a file. @throws FormatError */
type ReadBytes = (path: string, offset: number, length: number) => Promise<Uint8Array>;

/**
 * The stretches with those of items moved to their values.
 * @param sizeOf of a file
 * @throws FormatError `corrupt` for an item without a plain tensor, and those of reading
 */
export async function settledExtents(
  extents: readonly ValueExtent[],
  read: ReadBytes,
  sizeOf: (path: string) => Promise<number>,
): Promise<ValueExtent[]> {
  const settled: ValueExtent[] = [];
  for (const extent of extents) {
    if (!isItem(extent)) {
      settled.push(extent);
      continue;
    }
    const room = (await sizeOf(extent.path)) - extent.offset;
    const head = await read(extent.path, extent.offset, Math.max(0, Math.min(itemHeadBytes, room)));
    settled.push({ ...extent, offset: extent.offset + valuesIn(head, extent) });
  }
  return settled;
}

/** Where the values begin in an archive. @throws FormatError `corrupt` */
function valuesIn(head: Uint8Array, { offset, bytes }: ValueExtent): number {
  let pickle: Uint8Array | undefined;
  for (const { name, start, end } of recordsOf(head)) {
    if (name.endsWith('/data.pkl') && end !== undefined) pickle = head.subarray(start, end);
    if (!name.endsWith('/data/0')) continue;
    if (pickle === undefined || !isPlain(pickle, bytes)) break;
    return start;
  }
  throw new FormatError('corrupt', 'an item of the save is no plain tensor', { offset });
}

/** One tensor of so many bytes in the usual order, in a storage of its own. */
function isPlain(pickle: Uint8Array, bytes: number): boolean {
  const tensor = tensorOf(runPickle(pickle).root);
  const [storage] = tensor?.storages ?? [];
  if (tensor === undefined || storage?.key !== '0' || tensor.storageOffset !== 0) return false;
  const usual = usualStrides(tensor.shape);
  const strides = tensor.strides ?? usual;
  const elements = tensor.shape.reduce((product, size) => product * size, 1);
  return elements > 0 && bytes % elements === 0 && tensor.shape.every((size, axis) => size < 2 || strides[axis] === usual[axis]);
}

interface ArchiveRecord {
  name: string;
  start: number;
  /** Undefined where it ends behind the head. */
  end: number | undefined;
}

const localHeaderBytes = 30;
const localHeader = 0x04034b50;
const descriptor = 0x08074b50;

/** The first records of a zip without its directory: PKWARE APPNOTE 6.3.10, 4.3.7 (local header) and 4.3.9 (data descriptor). */
function* recordsOf(head: Uint8Array): Generator<ArchiveRecord> {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  let at = 0;
  while (at + localHeaderBytes <= head.byteLength && view.getUint32(at, true) === localHeader) {
    const hasDescriptor = (view.getUint16(at + 6, true) & 8) !== 0;
    const nameEnd = at + localHeaderBytes + view.getUint16(at + 26, true);
    const start = nameEnd + view.getUint16(at + 28, true);
    const name = decodeText(head, at + localHeaderBytes, Math.min(nameEnd, head.byteLength));
    if (start > head.byteLength) return;
    const end = hasDescriptor ? endByDescriptor(view, start) : start + view.getUint32(at + 18, true);
    yield { name, start, end };
    if (end === undefined) return;
    at = hasDescriptor ? nextRecord(view, end) : end;
  }
}

/** The first place behind which a descriptor states the size up to it. */
function endByDescriptor(view: DataView, start: number): number | undefined {
  for (let at = start; at + 12 <= view.byteLength; at++)
    if (view.getUint32(at, true) === descriptor && view.getUint32(at + 8, true) === at - start) return at;
  return undefined;
}

/** Descriptors have sizes of four bytes, or of eight in an archive of zip64. */
function nextRecord(view: DataView, descriptorAt: number): number {
  const short = descriptorAt + 16;
  return short + 4 <= view.byteLength && view.getUint32(short, true) === localHeader ? short : descriptorAt + 24;
}
