/**
 * The manifest of an OCDBT database (tensorstore/kvstore/ocdbt/format/{manifest,config,version_tree}.cc):
 *
 *   uuid 16 B | kind varint | max inline value | max decoded node | version tree arity u8 | compression varint [level i32]
 *   | data file table | newest versions, column by column | nodes of older versions
 *
 * Kind 1 is `numbered`: `manifest.ocdbt` has the configuration alone, and the file `manifest.<16 hex>` with the largest number the
 * versions. The newest version always stands in the manifest itself, so that nodes of older ones need not be read.
 */
import type { ByteCursor } from '../../bytes/byteCursor.js';
import { FormatError } from '../../bytes/formatError.js';
import { column, countOf, fileAt, readDataFiles, type DataFile } from './dataFileTable.js';
import { openObject } from './ocdbtObject.js';

export interface Manifest {
  /** True where the versions are in numbered files. */
  isNumbered: boolean;
  /** The newest version; undefined for an empty database. */
  root: RootNode | undefined;
}

interface RootNode {
  file: DataFile;
  offset: number;
  bytes: number;
  height: number;
}

/** A manifest lists as many versions as the version tree has arity, 16 unless set otherwise, and a path for each of their files. */
export const MAX_MANIFEST_BYTES = 1024 * 1024;

const UUID_BYTES = 16;

/** Parses a manifest file. @throws FormatError as `openObject` */
export function parseManifest(bytes: Uint8Array, isNumberedFile: boolean): Manifest {
  const { body } = openObject(bytes, 'manifest', MAX_MANIFEST_BYTES);
  body.take(UUID_BYTES);
  const kind = body.varint();
  if (kind > 1) throw new FormatError('unsupported', `manifest kind ${kind}`);
  body.varint();
  body.varint();
  body.u8();
  if (body.varint() === 1) body.i32();
  const isNumbered = kind === 1 && !isNumberedFile;
  return { isNumbered, root: isNumbered ? undefined : newestVersion(body) };
}

/** Generation, height, file, offset, length, keys, tree bytes, value bytes, time: columns in this order. The last row is the newest. */
function newestVersion(body: ByteCursor): RootNode | undefined {
  const files = readDataFiles(body, '');
  const count = countOf(body, 9);
  if (count === 0) return undefined;
  const last = count - 1;
  column(body, count);
  const height = body.slice(count)[last] as number;
  const file = column(body, count)[last] as number;
  const offset = column(body, count)[last] as number;
  const bytes = column(body, count)[last] as number;
  const keys = column(body, count)[last] as number;
  return keys === 0 ? undefined : { file: fileAt(files, file), offset, bytes, height };
}
