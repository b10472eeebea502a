import { bytes, concat, u32, utf8 } from './byteWriter.js';

/** Writes the index of a TensorFlow tensor bundle: a sorted table whose blocks, handles and entries may be bent. */

export interface BundleEntry {
  key: string | Uint8Array;
  dtype?: number;
  shape?: readonly number[];
  shard?: number;
  offset?: number | bigint;
  size?: number | bigint;
  /** Marks a partitioned variable, whose data are in entries of their own. */
  sliced?: boolean;
  /** The value itself, instead of the fields above. */
  value?: Uint8Array;
}

export interface BundleOptions {
  shards?: number;
  entries?: readonly BundleEntry[];
  /** Type byte behind each block; with 1 the blocks are packed with snappy, as literals. */
  compression?: number;
  /** Leave the header's entry out. */
  noHeader?: boolean;
}

export function varint(value: number | bigint): Uint8Array {
  const out: number[] = [];
  let rest = BigInt(value);
  for (; rest >= 128n; rest >>= 7n) out.push(Number(rest & 127n) | 128);
  return bytes(...out, Number(rest));
}

/** A protobuf field: a varint, or bytes with their length. */
export function protoField(number: number, value: number | bigint | Uint8Array): Uint8Array {
  if (value instanceof Uint8Array) return concat(varint(number * 8 + 2), varint(value.byteLength), value);
  return concat(varint(number * 8), varint(value));
}

function valueOf(entry: BundleEntry): Uint8Array {
  const { dtype = 1, shape = [], shard = 0, offset = 0, size = 4 } = entry;
  const dims = concat(...shape.map((dim) => protoField(2, protoField(1, dim))));
  const fields = [protoField(1, dtype), protoField(2, dims), protoField(3, shard), protoField(4, offset), protoField(5, size)];
  return concat(...fields, ...(entry.sliced === true ? [protoField(7, new Uint8Array(0))] : []));
}

/** A block without shared key beginnings. */
export function tableBlock(entries: readonly (readonly [key: Uint8Array, value: Uint8Array])[]): Uint8Array {
  const parts = entries.map(([key, value]) => concat(varint(0), varint(key.byteLength), varint(value.byteLength), key, value));
  return concat(...parts, u32(0), u32(1));
}

/** Snappy without copies: literals of up to 65,536 bytes. */
export function snappyLiterals(plain: Uint8Array): Uint8Array {
  const parts = [varint(plain.byteLength)];
  for (let at = 0; at < plain.byteLength; at += 65_536) {
    const literal = plain.subarray(at, at + 65_536);
    const last = literal.byteLength - 1;
    parts.push(bytes(61 * 4, last & 255, last >> 8), literal);
  }
  return concat(...parts);
}

/** A table of ready-made data blocks. */
export function buildTable(plain: readonly Uint8Array[], compression = 0): Uint8Array {
  const pack = compression === 1 ? snappyLiterals : (block: Uint8Array): Uint8Array => block;
  const blocks = plain.map(pack);
  const trailer = concat(bytes(compression), u32(0));
  const handles: Uint8Array[] = [];
  let at = 0;
  for (const block of blocks) {
    handles.push(concat(varint(at), varint(block.byteLength)));
    at += block.byteLength + trailer.byteLength;
  }
  const index = pack(tableBlock(handles.map((handle, number) => [utf8(`k${number}`), handle])));
  const footer = concat(varint(at), varint(0), varint(at), varint(index.byteLength));
  return concat(
    ...blocks.flatMap((block) => [block, trailer]),
    index,
    trailer,
    footer,
    new Uint8Array(40 - footer.byteLength),
    u32(0x8b80fb57),
    u32(0xdb477524),
  );
}

export function buildBundleIndex({ shards = 1, entries = [], compression = 0, noHeader = false }: BundleOptions): Uint8Array {
  const rows = entries.map((entry): [Uint8Array, Uint8Array] => [
    typeof entry.key === 'string' ? utf8(entry.key) : entry.key,
    entry.value ?? valueOf(entry),
  ]);
  const header: [Uint8Array, Uint8Array][] = noHeader ? [] : [[new Uint8Array(0), protoField(1, shards)]];
  return buildTable([tableBlock([...header, ...rows])], compression);
}
