/**
 * Index of Megatron-LM's indexed datasets (megatron/core/datasets/indexed_dataset.py): magic `MMIDIDX\0\0`, u64 version 1, u8 dtype
 * code, u64 sequences S, u64 documents D (boundaries: one more than there are documents), then i32 lengths[S], i64 pointers[S],
 * i64 documents[D], and i8 modes[S] for multimodal data, of which the header says nothing. Little-endian. The `.bin` beside it is bare tokens.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { toSafeInteger } from '../../bytes/checkedInteger.js';
import { FormatError, throwIfCancelled } from '../../bytes/formatError.js';
import { decodeLatin1 } from '../../bytes/text.js';
import { bytesOfElements } from '../../tensors/dtype.js';

const MAGIC = 'MMIDIDX\0\0';
const HEADER_BYTES = 34;

const dtypes: readonly (string | undefined)[] = [undefined, 'u8', 'i8', 'i16', 'i32', 'i64', 'f64', 'f32', 'u16'];

export interface IndexedDatasetHeader {
  dtype: string;
  itemBytes: number;
  sequences: number;
  /** Entries of the document index: one more than there are documents, 0 where it is empty. */
  documentBoundaries: number;
  isMultimodal: boolean;
  /** Where each part of the index begins. */
  pointersOffset: number;
  documentsOffset: number;
  /** Bytes that the index has by its header. */
  expectedBytes: number;
}

/** fairseq's older index (`indexed_dataset.py`), which Megatron-LM also read until 2023: recognised, not read. */
const OLD_MAGIC = 'TNTIDX\0\0';

export function isOldIndexedDataset(head: Uint8Array): boolean {
  return decodeLatin1(head, 0, Math.min(OLD_MAGIC.length, head.byteLength)) === OLD_MAGIC;
}

export function isIndexedDataset(head: Uint8Array): boolean {
  return decodeLatin1(head, 0, Math.min(MAGIC.length, head.byteLength)) === MAGIC;
}

/**
 * Reads the header of an `.idx`.
 * @throws FormatError `not-this-format`, `truncated`, `unsupported` or `corrupt`
 */
export async function readIndexedDatasetHeader(
  source: ByteSource,
  signal: AbortSignal | undefined,
): Promise<IndexedDatasetHeader> {
  const head = await source.read(0, Math.min(HEADER_BYTES, source.sizeBytes), signal);
  if (isOldIndexedDataset(head)) throw new FormatError('unsupported', "fairseq's older index (TNTIDX)", { offset: 0 });
  if (!isIndexedDataset(head)) throw new FormatError('not-this-format', 'no magic of an indexed dataset', { offset: 0 });
  if (head.byteLength < HEADER_BYTES)
    throw new FormatError('truncated', 'the index ends in its header', { offset: head.byteLength });
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const version = view.getBigUint64(9, true);
  if (version !== 1n) throw new FormatError('unsupported', `version ${version} of the index`, { offset: 9 });
  const dtype = dtypes[head[17] as number];
  if (dtype === undefined) throw new FormatError('corrupt', `${head[17]} is no dtype of an indexed dataset`, { offset: 17 });
  const sequences = toSafeInteger(view.getBigUint64(18, true), 'the number of sequences', 18);
  const documentBoundaries = toSafeInteger(view.getBigUint64(26, true), 'the number of documents', 26);
  const pointersOffset = HEADER_BYTES + 4 * sequences;
  const documentsOffset = pointersOffset + 8 * sequences;
  const plainBytes = documentsOffset + 8 * documentBoundaries;
  if (!Number.isSafeInteger(plainBytes + sequences))
    throw new FormatError('corrupt', 'more sequences than any file has', { offset: 18 });
  const isMultimodal = sequences > 0 && source.sizeBytes === plainBytes + sequences;
  return {
    dtype,
    itemBytes: bytesOfElements(dtype, 1) as number,
    sequences,
    documentBoundaries,
    isMultimodal,
    pointersOffset,
    documentsOffset,
    expectedBytes: isMultimodal ? plainBytes + sequences : plainBytes,
  };
}

/** Entries of a table that are read at once: 4 MiB of lengths, 8 MiB of pointers. */
const ENTRIES_PER_READ = 1024 * 1024;

/** What the lengths, the pointers and the boundaries of documents take of each sequence, where a document is one sequence. */
export const TABLE_BYTES_PER_SEQUENCE = 20;

/**
 * Hands all sequence lengths over, some at a time: a billion sequences never lie in memory.
 * @throws FormatError `corrupt` for a negative one, `truncated`, `io`, `cancelled`
 */
export async function readSequenceLengths(
  source: ByteSource,
  sequences: number,
  use: (lengths: Int32Array, first: number) => void | Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let first = 0; first < sequences; first += ENTRIES_PER_READ) {
    throwIfCancelled(signal);
    const count = Math.min(ENTRIES_PER_READ, sequences - first);
    const bytes = await source.read(HEADER_BYTES + 4 * first, 4 * count, signal);
    // A copy where the bytes do not begin at a multiple of four, as an Int32Array has to.
    const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
    const lengths = new Int32Array(aligned.buffer, aligned.byteOffset, count);
    const negative = lengths.findIndex((length) => length < 0);
    if (negative !== -1)
      throw new FormatError('corrupt', `sequence ${first + negative} has ${lengths[negative]} tokens`, {
        offset: HEADER_BYTES + 4 * (first + negative),
      });
    await use(lengths, first);
  }
}

/**
 * As `readSequenceLengths`, with the tables behind the lengths checked for what every writer keeps to: each pointer is where the sequence
 * before it ends, and the boundaries of documents rise from 0 to the number of sequences.
 * @throws FormatError `corrupt` with the offset in the index, and what `readSequenceLengths` throws
 */
export async function readCheckedLengths(
  source: ByteSource,
  header: IndexedDatasetHeader,
  use: (lengths: Int32Array) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { sequences, pointersOffset, itemBytes } = header;
  let end = 0;
  const check = async (lengths: Int32Array, first: number): Promise<void> => {
    const pointerAt = numbersIn(await source.read(pointersOffset + 8 * first, 8 * lengths.length, signal));
    for (const [index, length] of lengths.entries()) {
      if (pointerAt(index) !== end)
        throw new FormatError(
          'corrupt',
          `sequence ${first + index} begins at ${pointerAt(index)}, the one before it ends at ${end}`,
          { offset: pointersOffset + 8 * (first + index) },
        );
      end += length * itemBytes;
    }
    use(lengths);
  };
  await readSequenceLengths(source, sequences, check, signal);
  await checkDocuments(source, header, signal);
}

async function checkDocuments(source: ByteSource, header: IndexedDatasetHeader, signal: AbortSignal | undefined): Promise<void> {
  const { sequences, documentBoundaries, documentsOffset } = header;
  let last = 0;
  for (let first = 0; first < documentBoundaries; first += ENTRIES_PER_READ) {
    throwIfCancelled(signal);
    const count = Math.min(ENTRIES_PER_READ, documentBoundaries - first);
    const boundaryAt = numbersIn(await source.read(documentsOffset + 8 * first, 8 * count, signal));
    for (let index = 0; index < count; index++) {
      const boundary = boundaryAt(index);
      const document = first + index;
      if (boundary < last || (document === 0 && boundary !== 0))
        throw new FormatError('corrupt', `document ${document} begins at sequence ${boundary}, behind ${last}`, {
          offset: documentsOffset + 8 * document,
        });
      last = boundary;
    }
  }
  if (documentBoundaries > 0 && last !== sequences)
    throw new FormatError('corrupt', `the documents end at sequence ${last} of ${sequences}`, {
      offset: documentsOffset + 8 * (documentBoundaries - 1),
    });
}

/** i64 as numbers: beyond 2^53 they are not exact, and outside of every file. */
function numbersIn(bytes: Uint8Array): (index: number) => number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (index) => view.getUint32(8 * index, true) + view.getInt32(8 * index + 4, true) * 2 ** 32;
}

/**
 * Where the last sequence ends in the `.bin` by the index: its pointer and length, from two small reads. 0 without sequences.
 * @throws FormatError `corrupt` for a place that is none
 */
export async function readDataEnd(
  source: ByteSource,
  header: IndexedDatasetHeader,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { sequences, pointersOffset, itemBytes } = header;
  if (sequences === 0) return 0;
  const length = await source.read(pointersOffset - 4, 4, signal);
  const pointer = await source.read(pointersOffset + 8 * (sequences - 1), 8, signal);
  const tokens = new DataView(length.buffer, length.byteOffset, 4).getInt32(0, true);
  const start = new DataView(pointer.buffer, pointer.byteOffset, 8).getBigInt64(0, true);
  if (tokens < 0) throw new FormatError('corrupt', `the last sequence has ${tokens} tokens`, { offset: pointersOffset - 4 });
  return toSafeInteger(start, 'the last pointer', pointersOffset + 8 * (sequences - 1)) + tokens * itemBytes;
}
