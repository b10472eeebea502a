/**
 * Fractal heaps and version 2 B-trees (HDF5 File Format Specification, III.A.2 and III.G), as far as the links of large groups need them:
 * the tree's records refer to objects of the heap, which lie in blocks of doubling sizes.
 */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import type { Fields, Hdf5Bytes } from './hdf5Bytes.js';

const NAME_INDEX_TYPE = 5;
const CHECKSUM_BYTES = 4;
/** 16 levels of nodes index more links than any file has. */
const MAX_TREE_DEPTH = 16;
const HASH_BYTES = 4;

/** Visits the objects of a heap that the name index at `treeAddress` lists. */
export async function eachHeapObject(
  file: Hdf5Bytes,
  heapAddress: number,
  treeAddress: number,
  visit: (object: Fields) => void,
): Promise<void> {
  const heap = await readHeap(file, heapAddress);
  for (const id of await readNameIndex(file, treeAddress, heap.idBytes)) {
    const object = await readObject(file, heap, id);
    if (object !== undefined) visit(object);
  }
}

interface Heap {
  idBytes: number;
  offsetBytes: number;
  lengthBytes: number;
  width: number;
  startBytes: number;
  maxDirectBytes: number;
  root: number | undefined;
  /** 0 where the root is a direct block. */
  rootRows: number;
}

async function readHeap(file: Hdf5Bytes, address: number): Promise<Heap> {
  const { lengthBytes: L, offsetBytes: O } = file.sizes;
  const fields = await file.read(address, 22 + 12 * L + 3 * O + CHECKSUM_BYTES);
  const headerBytes = fields.left;
  fields.expect('FRHP');
  fields.skip(1);
  const idBytes = fields.u16();
  const filterBytes = fields.u16();
  if (filterBytes > 0) throw new FormatError('unsupported', 'a compressed heap of links', { offset: file.offsetOf(address) });
  file.sums?.metadata(fields.fileOffset, headerBytes);
  fields.skip(1);
  const maxObjectBytes = fields.u32();
  fields.skip(10 * L + 2 * O);
  const width = fields.u16();
  const startBytes = fields.length();
  const maxDirectBytes = fields.length();
  const heapBits = fields.u16();
  fields.skip(2);
  const root = fields.address();
  const rootRows = fields.u16();
  const offsetBytes = Math.ceil(heapBits / 8);
  const lengthBytes = Math.min(Math.floor((Math.log2(maxDirectBytes) + 7) / 8), encodedBytes(maxObjectBytes));
  if (width === 0 || startBytes === 0 || offsetBytes > 8 || !Number.isFinite(startBytes + maxDirectBytes))
    throw new FormatError('corrupt', 'a damaged heap of links', { offset: file.offsetOf(address) });
  return { idBytes, offsetBytes, lengthBytes, width, startBytes, maxDirectBytes, root, rootRows };
}

/** Bytes that a number up to `limit` is written in. */
function encodedBytes(limit: number): number {
  return Math.floor(Math.log2(Math.max(1, limit)) / 8) + 1;
}

async function readObject(file: Hdf5Bytes, heap: Heap, id: Fields): Promise<Fields | undefined> {
  // Huge and tiny objects do not occur for links: a name fits a block.
  if ((id.u8() & 0x30) !== 0) return undefined;
  const offset = id.uint(heap.offsetBytes);
  const bytes = id.uint(heap.lengthBytes);
  const address = await locate(file, heap, offset);
  return address === undefined ? undefined : file.read(address, bytes);
}

/** Address of an offset of the heap: through indirect blocks, down to the direct block that holds it. */
async function locate(file: Hdf5Bytes, heap: Heap, offset: number): Promise<number | undefined> {
  let { root: block, rootRows: rows } = heap;
  let within = offset;
  for (let depth = 0; rows > 0 && block !== undefined; depth++) {
    const { row, column, rest, rowBytes } = placeOf(heap, within);
    if (row >= rows || depth > 64) throw new FormatError('corrupt', 'a link lies outside of its heap');
    const headerBytes = 5 + file.sizes.offsetBytes + heap.offsetBytes;
    const entry = headerBytes + (row * heap.width + column) * file.sizes.offsetBytes;
    block = (await file.read(block + entry, file.sizes.offsetBytes)).address();
    within = rest;
    rows = rowBytes <= heap.maxDirectBytes ? 0 : Math.log2(rowBytes) - Math.log2(heap.startBytes * heap.width) + 1;
  }
  return block === undefined ? undefined : block + within;
}

/** Row, column and rest of an offset in a doubling table: the first two rows have blocks of the starting size, each next one twice that. */
function placeOf({ width, startBytes }: Heap, offset: number): { row: number; column: number; rest: number; rowBytes: number } {
  const first = startBytes * width;
  const row = offset < first ? 0 : Math.floor(Math.log2(offset / first)) + 1;
  const rowBytes = row === 0 ? startBytes : startBytes * 2 ** (row - 1);
  const inRow = row === 0 ? offset : offset - first * 2 ** (row - 1);
  return { row, column: Math.floor(inRow / rowBytes), rest: inRow % rowBytes, rowBytes };
}

interface TreeNode {
  address: number;
  depth: number;
  records: number;
}

/** Heap ids of all records, by a walk over the tree's nodes. */
async function readNameIndex(file: Hdf5Bytes, address: number, idBytes: number): Promise<Fields[]> {
  const { offsetBytes: O, lengthBytes: L } = file.sizes;
  const header = await file.read(address, 18 + O + L + CHECKSUM_BYTES);
  file.sums?.metadata(header.fileOffset, header.left);
  header.expect('BTHD');
  header.skip(1);
  const type = header.u8();
  const nodeBytes = header.u32();
  const recordBytes = header.u16();
  const depth = header.u16();
  header.skip(2);
  const root = header.address();
  const records = header.u16();
  if (
    type !== NAME_INDEX_TYPE ||
    depth > MAX_TREE_DEPTH ||
    recordBytes < HASH_BYTES + idBytes ||
    nodeBytes > limits.hdf5StructureBytes
  )
    throw new FormatError('corrupt', 'a damaged index of links', { offset: file.offsetOf(address) });
  const pointers = pointerWidths(nodeBytes, recordBytes, depth, O);
  const ids: Fields[] = [];
  const seen = new Set<number>();
  const open: TreeNode[] = root === undefined ? [] : [{ address: root, depth, records }];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node.address))
      throw new FormatError('corrupt', 'an index of links contains itself', { offset: file.offsetOf(node.address) });
    seen.add(node.address);
    const fields = await file.read(node.address, Math.min(nodeBytes, file.fileBytes - file.offsetOf(node.address)));
    fields.expect(node.depth === 0 ? 'BTLF' : 'BTIN');
    fields.skip(2);
    for (let record = 0; record < node.records; record++) {
      fields.skip(HASH_BYTES);
      ids.push(fields.part(idBytes));
      fields.skip(recordBytes - HASH_BYTES - idBytes);
    }
    if (node.depth === 0) {
      file.sums?.metadata(fields.fileOffset, fields.at + CHECKSUM_BYTES);
      continue;
    }
    const { countBytes, totalBytes } = pointers[node.depth - 1] as PointerWidths;
    for (let child = 0; child <= node.records; child++) {
      const childAddress = fields.address();
      const childRecords = fields.uint(countBytes);
      fields.skip(totalBytes);
      if (childAddress !== undefined) open.push({ address: childAddress, depth: node.depth - 1, records: childRecords });
    }
    file.sums?.metadata(fields.fileOffset, fields.at + CHECKSUM_BYTES);
  }
  return ids;
}

interface PointerWidths {
  countBytes: number;
  totalBytes: number;
}

/** Widths of the counts in pointers to nodes of each depth, which follow from how many records fit (H5B2hdr.c). */
function pointerWidths(nodeBytes: number, recordBytes: number, depth: number, offsetBytes: number): PointerWidths[] {
  const prefix = 10;
  let most = Math.floor((nodeBytes - prefix) / recordBytes);
  const countBytes = encodedBytes(most);
  const widths: PointerWidths[] = [{ countBytes, totalBytes: 0 }];
  let total = most;
  for (let level = 1; level < depth; level++) {
    const pointer = offsetBytes + countBytes + (widths[level - 1]?.totalBytes ?? 0);
    most = Math.floor((nodeBytes - prefix - pointer) / (recordBytes + pointer));
    total = (most + 1) * total + most;
    widths.push({ countBytes, totalBytes: encodedBytes(total) });
  }
  return widths;
}
