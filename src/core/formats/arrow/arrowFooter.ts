/** Footer of an Arrow file (format/File.fbs of apache/arrow): the schema again, and where the batches lie. */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import type { ReadWindow } from '../../bytes/readWindow.js';
import { decodeLatin1 } from '../../bytes/text.js';
import { FlatBuffer, type FlatTable } from './flatBuffer.js';

export const ARROW_MAGIC = 'ARROW1';
/** The magic and two bytes of padding. */
export const FILE_HEAD_BYTES = 8;
/** i32 length of the footer, and the magic again. */
const FILE_TAIL_BYTES = 10;
/** Enough for the footers of most files: 24 bytes a batch and the schema. */
const FOOTER_GUESS_BYTES = 64 * 1024;
const BLOCK_BYTES = 24;

/** A dictionary or record batch as the footer of a file has it (`struct Block` of File.fbs). */
export interface ArrowBlock {
  offset: number;
  sizeBytes: number;
}

export interface ArrowFooter {
  schema: FlatTable;
  /** Dictionaries first, then record batches, each in the order of the footer. */
  blocks: ArrowBlock[];
}

/**
 * Reads the footer, and what else its guess of 64 KiB holds.
 * @param nearBytes files up to here are in the window already
 * @throws FormatError `truncated`, `corrupt`, `limit-exceeded`
 */
export async function readArrowFooter(
  window: ReadWindow,
  nearBytes: number,
  signal: AbortSignal | undefined,
): Promise<ArrowFooter> {
  const { sizeBytes } = window.source;
  if (sizeBytes < FILE_HEAD_BYTES + FILE_TAIL_BYTES)
    throw new FormatError('truncated', 'the footer is not there', { offset: sizeBytes });
  const guess = Math.min(FOOTER_GUESS_BYTES, sizeBytes);
  const isNear = sizeBytes <= nearBytes;
  const read = (offset: number, length: number): Promise<Uint8Array> =>
    isNear ? window.take(offset, length, length) : window.source.read(offset, length, signal);
  const tail = await read(sizeBytes - guess, guess);
  if (decodeLatin1(tail, guess - ARROW_MAGIC.length) !== ARROW_MAGIC)
    throw new FormatError('truncated', 'the file does not end with the magic of an Arrow file: its footer is not there', {
      offset: sizeBytes,
    });
  const lengthAt = guess - FILE_TAIL_BYTES;
  const length = new DataView(tail.buffer, tail.byteOffset, tail.byteLength).getInt32(lengthAt, true);
  const start = sizeBytes - FILE_TAIL_BYTES - length;
  if (length <= 0 || start < FILE_HEAD_BYTES)
    throw new FormatError('corrupt', `a footer of ${length} bytes`, { offset: sizeBytes - FILE_TAIL_BYTES });
  if (length > limits.arrowMetadataBytes)
    throw new FormatError('limit-exceeded', `a footer of ${length} bytes`, { offset: start });
  const bytes = length <= lengthAt ? tail.subarray(lengthAt - length, lengthAt) : await read(start, length);
  const footer = new FlatBuffer(bytes, start).root();
  const schema = footer.table(1);
  if (schema === undefined) throw new FormatError('corrupt', 'the footer has no schema', { offset: start });
  const blocks: ArrowBlock[] = [];
  for (const field of [2, 3]) {
    const { at, length: count } = footer.vector(field, BLOCK_BYTES);
    for (let index = 0; index < count; index++) {
      const block = at + BLOCK_BYTES * index;
      const metadataBytes = footer.buffer.view.getInt32(block + 8, true);
      blocks.push({ offset: footer.buffer.i64(block), sizeBytes: metadataBytes + footer.buffer.i64(block + 16) });
    }
  }
  return { schema, blocks };
}
