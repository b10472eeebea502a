/** OCDBT databases byte by byte, uncompressed: tensorstore/kvstore/ocdbt/format. */
import { crc32c } from '../../src/core/bytes/crc32c.js';
import { bytes, concat, integerLE, u32, u64, u8, utf8 } from './byteWriter.js';

const MANIFEST = [0x0c, 0xdb, 0x3a, 0x2a];
const NODE = [0x0c, 0xdb, 0x20, 0xde];

export function varint(value: number | bigint): Uint8Array {
  const out: number[] = [];
  let rest = BigInt(value);
  do {
    out.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return bytes(...out);
}

const column = (values: readonly (number | bigint)[]): Uint8Array => concat(...values.map((value) => varint(value)));

/** An object around a body, with its length and checksum. */
export function object(kind: 'manifest' | 'node', body: Uint8Array, { version = 0, compression = 0 } = {}): Uint8Array {
  const length = 12 + 2 + body.byteLength + 4;
  const head = concat(bytes(...(kind === 'manifest' ? MANIFEST : NODE)), u64(length), bytes(version, compression), body);
  return concat(head, u32(crc32c(head)));
}

/** A data file as the base that is passed on, and the rest. */
export interface TablePath {
  base?: string;
  path: string;
}

export function dataFiles(files: readonly TablePath[]): Uint8Array {
  const paths = files.map(({ base = '', path }) => utf8(base + path));
  return concat(
    varint(files.length),
    column(files.slice(1).map(() => 0)),
    column(paths.map((path) => path.byteLength)),
    column(files.map(({ base = '' }) => utf8(base).byteLength)),
    ...paths,
  );
}

/** Where an object or a value lies. */
export interface Place {
  file: number;
  offset: number | bigint;
  bytes: number | bigint;
}

export function manifest(files: readonly TablePath[], root: Place & { height: number; keys?: number }, kind = 0): Uint8Array {
  const configuration = concat(new Uint8Array(16), varint(kind), varint(1024), varint(8_388_608), u8(4), varint(0));
  return object('manifest', kind === 1 ? configuration : concat(configuration, versions(files, root)));
}

/** A numbered manifest: the kind is still 1, and the versions are there. */
export function numberedManifest(files: readonly TablePath[], root: Place & { height: number }): Uint8Array {
  const configuration = concat(new Uint8Array(16), varint(1), varint(1024), varint(8_388_608), u8(4), varint(0));
  return object('manifest', concat(configuration, versions(files, root)));
}

function versions(files: readonly TablePath[], root: Place & { height: number; keys?: number }): Uint8Array {
  const row = [root.file, root.offset, root.bytes, root.keys ?? 1, 0, 0];
  return concat(dataFiles(files), varint(1), varint(1), u8(root.height), column(row), integerLE(0, 8), varint(0));
}

export interface LeafEntry {
  key: string;
  value: Uint8Array | Place;
}

export function leaf(files: readonly TablePath[], entries: readonly LeafEntry[], height = 0): Uint8Array {
  const keys = entries.map(({ key }) => utf8(key));
  const stored = entries.map(({ value }) => value).filter((value): value is Place => !(value instanceof Uint8Array));
  return object(
    'node',
    concat(
      u8(height),
      dataFiles(files),
      varint(entries.length),
      column(entries.slice(1).map(() => 0)),
      column(keys.map((key) => key.byteLength)),
      ...keys,
      column(entries.map(({ value }) => (value instanceof Uint8Array ? value.byteLength : value.bytes))),
      bytes(...entries.map(({ value }) => (value instanceof Uint8Array ? 0 : 1))),
      column(stored.map(({ file }) => file)),
      column(stored.map(({ offset }) => offset)),
      ...entries.map(({ value }) => (value instanceof Uint8Array ? value : bytes())),
    ),
  );
}

export interface Child extends Place {
  key: string;
  /** Bytes of the key that all keys of the subtree begin with, and that it leaves out. */
  common: number;
}

export function interior(height: number, files: readonly TablePath[], children: readonly Child[]): Uint8Array {
  const keys = children.map(({ key }) => utf8(key));
  return object(
    'node',
    concat(
      u8(height),
      dataFiles(files),
      varint(children.length),
      column(children.slice(1).map(() => 0)),
      column(keys.map((key) => key.byteLength)),
      column(children.map(({ common }) => common)),
      ...keys,
      column(children.map(({ file }) => file)),
      column(children.map(({ offset }) => offset)),
      column(children.map((child) => child.bytes)),
      column(children.map(() => 1)),
      column(children.map(() => 0)),
      column(children.map(() => 0)),
    ),
  );
}

/** A copy with the checksums of all objects in it made right again, after a field was changed. */
export function resealed(file: Uint8Array): Uint8Array {
  const copy = file.slice();
  const view = new DataView(copy.buffer);
  for (let at = 0; at + 18 <= copy.byteLength; at++) {
    const magic = view.getUint32(at, false);
    if (magic !== 0x0cdb3a2a && magic !== 0x0cdb20de) continue;
    const length = Number(view.getBigUint64(at + 4, true));
    if (length < 18 || at + length > copy.byteLength) continue;
    view.setUint32(at + length - 4, crc32c(copy.subarray(at, at + length - 4)), true);
  }
  return copy;
}

/** Metadata of an uncompressed array of float32. */
export function zarray(shape: readonly number[], chunks: readonly number[] = shape, fillValue: number | null = 0): Uint8Array {
  return utf8(
    JSON.stringify({
      chunks,
      compressor: null,
      dtype: '<f4',
      fill_value: fillValue,
      filters: null,
      order: 'C',
      shape,
      zarr_format: 2,
    }),
  );
}
