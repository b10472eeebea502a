/**
 * A node of an OCDBT B+tree (tensorstore/kvstore/ocdbt/format/btree.cc): height u8, data file table, number of entries, then columns.
 *
 *   leaf      key prefix lengths (all but the first) | key suffix lengths | suffixes | value lengths | value kinds u8 (0 inline, 1 in a
 *             file) | file and offset of those in a file | the inline values
 *   interior  key prefix lengths | key suffix lengths | common prefix of the subtree | suffixes | file | offset | length | keys | tree
 *             bytes | value bytes
 *
 * A key is the parents' common prefixes and the node's own part, which continues the key before it. Leaves may have a million entries:
 * their columns stay typed arrays, and one entry object is used for all.
 */
import type { ByteCursor } from '../../bytes/byteCursor.js';
import { FormatError } from '../../bytes/formatError.js';
import { column, countOf, fileAt, readDataFiles, type DataFile } from './dataFileTable.js';
import { openObject, type ObjectBody } from './ocdbtObject.js';

/** Where a node lies, and what its keys begin with. */
export interface NodeLocation {
  file: DataFile;
  offset: number;
  bytes: number;
  height: number;
  keyPrefix: Uint8Array;
}

/** One key and where its value lies. The same object for all entries: copy what is to be kept. */
export interface OcdbtEntry {
  /** The key is the first `keyBytes` of it. */
  key: Uint8Array;
  keyBytes: number;
  /** File of the value, below the database's directory; the node's file for an inline value. */
  path: string;
  offset: number;
  /** What the value takes in the file: its length, or its share of the node that holds it inline. */
  storedBytes: number;
  valueBytes: number;
  /** The value where it is inline. */
  inline: Uint8Array | undefined;
}

export type VisitEntry = (entry: OcdbtEntry) => void;

/** A key of TensorStore's is a path and a chunk's number. */
const MAX_KEY_BYTES = 64 * 1024;

/**
 * Reads a node: answers its children, and calls back for each entry of a leaf.
 * @throws FormatError as `openObject`
 */
export function readNode(
  bytes: Uint8Array,
  location: NodeLocation,
  maxBodyBytes: number,
  visit: VisitEntry,
): { bodyBytes: number; children: NodeLocation[] } {
  const object = openObject(bytes, 'node', maxBodyBytes);
  const { body } = object;
  const height = body.u8();
  if (height !== location.height) throw new FormatError('corrupt', `a node of height ${height} where ${location.height} is due`);
  const files = readDataFiles(body, location.file.base);
  const count = countOf(body, height === 0 ? 3 : 8);
  if (height === 0) visitLeaf(object, count, files, location, visit);
  return {
    bodyBytes: body.bytes.byteLength,
    children: height === 0 ? [] : readChildren(body, count, files, location),
  };
}

/** The keys of a node one after the other, in one buffer. */
class Keys {
  readonly bytes = new Uint8Array(MAX_KEY_BYTES);
  private length: number;
  private index = 0;
  private suffixAt = 0;

  constructor(
    private readonly prefix: Uint8Array,
    private readonly prefixLengths: Float64Array,
    private readonly suffixLengths: Float64Array,
    private readonly suffixes: Uint8Array,
  ) {
    this.bytes.set(prefix);
    this.length = prefix.byteLength;
  }

  /** Makes the next key and answers its length. */
  next(): number {
    const own = this.index === 0 ? 0 : (this.prefixLengths[this.index - 1] as number);
    const shared = this.prefix.byteLength + own;
    const suffix = this.suffixLengths[this.index] as number;
    if (shared > this.length || shared + suffix > MAX_KEY_BYTES)
      throw new FormatError('corrupt', 'a key continues more than the key before it');
    for (let at = 0; at < suffix; at++) this.bytes[shared + at] = this.suffixes[this.suffixAt + at] as number;
    this.length = shared + suffix;
    this.suffixAt += suffix;
    this.index += 1;
    return this.length;
  }
}

function visitLeaf(
  { body, storedPosition }: ObjectBody,
  count: number,
  files: readonly DataFile[],
  location: NodeLocation,
  visit: VisitEntry,
): void {
  const prefixLengths = column(body, count - 1);
  const suffixLengths = column(body, count);
  const keys = new Keys(location.keyPrefix, prefixLengths, suffixLengths, body.slice(sum(suffixLengths)));
  const valueLengths = column(body, count);
  const kinds = body.slice(count);
  const inFile = count - countZeros(kinds);
  const fileIds = column(body, inFile);
  const offsets = column(body, inFile);
  const entry: OcdbtEntry = {
    key: keys.bytes,
    keyBytes: 0,
    path: '',
    offset: 0,
    storedBytes: 0,
    valueBytes: 0,
    inline: undefined,
  };
  let next = 0;
  for (let index = 0; index < count; index++) {
    entry.keyBytes = keys.next();
    entry.valueBytes = valueLengths[index] as number;
    if (kinds[index] === 0) {
      const start = storedPosition(body.position);
      entry.inline = body.slice(entry.valueBytes);
      entry.path = location.file.path;
      entry.offset = location.offset + start;
      entry.storedBytes = storedPosition(body.position) - start;
    } else {
      entry.inline = undefined;
      entry.path = fileAt(files, fileIds[next] as number).path;
      entry.offset = offsets[next] as number;
      entry.storedBytes = entry.valueBytes;
      next += 1;
    }
    visit(entry);
  }
}

function readChildren(body: ByteCursor, count: number, files: readonly DataFile[], location: NodeLocation): NodeLocation[] {
  const prefixLengths = column(body, count - 1);
  const suffixLengths = column(body, count);
  const commonLengths = column(body, count);
  const keys = new Keys(location.keyPrefix, prefixLengths, suffixLengths, body.slice(sum(suffixLengths)));
  const fileIds = column(body, count);
  const offsets = column(body, count);
  const lengths = column(body, count);
  const children: NodeLocation[] = [];
  for (let index = 0; index < count; index++) {
    const keyBytes = keys.next();
    const prefixBytes = location.keyPrefix.byteLength + (commonLengths[index] as number);
    if (prefixBytes > keyBytes) throw new FormatError('corrupt', 'a subtree shares more than its first key');
    children.push({
      file: fileAt(files, fileIds[index] as number),
      offset: offsets[index] as number,
      bytes: lengths[index] as number,
      height: location.height - 1,
      keyPrefix: keys.bytes.slice(0, prefixBytes),
    });
  }
  return children;
}

function sum(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function countZeros(bytes: Uint8Array): number {
  let zeros = 0;
  for (const byte of bytes) if (byte === 0) zeros += 1;
  return zeros;
}
