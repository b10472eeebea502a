import { elementCount } from '../bytes/checkedInteger.js';
import { grownColumn } from '../bytes/grownColumn.js';
import { limits } from '../bytes/limits.js';
import { decodeText, encodeText } from '../bytes/text.js';
import { componentIds, tensorParts, type ComponentId, type TensorPart } from './component.js';
import { MovedShares, type FlatShares } from './flatShares.js';
import type { TensorPacking } from './tensorPacking.js';

/** Facts of the few tensors that have them: strides, what a wrapper consists of, which parameter a moment belongs to. */
export interface TensorExtra {
  strides?: number[];
  /** Elements of the storage before its first one; absent for 0. */
  storageOffset?: number;
  /** True where numbers have their most significant byte first. */
  isBigEndian?: true;
  /** True where its bytes are no numbers of its type one after the other: they pass a codec, or are written in another form. */
  isEncoded?: true;
  /** How its pieces become numbers, where that is known and they are not these numbers themselves. */
  packing?: TensorPacking;
  wrapper?: string;
  inner?: { name: string; dtype: string; shape: number[]; bytes: number }[];
  parameter?: string;
  /** Of a placeholder without elements: the shape of the tensor that other files hold in shares. */
  wholeShape?: readonly number[];
  /** Where these shares are, where that is known. */
  shares?: FlatShares;
  /** True for one that is nothing but shares of another tensor of this table. */
  isShare?: true;
  /** True where its pieces, one after the other, are its elements in the usual order. */
  arePiecesInOrder?: true;
  /** How many parameters it is, where something else than its name, type and shape tells: 0 for a scale or a zero point. */
  parameters?: number;
}

/** A tensor that an index names and no file here holds. */
export interface AbsentTensor {
  name: string;
  /** Where it should be, as the index has it. */
  file: string;
}

export interface NewTensor {
  name: string;
  dtype: string;
  shape: ArrayLike<number>;
  bytes: number;
  component: ComponentId;
  part?: TensorPart;
  extra?: TensorExtra;
}

/**
 * All tensors of an inspection as columns: a checkpoint may have a million, and an object each would take ten times the memory.
 * Names are UTF-8 in one buffer. Each tensor is followed by its pieces: the extents of files (whole storages) in which it lies.
 * Rows are only ever added; a piece belongs to the row added last.
 */
export class TensorTable {
  private rows = 0;
  private pieces = 0;
  private dimensions = 0;
  private nameEnd = 0;

  private names = new Uint8Array(4096);
  private nameStarts = new Uint32Array(64);
  private dtypes = new Uint8Array(64);
  private dimensionStarts = new Uint32Array(64);
  private dimensionValues = new Float64Array(128);
  private byteCounts = new Float64Array(64);
  private componentIndexes = new Uint8Array(64);
  private partIndexes = new Uint8Array(64);
  private pieceStarts = new Uint32Array(64);
  private pieceFiles = new Uint32Array(64);
  private pieceOffsets = new Float64Array(64);
  private pieceBytes = new Float64Array(64);
  /** Uncompressed sizes, only once there is a compressed piece: nearly all checkpoints have none. */
  private pieceLogicalBytes: Float64Array<ArrayBuffer> | undefined;

  /** The component of the row before: looked up once for a run of rows. */
  private lastComponent: ComponentId = 'weights';
  private lastComponentIndex = componentIds.indexOf('weights');

  private readonly dtypeNames: string[] = [];
  private readonly dtypeIndexes = new Map<string, number>();
  private readonly extras = new Map<number, TensorExtra>();
  /** They are no rows: of them nothing is known but their names. */
  private readonly absent: AbsentTensor[] = [];

  get size(): number {
    return this.rows;
  }

  get absentTensors(): readonly AbsentTensor[] {
    return this.absent;
  }

  /** Beyond `limits.absentTensors` they are not kept. */
  addAbsent(tensor: AbsentTensor): void {
    if (this.absent.length < limits.absentTensors) this.absent.push(tensor);
  }

  get pieceCount(): number {
    return this.pieces;
  }

  /** Adds a tensor and returns its row. Follow with `addPiece` for each extent that holds it. */
  add(tensor: NewTensor): number {
    const encoded = encodeText(tensor.name);
    const row = this.addEncoded(
      encoded,
      0,
      encoded.byteLength,
      this.dtypeIndex(tensor.dtype),
      tensor.bytes,
      tensor.component,
      tensor.part ?? 'whole',
    );
    for (let index = 0; index < tensor.shape.length; index++) this.addDimension(tensor.shape[index] ?? 0);
    if (tensor.extra !== undefined) this.extras.set(row, tensor.extra);
    return row;
  }

  /**
   * The fast way for headers that are scanned as bytes: the name is copied as it stands, `dtype` is an index from `dtypeIndex`.
   * Follow with `addDimension` for each dimension, outermost first.
   */
  addEncoded(
    nameBytes: Uint8Array,
    nameStart: number,
    nameEnd: number,
    dtype: number,
    bytes: number,
    component: ComponentId,
    part: TensorPart = 'whole',
  ): number {
    const row = this.rows;
    if (row + 1 >= this.nameStarts.length) this.growRows();
    const nameLength = nameEnd - nameStart;
    if (this.nameEnd + nameLength > this.names.length) this.names = grownColumn(this.names, this.nameEnd + nameLength);
    if (nameLength < 64) {
      let to = this.nameEnd;
      for (let from = nameStart; from < nameEnd; from++) this.names[to++] = nameBytes[from] as number;
    } else {
      this.names.set(nameBytes.subarray(nameStart, nameEnd), this.nameEnd);
    }
    this.nameEnd += nameLength;
    this.dtypes[row] = dtype;
    this.byteCounts[row] = bytes;
    if (component !== this.lastComponent) {
      this.lastComponent = component;
      this.lastComponentIndex = componentIds.indexOf(component);
    }
    this.componentIndexes[row] = this.lastComponentIndex;
    this.partIndexes[row] = part === 'whole' ? 0 : tensorParts.indexOf(part);
    this.rows = row + 1;
    this.nameStarts[row + 1] = this.nameEnd;
    this.dimensionStarts[row + 1] = this.dimensions;
    this.pieceStarts[row + 1] = this.pieces;
    return row;
  }

  addDimension(size: number): void {
    if (this.dimensions === this.dimensionValues.length)
      this.dimensionValues = grownColumn(this.dimensionValues, this.dimensions + 1);
    this.dimensionValues[this.dimensions++] = size;
    this.dimensionStarts[this.rows] = this.dimensions;
  }

  /**
   * An extent of a file that holds (a part of) the row added last. Several tensors may name the same extent: they share it.
   * `logicalBytes` is what a compressed extent holds uncompressed.
   */
  addPiece(file: number, offset: number, bytes: number, logicalBytes = bytes): void {
    const piece = this.pieces;
    if (piece === this.pieceFiles.length) {
      this.pieceFiles = grownColumn(this.pieceFiles, piece + 1);
      this.pieceOffsets = grownColumn(this.pieceOffsets, piece + 1);
      this.pieceBytes = grownColumn(this.pieceBytes, piece + 1);
    }
    this.pieceFiles[piece] = file;
    this.pieceOffsets[piece] = offset;
    this.pieceBytes[piece] = bytes;
    if (logicalBytes !== bytes) this.pieceLogicalBytes ??= this.pieceBytes.slice();
    if (this.pieceLogicalBytes !== undefined) {
      if (piece >= this.pieceLogicalBytes.length) this.pieceLogicalBytes = grownColumn(this.pieceLogicalBytes, piece + 1);
      this.pieceLogicalBytes[piece] = logicalBytes;
    }
    this.pieces = piece + 1;
    this.pieceStarts[this.rows] = this.pieces;
  }

  /** Adds all rows of another table; `filesBefore` is added to its pieces' file numbers. */
  append(other: TensorTable, filesBefore: number): void {
    const moved = new MovedShares(filesBefore);
    for (let row = 0; row < other.size; row++) {
      const dtype = this.dtypeIndex(other.dtypeOf(row));
      this.addEncoded(
        other.names,
        other.nameStartOf(row),
        other.nameEndOf(row),
        dtype,
        other.bytesOf(row),
        other.componentOf(row),
        other.partOf(row),
      );
      for (const size of other.shapeOf(row)) this.addDimension(size);
      for (let piece = other.firstPieceOf(row); piece < other.endPieceOf(row); piece++)
        this.addPiece(
          filesBefore + other.pieceFile(piece),
          other.pieceOffset(piece),
          other.pieceSize(piece),
          other.pieceLogicalSize(piece),
        );
      const extra = other.extras.get(row);
      if (extra !== undefined)
        this.extras.set(this.rows - 1, extra.shares === undefined ? extra : { ...extra, shares: moved.of(extra.shares) });
    }
    for (const tensor of other.absent) this.addAbsent(tensor);
  }

  /** The number of a dtype in this table. */
  dtypeIndex(dtype: string): number {
    const known = this.dtypeIndexes.get(dtype);
    if (known !== undefined) return known;
    // Files could name any number of types; all beyond what a byte can count are shown as one.
    if (this.dtypeNames.length === 255) return this.dtypeIndexes.get('other') ?? this.pushDtype('other');
    return this.pushDtype(dtype);
  }

  nameOf(row: number): string {
    return decodeText(this.names, this.nameStarts[row], this.nameStarts[row + 1]);
  }

  /** The same as `nameBytes`, for comparing four bytes at a time. */
  get nameView(): DataView {
    return new DataView(this.names.buffer);
  }

  /** UTF-8 of all names; a row's lies in [nameStartOf, nameEndOf). Valid until the next `add`. */
  get nameBytes(): Uint8Array {
    return this.names;
  }

  nameStartOf(row: number): number {
    return this.nameStarts[row] ?? 0;
  }

  nameEndOf(row: number): number {
    return this.nameStarts[row + 1] ?? 0;
  }

  dtypeOf(row: number): string {
    return this.dtypeName(this.dtypeNumberOf(row));
  }

  /** The dtype's number in this table, below 256; see `dtypeName`. */
  dtypeNumberOf(row: number): number {
    return this.dtypes[row] ?? 0;
  }

  dtypeName(number: number): string {
    return this.dtypeNames[number] ?? 'unknown';
  }

  shapeOf(row: number): number[] {
    return Array.from(this.dimensionValues.subarray(this.dimensionStarts[row], this.dimensionStarts[row + 1]));
  }

  rankOf(row: number): number {
    return (this.dimensionStarts[row + 1] ?? 0) - (this.dimensionStarts[row] ?? 0);
  }

  /** One dimension of a shape without an array for all; the outermost is 0. */
  dimensionOf(row: number, index: number): number {
    return this.dimensionValues[(this.dimensionStarts[row] ?? 0) + index] ?? 0;
  }

  /** Elements of the tensor; 0 where the product of a damaged shape cannot be counted exactly. */
  elementsOf(row: number): number {
    const end = this.dimensionStarts[row + 1] ?? 0;
    let product = 1;
    for (let at = this.dimensionStarts[row] ?? 0; at < end; at++) product *= this.dimensionValues[at] as number;
    // The rare shape that overflows is looked at again, as a later 0 would make it empty.
    return product <= Number.MAX_SAFE_INTEGER ? product : (elementCount(this.shapeOf(row)) ?? 0);
  }

  bytesOf(row: number): number {
    return this.byteCounts[row] ?? 0;
  }

  componentOf(row: number): ComponentId {
    return componentIds[this.componentIndexes[row] ?? 0] ?? 'unexplained';
  }

  partOf(row: number): TensorPart {
    return tensorParts[this.partIndexes[row] ?? 0] ?? 'whole';
  }

  /** Component and part as one number, below components x parts; see `groupAt`. */
  groupOf(row: number): number {
    return (this.componentIndexes[row] ?? 0) * tensorParts.length + (this.partIndexes[row] ?? 0);
  }

  extraOf(row: number): TensorExtra | undefined {
    return this.extras.get(row);
  }

  setExtra(row: number, extra: TensorExtra): void {
    this.extras.set(row, { ...this.extras.get(row), ...extra });
  }

  setComponent(row: number, component: ComponentId, part: TensorPart = 'whole'): void {
    this.componentIndexes[row] = componentIds.indexOf(component);
    this.partIndexes[row] = tensorParts.indexOf(part);
  }

  /** Pieces of a row are numbered [firstPiece, endPiece). */
  firstPieceOf(row: number): number {
    return this.pieceStarts[row] ?? 0;
  }

  endPieceOf(row: number): number {
    return this.pieceStarts[row + 1] ?? 0;
  }

  pieceFile(piece: number): number {
    return this.pieceFiles[piece] ?? 0;
  }

  pieceOffset(piece: number): number {
    return this.pieceOffsets[piece] ?? 0;
  }

  pieceSize(piece: number): number {
    return this.pieceBytes[piece] ?? 0;
  }

  /** What the piece holds uncompressed; the same as `pieceSize` where nothing is compressed. */
  pieceLogicalSize(piece: number): number {
    return (this.pieceLogicalBytes ?? this.pieceBytes)[piece] ?? 0;
  }

  /** True where some piece is compressed. */
  get hasCompressedPieces(): boolean {
    return this.pieceLogicalBytes !== undefined;
  }

  private pushDtype(dtype: string): number {
    const index = this.dtypeNames.push(dtype) - 1;
    this.dtypeIndexes.set(dtype, index);
    return index;
  }

  private growRows(): void {
    const wanted = this.rows + 2;
    this.nameStarts = grownColumn(this.nameStarts, wanted);
    this.dtypes = grownColumn(this.dtypes, wanted);
    this.dimensionStarts = grownColumn(this.dimensionStarts, wanted);
    this.byteCounts = grownColumn(this.byteCounts, wanted);
    this.componentIndexes = grownColumn(this.componentIndexes, wanted);
    this.partIndexes = grownColumn(this.partIndexes, wanted);
    this.pieceStarts = grownColumn(this.pieceStarts, wanted);
  }
}

/** The component and the part that a group is. */
export function groupAt(group: number): { component: ComponentId; part: TensorPart } {
  const parts = tensorParts.length;
  return {
    component: componentIds[Math.floor(group / parts)] ?? 'unexplained',
    part: tensorParts[group % parts] ?? 'whole',
  };
}
