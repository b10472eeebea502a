/** Where the values of a row of the table are. */
import { isStreamCodec } from '../bytes/chunkCodec.js';
import { limits } from '../bytes/limits.js';
import { bitsOfDtype, bytesOfElements } from '../tensors/dtype.js';
import type { TensorPacking } from '../tensors/tensorPacking.js';
import type { TensorTable } from '../tensors/tensorTable.js';
import { basisOf } from './accumulatorOf.js';
import type { StoredValues } from './valueTask.js';
import type { PackedStretch, ValueExtent } from './valueExtent.js';
import { viewRuns } from './viewRuns.js';

/** Why the values of a tensor are not read. */
export type NotReadCode =
  'no-file' | 'dtype' | 'wrapper' | 'encoded' | 'chunks' | 'overlapping' | 'scattered' | 'size' | 'shared' | 'unreadable';

export interface NotReadReason {
  code: NotReadCode;
  /** Completes the reason: the dtype, what the file system said; empty where there is nothing to add. */
  detail: string;
}

export interface StoredPlace {
  stored: StoredValues;
  /** Copies that are not read. */
  copies: number;
}

type Files = readonly { path: string }[];

/** A row's place, or why it has none that is read. */
export function storedPlace(table: TensorTable, files: Files, row: number): StoredPlace | NotReadReason {
  const dtype = table.dtypeOf(row);
  const { strides, storageOffset = 0, isBigEndian = false, isEncoded, packing, inner, wrapper } = table.extraOf(row) ?? {};
  const elements = table.elementsOf(row);
  if (basisOf(dtype, isBigEndian) === undefined) return { code: 'dtype', detail: isBigEndian ? `${dtype}, big-endian` : dtype };
  if (inner !== undefined && inner.length > 0) return sharesOf(table, files, row) ?? { code: 'wrapper', detail: wrapper ?? '' };
  const wanted = bytesOfElements(dtype, elements) ?? 0;
  if (wanted !== table.bytesOf(row)) return sizeProblem(table.bytesOf(row), wanted);
  if (elements === 0) return { stored: { row, dtype, isBigEndian, extents: [] }, copies: 0 };
  if (table.firstPieceOf(row) === table.endPieceOf(row)) return { code: 'no-file', detail: '' };
  if (packing !== undefined) return packedPlace(table, files, row, packing);
  if (isEncoded === true) return { code: 'encoded', detail: '' };
  const pieces = piecesOf(table, files, row);
  if (pieces === undefined) return { code: 'chunks', detail: '' };
  const place = placeIn(pieces, { wanted, shape: table.shapeOf(row), strides, storageOffset, bits: bitsOfDtype(dtype) });
  return 'code' in place ? place : { stored: { row, dtype, isBigEndian, extents: place.extents }, copies: place.copies };
}

/** A wrapper around one tensor of the same type whose storages are its shares (DTensor, ShardedTensor); undefined for others. */
function sharesOf(table: TensorTable, files: Files, row: number): StoredPlace | undefined {
  const [own, ...others] = table.extraOf(row)?.inner ?? [];
  const dtype = table.dtypeOf(row);
  const extents = piecesOf(table, files, row);
  const bytes = extents?.reduce((sum, extent) => sum + extent.bytes, 0);
  const areShares = own?.dtype === dtype && others.length === 0 && bytes === table.bytesOf(row);
  if (extents === undefined || !areShares) return undefined;
  return { stored: { row, dtype, isBigEndian: false, extents }, copies: 0 };
}

/** The place of a tensor whose pieces have to be unpacked. */
function packedPlace(table: TensorTable, files: Files, row: number, packing: TensorPacking): StoredPlace | NotReadReason {
  const extents: ValueExtent[] = [];
  const [first, end] = [table.firstPieceOf(row), table.endPieceOf(row)];
  const isPlain = packing.codecs.length === 0 && packing.chunks === undefined;
  for (let piece = first; piece < end; piece++) {
    const path = files[table.pieceFile(piece)]?.path;
    if (path === undefined) return { code: 'no-file', detail: '' };
    const [offset, bytes] = [table.pieceOffset(piece), table.pieceSize(piece)];
    if (bytes === 0) return sizeProblem(0, table.bytesOf(row));
    const packed = isPlain ? undefined : packedStretch(table, row, packing, piece - first);
    if (packed !== undefined && !isUnpacked(packed, bytes))
      return { code: 'encoded', detail: `a chunk of ${Math.max(bytes, packed.bytes)} bytes` };
    extents.push({ path, offset, bytes, ...(packed && { packed }) });
  }
  const bytes = extents.reduce((sum, extent) => sum + extent.bytes, 0);
  if (isPlain && bytes !== table.bytesOf(row)) return sizeProblem(bytes, table.bytesOf(row));
  const isBigEndian = table.extraOf(row)?.isBigEndian === true;
  return { stored: { row, dtype: table.dtypeOf(row), isBigEndian, extents }, copies: 0 };
}

function packedStretch(
  table: TensorTable,
  row: number,
  { codecs, headerBytes = 0, chunks }: TensorPacking,
  piece: number,
): PackedStretch {
  if (chunks === undefined) {
    const pieces = table.endPieceOf(row) - table.firstPieceOf(row);
    return { codecs, bytes: headerBytes + table.bytesOf(row) / pieces, headerBytes };
  }
  const { shape } = chunks;
  const within = [...chunks.within.subarray(piece * shape.length, (piece + 1) * shape.length)];
  const elementBytes = table.bytesOf(row) / table.elementsOf(row);
  const bytes = headerBytes + shape.reduce((product, size) => product * size, elementBytes);
  const isWhole = within.every((size, axis) => size === shape[axis]);
  return { codecs, bytes, headerBytes, ...(!isWhole && { box: { shape, within, elementBytes } }) };
}

/** What is unpacked as a whole has to fit into memory with what it was. */
function isUnpacked({ codecs, bytes, box }: PackedStretch, storedBytes: number): boolean {
  if (codecs.length === 1 && isStreamCodec(codecs[0]) && box === undefined) return true;
  return Math.max(bytes, storedBytes) <= limits.valueChunkBytes;
}

/** What is known of a tensor in its pieces. */
interface View {
  wanted: number;
  shape: readonly number[];
  strides: readonly number[] | undefined;
  storageOffset: number;
  /** Of an element; undefined for blocks. */
  bits: number | undefined;
}

function placeIn(
  pieces: readonly ValueExtent[],
  { wanted, shape, strides, storageOffset, bits }: View,
): { extents: ValueExtent[]; copies: number } | NotReadReason {
  const [first, ...others] = pieces;
  if (first === undefined) return sizeProblem(0, wanted);
  const isPlain = strides === undefined && storageOffset === 0;
  const sum = pieces.reduce((bytes, piece) => bytes + piece.bytes, 0);
  // Shares of a tensor that several files hold: together no more than it has.
  if (others.length > 0 && isPlain && sum <= wanted) return { extents: [...pieces], copies: 0 };
  if (others.some(({ bytes }) => bytes !== first.bytes)) return sizeProblem(sum, wanted);
  if (isPlain)
    return first.bytes < wanted
      ? sizeProblem(first.bytes, wanted)
      : { extents: [{ ...first, bytes: wanted }], copies: others.length };
  if (bits === undefined || bits % 8 !== 0) return { code: 'scattered', detail: '' };
  const runs = viewRuns(shape, strides, storageOffset);
  if (typeof runs === 'string') return { code: runs, detail: '' };
  const itemBytes = bits / 8;
  const bytes = runs.length * itemBytes;
  const end = runs.starts.reduce((most, start) => Math.max(most, start), 0) * itemBytes + bytes;
  if (end > first.bytes) return sizeProblem(first.bytes, end);
  const { path, offset } = first;
  return { extents: runs.starts.map((start) => ({ path, offset: offset + start * itemBytes, bytes })), copies: others.length };
}

/** A shape that needs another number of bytes than there are. */
export function sizeProblem(stored: number, wanted: number): NotReadReason {
  return { code: 'size', detail: `${stored} bytes are stored, its shape needs ${wanted}` };
}

/** The pieces of a row that have bytes. Undefined where pieces are compressed, or chunks that reach beyond the array. */
export function piecesOf(table: TensorTable, files: Files, row: number): ValueExtent[] | undefined {
  const pieces: ValueExtent[] = [];
  for (let piece = table.firstPieceOf(row); piece < table.endPieceOf(row); piece++) {
    if (table.pieceLogicalSize(piece) !== table.pieceSize(piece)) return undefined;
    const path = files[table.pieceFile(piece)]?.path;
    const bytes = table.pieceSize(piece);
    if (path !== undefined && bytes > 0) pieces.push({ path, offset: table.pieceOffset(piece), bytes });
  }
  return pieces;
}
