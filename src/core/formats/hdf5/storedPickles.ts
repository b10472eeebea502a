/**
 * Pickles among the data of datasets: PyTables and pandas store object columns as lists of bytes in a global heap, marked by the attribute
 * PSEUDOATOM = "object" (tables/atom.py, ObjectAtom); programs store bytes as opaque values, as texts or as arrays of u8. Chunks that were deflated are
 * unpacked where they may be pickles, within the budgets of other compressed pickles.
 */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { sliceSource } from '../../bytes/sliceSource.js';
import type { ByteSource } from '../../bytes/byteSource.js';
import { formatCount } from '../../text/units.js';
import { reasonOfCut, type Unpacking } from '../../bytes/unpackBudget.js';
import { mayHoldPickles, type FileImports } from '../pickle/imports/fileImports.js';
import type { StoredPiece } from './dataLayout.js';
import type { Hdf5Datatype } from './datatype.js';
import { heapObjects, readHeapReference, type HeapObject, type HeapReference } from './globalHeap.js';
import { unfilter, unreadFilter } from './filters.js';
import { Fields, type Hdf5Bytes } from './hdf5Bytes.js';

/** A dataset with what its data are scanned by. */
export interface ScannedDataset {
  name: string;
  datatype: Hdf5Datatype;
  /** Of its shape: a chunk has room for more. */
  elements: number;
  pieces: readonly StoredPiece[];
  /** Dimensions of its shape. */
  rank: number;
  /** Numbers of the filters that its chunks passed. */
  filters: readonly number[];
  /** Whether PyTables marked it as pickled objects. */
  isObjects: boolean;
}

/** A shorter value calls nothing: a global has two names and two ends of line. */
const MIN_BYTES = 6;
/** What tells a pickle. */
const HEAD_BYTES = 512;
/** Compressed bytes out of which these come: random ones with the tables of a block of DEFLATE. */
const PACKED_HEAD_BYTES = 1024;

function isOpaqueOrText({ dtype, isVariableText }: Hdf5Datatype): boolean {
  return !isVariableText && /^(opaque\d+|string)$/.test(dtype);
}

/** Scans the datasets of one file, within a budget of values for all of them. */
export class StoredPickles {
  private left: number = limits.hdf5PickleValues;
  private collection: { heap: number; objects: Map<number, HeapObject> } | undefined;

  constructor(
    private readonly file: Hdf5Bytes,
    private readonly source: ByteSource,
    private readonly imports: FileImports,
    private readonly unpacking: Unpacking,
  ) {}

  /** @throws FormatError `io`, `cancelled`; damage is noted as a part that was not scanned */
  async scan(dataset: ScannedDataset): Promise<void> {
    const { datatype, pieces, name } = dataset;
    // Smaller opaque values are numbers of two bytes, such as the bfloat16 of Keras.
    const isBytes = datatype.bytes < MIN_BYTES ? /^[iu]8$/.test(datatype.dtype) : isOpaqueOrText(datatype);
    if ((!isBytes && !datatype.isVariableBytes) || pieces.length === 0) return;
    const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
    const unread = unreadFilter(dataset.filters);
    if (unread !== undefined) {
      // Bytes of pictures and the like are compressed as well: those of a value each are nothing else.
      if (dataset.isObjects || datatype.dtype.startsWith('opaque')) this.imports.leaveOut(name, bytes, unread, pieces[0]?.offset);
      return;
    }
    try {
      if (dataset.filters.length > 0) await this.scanFiltered(dataset);
      else await (datatype.isVariableBytes ? this.scanReferences(dataset) : this.scanValues(dataset));
    } catch (error) {
      if (!FormatError.is(error) || error.code === 'cancelled' || error.code === 'io') throw error;
      // What the structures promise may still be objects: damage says nothing of bytes that are no pickles by any sign.
      if (dataset.isObjects) this.imports.leaveOut(name, bytes, error.detail, pieces[0]?.offset);
    }
  }

  /** Opaque values and texts are one pickle each; numbers of a byte are one together. */
  private async scanValues({ name, datatype, pieces }: ScannedDataset): Promise<void> {
    for (const piece of pieces) {
      const step = datatype.bytes > 1 ? datatype.bytes : piece.bytes;
      for (let at = 0; at < piece.bytes && this.left > 0; at += step) {
        this.left -= 1;
        const length = Math.min(step, piece.bytes - at, this.source.sizeBytes - piece.offset - at);
        if (length <= 0) return;
        await this.imports.scanPart(sliceSource(this.source, piece.offset + at, length), name, piece.offset + at);
      }
    }
  }

  /** Chunks that were compressed: references and values of several bytes lie in each chunk by themselves, an array of u8 is one pickle over all. */
  private async scanFiltered(dataset: ScannedDataset): Promise<void> {
    const { name, datatype, rank } = dataset;
    if (datatype.bytes === 1) return rank === 1 ? this.scanJoined(dataset, dataset.pieces) : this.scanEach(dataset);
    let elements = dataset.elements;
    for (const piece of dataset.pieces) {
      if (this.left <= 0 || this.room() === 0) return this.noteRest(dataset, piece.offset);
      const bytes = await this.unpacked(dataset, piece, this.room());
      // The last chunk has room for more than there is.
      const count = Math.min(elements, Math.floor(bytes.byteLength / datatype.bytes));
      elements -= count;
      for (let index = 0; index < count && this.left > 0; index++) {
        const value = bytes.subarray(index * datatype.bytes, (index + 1) * datatype.bytes);
        this.left -= 1;
        if (!datatype.isVariableBytes) await this.imports.scanContent(value, name, undefined);
        else await this.scanObject(readHeapReference(new Fields(value, this.file.sizes, piece.offset)), name);
      }
    }
  }

  /** Each chunk of an array of several dimensions by itself. */
  private async scanEach(dataset: ScannedDataset): Promise<void> {
    for (const piece of dataset.pieces) {
      if (this.left <= 0) return;
      await this.scanJoined({ ...dataset, elements: piece.logicalBytes ?? piece.bytes }, [piece]);
    }
  }

  /** Chunks of u8 one behind the other, where they may be a pickle by their first bytes. */
  private async scanJoined(dataset: ScannedDataset, pieces: readonly StoredPiece[]): Promise<void> {
    const [first] = pieces;
    this.left -= 1;
    if (first === undefined || !mayHoldPickles(await this.headOf(dataset, first))) return;
    const chunks: Uint8Array[] = [];
    let room = Math.min(dataset.elements, this.room());
    for (const piece of pieces) {
      if (this.left <= 0 || room <= 0) break;
      this.left -= 1;
      const bytes = (await this.unpacked(dataset, piece, room)).subarray(0, room);
      room -= bytes.byteLength;
      chunks.push(bytes);
    }
    const whole = new Uint8Array(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0));
    let at = 0;
    for (const chunk of chunks) {
      whole.set(chunk, at);
      at += chunk.byteLength;
    }
    if (at < dataset.elements)
      this.imports.leaveOut(dataset.name, dataset.elements - at, reasonOfCut(this.unpacking), first.offset);
    await this.imports.scanContent(whole, dataset.name, undefined);
  }

  /** The first bytes of a chunk of u8, out of the first bytes that are stored: a shuffle leaves single bytes where they are. */
  private async headOf({ filters }: ScannedDataset, piece: StoredPiece): Promise<Uint8Array> {
    const length = Math.max(0, Math.min(piece.bytes, PACKED_HEAD_BYTES, this.source.sizeBytes - piece.offset));
    const chunk = await this.source.read(piece.offset, length, this.unpacking.signal);
    return unfilter(chunk, filtersOf(filters, piece), 1, HEAD_BYTES, { ...this.unpacking, isCut: true });
  }

  private async unpacked({ filters, datatype }: ScannedDataset, piece: StoredPiece, maxBytes: number): Promise<Uint8Array> {
    const length = Math.max(0, Math.min(piece.bytes, limits.pickleUnpackedBytes, this.source.sizeBytes - piece.offset));
    const chunk = await this.source.read(piece.offset, length, this.unpacking.signal);
    return unfilter(chunk, filtersOf(filters, piece), datatype.bytes, maxBytes, this.unpacking);
  }

  private room(): number {
    return Math.min(limits.pickleUnpackedBytes, this.unpacking.unpackBudget.roomBytes);
  }

  private noteRest({ name, pieces, isObjects, datatype }: ScannedDataset, offset: number): void {
    if (!isObjects && !datatype.dtype.startsWith('opaque')) return;
    const bytes = pieces.reduce((sum, piece) => sum + (piece.offset >= offset ? piece.bytes : 0), 0);
    const isValues = this.left <= 0;
    const detail = isValues ? `the first ${formatCount(limits.hdf5PickleValues)} values were read` : reasonOfCut(this.unpacking);
    this.imports.leaveOut(name, bytes, detail, offset);
  }

  private async scanReferences({ name, elements, pieces, datatype, isObjects }: ScannedDataset): Promise<void> {
    let before = 0;
    for (const piece of pieces) {
      const count = Math.min(Math.floor(piece.bytes / datatype.bytes), elements - before);
      before += count;
      for (let index = 0; index < count; index++) {
        const offset = piece.offset + index * datatype.bytes;
        if (this.left === 0) {
          const rest = piece.offset + piece.bytes - offset;
          if (isObjects)
            this.imports.leaveOut(name, rest, `the first ${formatCount(limits.hdf5PickleValues)} values were read`, offset);
          return;
        }
        const reference = readHeapReference(await this.file.read(offset - this.file.offsetOf(0), datatype.bytes));
        this.left -= 1;
        // What was never written is zeros.
        if (reference.length > 0) await this.scanObject(reference, name);
      }
    }
  }

  private async scanObject({ heap, number, length }: HeapReference, name: string): Promise<void> {
    if (heap === undefined) return;
    if (this.collection?.heap !== heap) this.collection = { heap, objects: await heapObjects(this.file, heap) };
    const object = this.collection.objects.get(number);
    if (object === undefined) return;
    const offset = this.file.offsetOf(object.address);
    const bytes = Math.min(length, object.bytes, this.source.sizeBytes - offset);
    if (bytes > 0) await this.imports.scanPart(sliceSource(this.source, offset, bytes), name, offset);
  }
}

/** Those that a chunk passed. PyTables leaves the shuffle out of a small one. */
function filtersOf(filters: readonly number[], { leftOutFilters = 0 }: StoredPiece): number[] {
  return filters.filter((_, place) => ((leftOutFilters >> place) & 1) === 0);
}
