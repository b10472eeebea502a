/**
 * The paths of data files that a manifest or a node refers to by number (tensorstore/kvstore/ocdbt/format/data_file_id_codec.cc).
 * Columns: prefix length of all but the first, suffix length, length of the base path; then the suffixes. A path is the base path,
 * which is passed on to what is stored in that file, and the rest. That is how a merged database points into those it was made of.
 */
import type { ByteCursor } from '../../bytes/byteCursor.js';
import { FormatError } from '../../bytes/formatError.js';
import { decodeText } from '../../bytes/text.js';
import { isSafeFileName } from '../../files/paths.js';

export interface DataFile {
  /** Below the directory of the database. */
  path: string;
  /** What the paths inside of a node of this file are relative to. */
  base: string;
}

/** No file system that is in use takes longer paths (PATH_MAX). */
const MAX_PATH_BYTES = 4096;

/** Reads the table of an object that was reached through `base`. @throws FormatError `truncated` or `corrupt` */
export function readDataFiles(body: ByteCursor, base: string): DataFile[] {
  const count = countOf(body, 2);
  const prefixes = column(body, count - 1);
  const suffixes = column(body, count);
  const baseLengths = column(body, count);
  const files: DataFile[] = [];
  let previous: Uint8Array = new Uint8Array(0);
  for (let index = 0; index < count; index++) {
    const prefix = index === 0 ? 0 : (prefixes[index - 1] as number);
    const suffix = body.slice(suffixes[index] as number);
    if (prefix > previous.byteLength || prefix + suffix.byteLength > MAX_PATH_BYTES)
      throw new FormatError('corrupt', 'a path of the data files is longer than what it continues', { offset: body.position });
    const path = new Uint8Array(prefix + suffix.byteLength);
    path.set(previous.subarray(0, prefix));
    path.set(suffix, prefix);
    files.push(dataFileOf(path, baseLengths[index] as number, base));
    previous = path;
  }
  return files;
}

function dataFileOf(bytes: Uint8Array, baseLength: number, base: string): DataFile {
  // Versions of the empty database refer to this one.
  if (bytes.byteLength === 0) return { path: '', base };
  const path = base + decodeText(bytes);
  if (baseLength > bytes.byteLength || path.length > MAX_PATH_BYTES || !isSafeFileName(path))
    throw new FormatError('corrupt', 'a path of the data files leaves the database');
  return { path, base: base + decodeText(bytes, 0, baseLength) };
}

/** The file of that number. @throws FormatError `corrupt` */
export function fileAt(files: readonly DataFile[], index: number): DataFile {
  const file = files[index];
  if (file === undefined) throw new FormatError('corrupt', `data file ${index} of ${files.length}`);
  return file;
}

/** A count of entries that take `bytesEach` at least, so that no damaged count makes us allocate. @throws FormatError `corrupt` */
export function countOf(body: ByteCursor, bytesEach: number): number {
  const count = body.varint();
  if (count * bytesEach > body.bytesLeft)
    throw new FormatError('corrupt', `${count} entries in ${body.bytesLeft} bytes`, { offset: body.position });
  return count;
}

/** A column of varints. @throws FormatError `truncated` */
export function column(body: ByteCursor, count: number): Float64Array {
  if (count > body.bytesLeft) throw new FormatError('truncated', 'a column is cut off', { offset: body.position });
  const values = new Float64Array(Math.max(0, count));
  for (let index = 0; index < count; index++) values[index] = body.varint();
  return values;
}
