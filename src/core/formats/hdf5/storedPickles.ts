/**
 * Pickles among the data of datasets: PyTables and pandas store object columns as lists of bytes in a global heap, marked by the attribute
 * PSEUDOATOM = "object" (tables/atom.py, ObjectAtom); programs store bytes as opaque values, as texts or as arrays of u8.
 */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { sliceSource } from '../../bytes/sliceSource.js';
import type { ByteSource } from '../../bytes/byteSource.js';
import { formatCount } from '../../text/units.js';
import type { FileImports } from '../pickle/imports/fileImports.js';
import type { FoundPiece } from '../sink/fileSink.js';
import type { Hdf5Datatype } from './datatype.js';
import { heapObjects, readHeapReference, type HeapObject, type HeapReference } from './globalHeap.js';
import type { Hdf5Bytes } from './hdf5Bytes.js';

/** A dataset with what its data are scanned by. */
export interface ScannedDataset {
  name: string;
  datatype: Hdf5Datatype;
  /** Of its shape: a chunk has room for more. */
  elements: number;
  pieces: readonly FoundPiece[];
  /** Whether its data pass filters: compressed, or shuffled. */
  isFiltered: boolean;
  /** Whether PyTables marked it as pickled objects. */
  isObjects: boolean;
}

/** A shorter value calls nothing: a global has two names and two ends of line. */
const MIN_BYTES = 6;

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
  ) {}

  /** @throws FormatError `io`, `cancelled`; damage is noted as a part that was not scanned */
  async scan(dataset: ScannedDataset): Promise<void> {
    const { datatype, pieces, name } = dataset;
    // Smaller opaque values are numbers of two bytes, such as the bfloat16 of Keras.
    const isBytes = datatype.bytes < MIN_BYTES ? /^[iu]8$/.test(datatype.dtype) : isOpaqueOrText(datatype);
    if ((!isBytes && !datatype.isVariableBytes) || pieces.length === 0) return;
    const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
    if (dataset.isFiltered) {
      if (dataset.isObjects) this.imports.leaveOut(name, bytes, 'compressed objects', pieces[0]?.offset);
      return;
    }
    try {
      await (datatype.isVariableBytes ? this.scanReferences(dataset) : this.scanValues(dataset));
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
