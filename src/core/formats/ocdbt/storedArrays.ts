/**
 * The zarr arrays among the entries of an OCDBT database. An array's metadata are the value of `<name>/.zarray` or `<name>/zarr.json`,
 * its chunks those of `<name>/0.12` or `<name>/c/0/12`. Names are taken from the metadata keys, as they may hold `/` and `.` of their
 * own. Entries come in the order of their keys, one or more databases after the other.
 */
import { decodeText, encodeText } from '../../bytes/text.js';
import { endOfArrayName, isChunkKey, ZARR_2_NAME, ZARR_3_NAME } from '../zarr.js';
import type { OcdbtEntry } from './btreeNode.js';

/** A value that is read later, or is at hand. */
export interface StoredValue {
  path: string;
  offset: number;
  bytes: number;
  inline: Uint8Array | undefined;
}

/** Extents of files, as columns: a chunk of a large array is one of a million. Neighbours are joined. */
export class Extents {
  private readonly values: number[] = [];
  private readonly paths: string[] = [];
  private readonly indexes = new Map<string, number>();
  /** Bytes of the values, which is more or less than the extents have where values lie inside of compressed nodes. */
  valueBytes = 0;
  count = 0;
  /** Whether a value lies inside of a node of the database: then its extent is a share of the node, which may be compressed. */
  hasInline = false;

  add(path: string, offset: number, storedBytes: number, valueBytes: number): void {
    this.count += 1;
    this.valueBytes += valueBytes;
    const { values, paths } = this;
    const last = values.length - 3;
    if (
      last >= 0 &&
      paths[values[last] as number] === path &&
      (values[last + 1] as number) + (values[last + 2] as number) === offset
    ) {
      values[last + 2] = (values[last + 2] as number) + storedBytes;
      return;
    }
    values.push(this.indexOf(path), offset, storedBytes);
  }

  /** Adds what another has. */
  append(other: Extents): void {
    const { count, valueBytes } = this;
    other.each((path, offset, bytes) => {
      this.add(path, offset, bytes, 0);
    });
    this.count = count + other.count;
    this.valueBytes = valueBytes + other.valueBytes;
    this.hasInline ||= other.hasInline;
  }

  each(use: (path: string, offset: number, bytes: number) => void): void {
    const { values, paths } = this;
    for (let at = 0; at < values.length; at += 3)
      use(paths[values[at] as number] as string, values[at + 1] as number, values[at + 2] as number);
  }

  private indexOf(path: string): number {
    const known = this.indexes.get(path);
    if (known !== undefined) return known;
    const index = this.paths.push(path) - 1;
    this.indexes.set(path, index);
    return index;
  }
}

export interface StoredArray {
  name: string;
  metadata: StoredValue;
  chunks: Extents;
}

const METADATA_2 = encodeText(ZARR_2_NAME);
const METADATA_3 = encodeText(ZARR_3_NAME);
const SLASH = 0x2f;

/** Gathers arrays from entries. */
export class StoredArrays {
  private readonly arrays = new Map<string, StoredArray>();
  /** Chunks of version 3 stand before the metadata that name their array. */
  private readonly waiting = new Map<string, Extents>();
  /** The array of version 2 whose chunks may follow, and its name with a slash. */
  private current: { array: StoredArray; prefix: Uint8Array } | undefined;
  private waitingName = '';
  private waitingPrefix = new Uint8Array(0);
  /** Values that are no array's. */
  readonly others = new Extents();

  /** Takes one entry, and keeps what it needs of it. */
  add(entry: OcdbtEntry): void {
    const { key, keyBytes } = entry;
    const nameEnd = endOfMetadataName(key, keyBytes);
    if (nameEnd !== -1) this.addMetadata(decodeText(key, 0, nameEnd), entry);
    else {
      const chunks = this.chunksOf(key, keyBytes);
      chunks.add(entry.path, entry.offset, entry.storedBytes, entry.valueBytes);
      chunks.hasInline ||= entry.inline !== undefined;
    }
  }

  /** The arrays by name. Chunks whose array did not turn up are added to `others`. */
  finish(): StoredArray[] {
    for (const [name, chunks] of this.waiting) (this.arrays.get(name)?.chunks ?? this.others).append(chunks);
    this.waiting.clear();
    return [...this.arrays.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  private addMetadata(name: string, entry: OcdbtEntry): void {
    const array = this.arrays.get(name) ?? { name, metadata: valueOf(entry), chunks: new Extents() };
    this.arrays.set(name, array);
    this.current = { array, prefix: encodeText(name === '' ? '' : `${name}/`) };
  }

  private chunksOf(key: Uint8Array, keyBytes: number): Extents {
    const { current } = this;
    if (
      current !== undefined &&
      startsWith(key, keyBytes, current.prefix) &&
      isChunkKey(key, current.prefix.byteLength, keyBytes)
    )
      return current.array.chunks;
    const nameEnd = endOfArrayName(key, keyBytes);
    return nameEnd === -1 ? this.others : this.waitingFor(key, nameEnd);
  }

  /** Chunks that wait for their array; its name is decoded once for a run of them. */
  private waitingFor(key: Uint8Array, nameEnd: number): Extents {
    const isSame = nameEnd === this.waitingPrefix.byteLength && startsWith(key, nameEnd, this.waitingPrefix);
    if (!isSame || this.waiting.size === 0) {
      this.waitingPrefix = key.slice(0, nameEnd);
      this.waitingName = decodeText(key, 0, nameEnd);
    }
    const known = this.waiting.get(this.waitingName);
    if (known !== undefined) return known;
    const chunks = new Extents();
    this.waiting.set(this.waitingName, chunks);
    return chunks;
  }
}

function valueOf({ path, offset, valueBytes, inline }: OcdbtEntry): StoredValue {
  return { path, offset, bytes: valueBytes, inline: inline?.slice() };
}

/** Where the array's name ends in the key of its metadata; -1 for any other key. */
function endOfMetadataName(key: Uint8Array, keyBytes: number): number {
  for (const suffix of [METADATA_2, METADATA_3]) {
    const start = keyBytes - suffix.byteLength;
    if (start < 0 || (start > 0 && key[start - 1] !== SLASH) || !startsWith(key.subarray(start), suffix.byteLength, suffix))
      continue;
    return Math.max(0, start - 1);
  }
  return -1;
}

function startsWith(key: Uint8Array, keyBytes: number, prefix: Uint8Array): boolean {
  if (keyBytes < prefix.byteLength) return false;
  for (let at = 0; at < prefix.byteLength; at++) if (key[at] !== prefix[at]) return false;
  return true;
}
