/**
 * TensorFlow's checkpoint format 2, the tensor bundle (tensorflow/core/util/tensor_bundle, protobuf/tensor_bundle.proto):
 *
 *   <prefix>.index                       sorted table: "" -> BundleHeaderProto, name -> BundleEntryProto
 *   <prefix>.data-<shard>-of-<shards>    tensor data, at the offsets of the entries
 *
 * A partitioned variable has an entry without data, and one entry a slice under a key that begins with a zero byte. Read: the index.
 */
import { elementCount } from '../../bytes/checkedInteger.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeText } from '../../bytes/text.js';
import { bytesOfElements } from '../../tensors/dtype.js';
import { FIXED32, LENGTH_DELIMITED, ProtobufReader, VARINT } from '../protobuf/protobuf.js';
import { eachTableEntry } from './sortedTable.js';

/** DataType of types.proto; reference types (100 and up) are never stored. */
const dtypes: Readonly<Record<number, string>> = {
  1: 'f32',
  2: 'f64',
  3: 'i32',
  4: 'u8',
  5: 'i16',
  6: 'i8',
  7: 'string',
  8: 'c64',
  9: 'i64',
  10: 'bool',
  11: 'qint8',
  12: 'quint8',
  13: 'qint32',
  14: 'bf16',
  15: 'qint16',
  16: 'quint16',
  17: 'u16',
  18: 'c128',
  19: 'f16',
  20: 'resource',
  21: 'variant',
  22: 'u32',
  23: 'u64',
  24: 'f8_e5m2',
  25: 'f8_e4m3',
  26: 'f8_e4m3fnuz',
  27: 'f8_e4m3b11fnuz',
  28: 'f8_e5m2fnuz',
  29: 'i4',
  30: 'u4',
};

/** Where one entry's bytes lie. */
export interface BundleExtent {
  shard: number;
  offset: number;
  bytes: number;
  /** Masked CRC-32C of these bytes; of texts, of what `readStrings` of TensorFlow makes of them. Null where the entry has none. */
  crc32c: number | null;
}

export interface BundleTensor {
  name: string;
  dtype: string;
  shape: number[];
  extents: BundleExtent[];
  /** Bytes by dtype and shape; undefined for texts, variants and types that are not known. */
  expectedBytes: number | undefined;
}

export interface Bundle {
  shards: number;
  tensors: BundleTensor[];
}

/**
 * Parses an index.
 * @throws FormatError as `eachTableEntry`, `corrupt` for an entry that is none
 */
export function parseBundleIndex(index: Uint8Array): Bundle {
  const slices = new Slices();
  const tensors: BundleTensor[] = [];
  let shards: number | undefined;
  eachTableEntry(index, (key, value) => {
    if (key.byteLength === 0) shards = shardsOf(value);
    else if (key[0] === 0) slices.add(key, value);
    else if (tensors.length === limits.headerTensors)
      throw new FormatError('limit-exceeded', `more than ${limits.headerTensors} variables`);
    else tensors.push(tensorOf(decodeText(key), value, slices));
  });
  if (shards === undefined) throw new FormatError('corrupt', 'the index has no header');
  return { shards, tensors };
}

function shardsOf(header: Uint8Array): number {
  let shards = 1;
  for (const field = new ProtobufReader(header); field.next();) {
    if (field.field === 1 && field.wireType === VARINT) shards = field.varint;
    // TensorFlow refuses an index of the other byte order as well.
    if (field.field === 2 && field.wireType === VARINT && field.varint !== 0)
      throw new FormatError('unsupported', 'a big-endian bundle');
  }
  return shards;
}

interface Entry {
  type: number;
  shape: number[];
  extent: BundleExtent;
  isSliced: boolean;
}

function entryOf(value: Uint8Array): Entry {
  const entry: Entry = { type: 0, shape: [], extent: { shard: 0, offset: 0, bytes: 0, crc32c: null }, isSliced: false };
  for (const field = new ProtobufReader(value); field.next();) {
    if (field.wireType === VARINT) {
      if (field.field === 1) entry.type = field.varint;
      else if (field.field === 3) entry.extent.shard = field.varint;
      else if (field.field === 4) entry.extent.offset = field.varint;
      else if (field.field === 5) entry.extent.bytes = field.varint;
    } else if (field.wireType === FIXED32) {
      if (field.field === 6) entry.extent.crc32c = field.fixed32;
    } else if (field.wireType === LENGTH_DELIMITED) {
      if (field.field === 2) entry.shape = shapeOf(field.message);
      else if (field.field === 7) entry.isSliced = true;
    }
  }
  return entry;
}

/** TensorShapeProto { repeated Dim { int64 size = 1 } dim = 2 }. */
function shapeOf(message: ProtobufReader): number[] {
  const shape: number[] = [];
  while (message.next() && shape.length < limits.tensorRank) {
    if (message.field !== 2 || message.wireType !== LENGTH_DELIMITED) continue;
    let size = 0;
    for (const dim = message.message; dim.next();) if (dim.field === 1 && dim.wireType === VARINT) size = dim.varint;
    shape.push(size);
  }
  return shape;
}

function tensorOf(name: string, value: Uint8Array, slices: Slices): BundleTensor {
  const { type, shape, extent, isSliced } = entryOf(value);
  const dtype = dtypes[type] ?? `tf_type_${type}`;
  const elements = elementCount(shape);
  return {
    name,
    dtype,
    shape,
    extents: isSliced ? slices.take(name) : [extent],
    expectedBytes: elements === undefined ? undefined : bytesOfElements(dtype, elements),
  };
}

/**
 * Key of a slice (tensor_slice_util.cc, ordered_code.cc): a zero, the name with its own zeros and 0xff escaped, 00 01, the slice.
 * Slices come before their tensor, as its name is not empty.
 */
class Slices {
  private readonly extents = new Map<string, BundleExtent[]>();
  private count = 0;

  /** Those of a variable, once: a table may repeat a key, and each tensor would list them again. */
  take(name: string): BundleExtent[] {
    const extents = this.extents.get(name) ?? [];
    this.extents.delete(name);
    return extents;
  }

  add(key: Uint8Array, value: Uint8Array): void {
    this.count += 1;
    if (this.count > limits.headerExtents)
      throw new FormatError('limit-exceeded', `more than ${limits.headerExtents} slices of variables`);
    let end = 1;
    while (end + 1 < key.byteLength && !(key[end] === 0 && key[end + 1] === 1)) end += 1;
    const name = decodeText(key, 1, end);
    const { extent } = entryOf(value);
    const known = this.extents.get(name);
    if (known === undefined) this.extents.set(name, [extent]);
    else known.push(extent);
  }
}
