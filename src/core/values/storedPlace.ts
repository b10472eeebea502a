/** Where the values of a row of the table are. */
import type { Compression } from '../bytes/compression.js';
import { bitsOfDtype, bytesOfElements } from '../tensors/dtype.js';
import type { TensorTable } from '../tensors/tensorTable.js';
import { basisOf } from './accumulatorOf.js';
import type { StoredValues } from './valueTask.js';
import type { ValueExtent } from './valueExtent.js';
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
  const { strides, storageOffset = 0, isBigEndian = false, isEncoded, codec, inner, wrapper } = table.extraOf(row) ?? {};
  const elements = table.elementsOf(row);
  if (basisOf(dtype, isBigEndian) === undefined) return { code: 'dtype', detail: isBigEndian ? `${dtype}, big-endian` : dtype };
  if (inner !== undefined && inner.length > 0) return sharesOf(table, files, row) ?? { code: 'wrapper', detail: wrapper ?? '' };
  const wanted = bytesOfElements(dtype, elements) ?? 0;
  if (wanted !== table.bytesOf(row)) return sizeProblem(table.bytesOf(row), wanted);
  if (elements === 0) return { stored: { row, dtype, isBigEndian, extents: [] }, copies: 0 };
  if (table.firstPieceOf(row) === table.endPieceOf(row)) return { code: 'no-file', detail: '' };
  if (isEncoded === true)
    return codec === undefined ? { code: 'encoded', detail: '' } : packedPlace({ table, files, row, codec });
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

/** The place of a tensor whose pieces decompress to equal shares of it. */
function packedPlace({
  table,
  files,
  row,
  codec,
}: {
  table: TensorTable;
  files: Files;
  row: number;
  codec: Compression;
}): StoredPlace | NotReadReason {
  const extents: ValueExtent[] = [];
  const [first, end] = [table.firstPieceOf(row), table.endPieceOf(row)];
  const bytes = table.bytesOf(row) / (end - first);
  for (let piece = first; piece < end; piece++) {
    const path = files[table.pieceFile(piece)]?.path;
    if (path === undefined) return { code: 'no-file', detail: '' };
    extents.push({ path, offset: table.pieceOffset(piece), bytes: table.pieceSize(piece), packed: { codec, bytes } });
  }
  const isBigEndian = table.extraOf(row)?.isBigEndian === true;
  return { stored: { row, dtype: table.dtypeOf(row), isBigEndian, extents }, copies: 0 };
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
