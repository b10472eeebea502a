/**
 * The metadata of a zarr array: `.zarray` of version 2 (zarr-specs, v2/v2.0.html) and `zarr.json` of version 3 (v3/core), as files or
 * as values of a key-value database. TensorStore's own data type names (bfloat16, float8_e4m3fn, int4) stand beside NumPy's in both.
 */
import type { ChunkCodec } from '../bytes/chunkCodec.js';
import { elementCount } from '../bytes/checkedInteger.js';
import { memberOf } from './text/jsonMember.js';
import { FormatError } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import { decodeStrictText } from '../bytes/text.js';
import { bytesOfElements } from '../tensors/dtype.js';
import { numpyDtype } from './numpy/npyHeader.js';
import { jsonValue } from './text/jsonValue.js';

export const ZARR_2_NAME = '.zarray';
export const ZARR_3_NAME = 'zarr.json';

export interface ZarrArray {
  dtype: string;
  shape: number[];
  /** Shape of what one chunk key holds (in version 3 a shard, where arrays are sharded). */
  chunkShape: number[];
  isBigEndian: boolean;
  /** True where the last axis of a chunk does not vary fastest. */
  isTransposed: boolean;
  /** True where a chunk takes more or fewer bytes than its elements. */
  isEncoded: boolean;
  /** What chunks passed, in the order in which it is undone; undefined where that is not known. The order of axes is another thing. */
  codecs: ChunkCodec[] | undefined;
  /** Bytes of the whole array uncompressed; undefined for a data type that this version does not know. */
  bytes: number | undefined;
  /** Bytes of one chunk uncompressed; version 2 pads those at the edges. */
  chunkBytes: number | undefined;
  /** Chunks that the array has when all are stored; undefined where that is no number. */
  chunks: number | undefined;
  /** False where `fill_value` is null: then TensorStore and zarr-python 2 store all chunks, also those of zeros. */
  hasFillValue: boolean;
  /** True where loading a chunk unpickles it. */
  isPickled: boolean;
}

/** Names of `data_type` in version 3, and those that TensorStore adds to version 2. */
const namedDtypes = new Map<string, string>(
  Object.entries({
    bool: 'bool',
    int8: 'i8',
    int16: 'i16',
    int32: 'i32',
    int64: 'i64',
    uint8: 'u8',
    uint16: 'u16',
    uint32: 'u32',
    uint64: 'u64',
    float16: 'f16',
    float32: 'f32',
    float64: 'f64',
    bfloat16: 'bf16',
    complex64: 'c64',
    complex128: 'c128',
    float8_e4m3fn: 'f8_e4m3',
    float8_e5m2: 'f8_e5m2',
    float8_e4m3fnuz: 'f8_e4m3fnuz',
    float8_e5m2fnuz: 'f8_e5m2fnuz',
    float8_e8m0fnu: 'f8_e8m0',
    int4: 'i4',
    uint4: 'u4',
    int2: 'i2',
    uint2: 'u2',
    // zarr-extensions/data-types: texts of any and of a fixed length; zarr-python 3 writes all of them.
    string: 'string',
    variable_length_utf8: 'string',
    fixed_length_utf32: 'string',
    null_terminated_bytes: 'string',
  }),
);

/** Our name of a NumPy or ml_dtypes type name such as `bfloat16`; the name itself for one that this version does not know. */
export function dtypeOfName(name: string): string {
  return namedDtypes.get(name) ?? name;
}

/** TensorStore stores each of these small integers and floats in a byte of its own. */
const oneByteDtypes = /^(i4|u4|i2|u2|float\d_.*)$/;

/**
 * Parses the metadata; undefined for a group, which holds no data of its own.
 * @throws FormatError `corrupt` or `unsupported`
 */
export function parseZarr(bytes: Uint8Array): ZarrArray | undefined {
  const text = decodeStrictText(bytes);
  let root: unknown;
  try {
    root = jsonValue(text ?? '');
  } catch (error) {
    if (FormatError.is(error)) throw error;
    throw new FormatError('corrupt', 'the zarr metadata are no JSON', { offset: 0, cause: error });
  }
  if (!isRecord(root)) throw new FormatError('corrupt', 'the zarr metadata are no object', { offset: 0 });
  if (root.zarr_format === 2) return parseVersion2(root);
  if (root.zarr_format === 3) return root.node_type === 'group' ? undefined : parseVersion3(root);
  throw new FormatError('unsupported', `zarr format ${String(root.zarr_format).slice(0, 20)}`);
}

/** The members that are looked at, of any type until they were checked. */
type Json = Partial<
  Record<
    | 'zarr_format'
    | 'node_type'
    | 'dtype'
    | 'shape'
    | 'chunks'
    | 'compressor'
    | 'filters'
    | 'data_type'
    | 'chunk_grid'
    | 'codecs'
    | 'name'
    | 'configuration'
    | 'chunk_shape'
    | 'fill_value'
    | 'order',
    unknown
  >
>;

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseVersion2(root: Json): ZarrArray {
  const { dtype, filters } = root;
  const isEncoded = root.compressor !== null || (Array.isArray(filters) && filters.length > 0);
  const name = typeof dtype === 'string' ? (namedDtypes.get(dtype) ?? numpyDtype(dtype)) : 'structured';
  const isPickled = Array.isArray(filters) && filters.some((filter) => memberOf(filter, 'id') === PICKLE_CODEC);
  return describe(name, shapeOf(root.shape, 'shape'), shapeOf(root.chunks, 'chunks'), {
    isEncoded,
    hasFillValue: root.fill_value !== null,
    isPickled,
    isBigEndian: typeof dtype === 'string' && dtype.startsWith('>'),
    isTransposed: root.order === 'F',
    codecs:
      Array.isArray(filters) && filters.length > 0
        ? undefined
        : codecsOf(root.compressor === null ? [] : [root.compressor], 'id'),
  });
}

/** Codecs of both versions by their names (numcodecs; zarr-specs, v3/codecs); undefined where one is not known. */
function codecsOf(codecs: readonly unknown[], nameKey: 'id' | 'name'): ChunkCodec[] | undefined {
  const known = codecs.map((codec) => codecOf(memberOf(codec, nameKey)));
  return known.includes(undefined) ? undefined : (known.reverse() as ChunkCodec[]);
}

function codecOf(name: unknown): ChunkCodec | undefined {
  return name === 'zstd' || name === 'gzip' || name === 'zlib' || name === 'blosc' || name === 'crc32c' ? name : undefined;
}

/** Decodes chunks with pickle.loads (numcodecs/pickles.py). */
const PICKLE_CODEC = 'pickle';

function parseVersion3(root: Json): ZarrArray {
  const type = root.data_type;
  const name = typeof type === 'string' ? type : isRecord(type) && typeof type.name === 'string' ? type.name : 'structured';
  const grid = isRecord(root.chunk_grid) ? root.chunk_grid : {};
  const configuration = isRecord(grid.configuration) ? grid.configuration : {};
  const codecs = Array.isArray(root.codecs) ? root.codecs : [];
  const isEncoded = codecs.some((codec) => !isRecord(codec) || (codec.name !== 'bytes' && codec.name !== 'transpose'));
  // Before it codecs work on arrays, of which only the order of axes is known.
  const toBytes = codecs.findIndex((codec) => memberOf(codec, 'name') === 'bytes');
  const shape = shapeOf(root.shape, 'shape');
  const chunkShape = grid.name === 'regular' ? shapeOf(configuration.chunk_shape, 'chunk_shape') : shape;
  return describe(dtypeOfName(name), shape, chunkShape, {
    isEncoded,
    hasFillValue: root.fill_value !== null,
    isPickled: false,
    isBigEndian: codecs.some((codec) => memberOf(memberOf(codec, 'configuration'), 'endian') === 'big'),
    isTransposed: codecs.some((codec) => memberOf(codec, 'name') === 'transpose'),
    codecs: codecs.slice(0, toBytes).every((codec) => memberOf(codec, 'name') === 'transpose')
      ? codecsOf(codecs.slice(toBytes + 1), 'name')
      : undefined,
  });
}

function describe(
  dtype: string,
  shape: number[],
  chunkShape: number[],
  storage: Pick<ZarrArray, 'isEncoded' | 'codecs' | 'hasFillValue' | 'isPickled' | 'isBigEndian' | 'isTransposed'>,
): ZarrArray {
  if (chunkShape.length !== shape.length)
    throw new FormatError('corrupt', `chunks of rank ${chunkShape.length} for an array of rank ${shape.length}`, { offset: 0 });
  return {
    dtype,
    shape,
    chunkShape,
    ...storage,
    bytes: bytesOf(dtype, shape),
    chunkBytes: bytesOf(dtype, chunkShape),
    chunks: elementCount(shape.map((size, axis) => Math.ceil(size / Math.max(1, chunkShape[axis] as number)))),
  };
}

function bytesOf(dtype: string, shape: readonly number[]): number | undefined {
  const elements = elementCount(shape);
  if (elements === undefined) return undefined;
  const bytes = oneByteDtypes.test(dtype) ? elements : bytesOfElements(dtype, elements);
  return bytes !== undefined && Number.isSafeInteger(bytes) ? bytes : undefined;
}

function shapeOf(value: unknown, what: string): number[] {
  const isShape =
    Array.isArray(value) && value.length <= limits.tensorRank && value.every((size) => Number.isSafeInteger(size) && size >= 0);
  if (!isShape) throw new FormatError('corrupt', `${what} of the zarr metadata is no shape`, { offset: 0 });
  return value as number[];
}

const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const DOT = 0x2e;
const SLASH = 0x2f;
const LETTER_C = 0x63;

/** Whether bytes [start, end) are a chunk key of version 2, `0.12` or `0/12`; the key of a scalar is `0`. */
export function isChunkKey(key: Uint8Array, start: number, end: number): boolean {
  if (start >= end) return false;
  let hasDigit = false;
  for (let at = start; at < end; at++) {
    const byte = key[at] as number;
    if (byte >= DIGIT_0 && byte <= DIGIT_9) hasDigit = true;
    else if ((byte === DOT || byte === SLASH) && hasDigit) hasDigit = false;
    else return false;
  }
  return hasDigit;
}

/**
 * Where the name of the array ends that a chunk key of version 3 belongs to: `name/c/0/12`, or `name/c` for a scalar. Also `name/0.12`,
 * version 3 with the keys of version 2. -1 for what is no chunk key.
 */
export function endOfArrayName(key: Uint8Array, end: number): number {
  let at = end;
  for (;;) {
    const slash = at === 0 ? -1 : key.lastIndexOf(SLASH, at - 1);
    if (!isChunkKey(key, slash + 1, at)) break;
    at = Math.max(0, slash);
  }
  const isC = key[at - 1] === LETTER_C && (at === 1 || key[at - 2] === SLASH);
  if (isC) return Math.max(0, at - 2);
  return at === end ? -1 : at;
}
