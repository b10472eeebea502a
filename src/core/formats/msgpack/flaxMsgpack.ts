/**
 * Flax's serialized trees (flax/serialization.py): one MessagePack map of maps. An array is `ext` 1 around the packed tuple of shape,
 * dtype name and bytes; a NumPy scalar is the same as `ext` 3, a complex number `ext` 2. Arrays above 1 GiB are maps of their own:
 * `__msgpack_chunked_array__`, the `shape` as a map of indices, and flat `chunks`.
 */
import { appendAll } from '../../bytes/appendAll.js';
import type { ByteSource } from '../../bytes/byteSource.js';
import { elementCount } from '../../bytes/checkedInteger.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { bytesOfElements } from '../../tensors/dtype.js';
import type { FileSink, FoundPiece } from '../sink/fileSink.js';
import { MsgpackReader, type MsgpackContainer, type MsgpackValue } from './msgpack.js';
import { dtypeOfName } from '../zarr.js';

const NDARRAY = 1;
const NUMPY_SCALAR = 3;
const CHUNKED = '__msgpack_chunked_array__';
/** The reference reader gives up at 1,024. */
const MAX_DEPTH = 1024;

interface StoredArray {
  dtype: string;
  shape: number[];
  pieces: FoundPiece[];
}

/** One leaf with its key path. */
interface Leaf {
  keyPath: string[];
  value: StoredArray | string | number | boolean | null;
}

/**
 * Lists the arrays of a tree under their keys joined with `/`, as flax does; what is no array is kept as settings. MessagePack without an array is data
 * of another program: maps and lists, one behind the other.
 * @throws FormatError `not-this-format`, `truncated`, `corrupt` or `limit-exceeded`, after what was found before is listed
 */
export async function readFlaxMsgpack(source: ByteSource, sink: FileSink): Promise<void> {
  const leaves: Leaf[] = [];
  let failure: unknown;
  let end = 0;
  try {
    const reader = new MsgpackReader(source, sink.signal);
    await readLeaves(source, reader, leaves);
    const hasArray = leaves.some(({ value }) => isArray(value));
    end = !hasArray && (await areValues(reader, reader.position, source.sizeBytes)) ? source.sizeBytes : reader.position;
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled' || leaves.length === 0) throw error;
    failure = error;
  }
  await sink.turn();
  // 0x80, with which pickles begin as well.
  if (leaves.length === 0 && failure === undefined && end < source.sizeBytes)
    throw new FormatError('not-this-format', 'an empty MessagePack map, and other bytes behind it', { offset: end });
  list(leaves, sink);
  if (failure !== undefined) throw failure as FormatError;
  if (end < source.sizeBytes) {
    sink.unexplained(end, source.sizeBytes - end);
    sink.finding({ code: 'file-too-long', offset: end, facts: { expectedBytes: end, bytes: source.sizeBytes } });
  }
}

/** A map or an array whose members are being read. */
interface Open {
  isMap: boolean;
  left: number;
  index: number;
}

/** Fills `leaves`, and leaves the reader where the tree ends; at the beginning where the first value is a list. */
async function readLeaves(source: ByteSource, reader: MsgpackReader, leaves: Leaf[]): Promise<void> {
  const root = source.sizeBytes === 0 ? undefined : await reader.next();
  if (root?.kind === 'container' && !root.isMap && (await areValues(reader, 0, source.sizeBytes))) return reader.seek(0);
  if (root?.kind !== 'container' || !root.isMap)
    throw new FormatError('not-this-format', 'no MessagePack map begins here', { offset: 0 });
  const open: Open[] = [{ isMap: true, left: root.length, index: 0 }];
  const keyPath: string[] = [];
  for (let values = 0; open.length > 0; values++) {
    if (values > limits.msgpackValues) throw new FormatError('limit-exceeded', `more than ${limits.msgpackValues} values`);
    const inner = open.at(-1) as Open;
    keyPath.length = open.length - 1;
    if (inner.left === 0) {
      open.pop();
      continue;
    }
    inner.left -= 1;
    keyPath.push(inner.isMap ? await readKey(reader) : String(inner.index));
    inner.index += 1;
    const value = await reader.next();
    if (value.kind === 'container') {
      if (open.length === MAX_DEPTH) throw new FormatError('limit-exceeded', `nested deeper than ${MAX_DEPTH}`);
      open.push({ isMap: value.isMap, left: value.length, index: 0 });
    } else {
      leaves.push({ keyPath: [...keyPath], value: await leafValue(reader, value) });
    }
  }
}

/** True where all bytes from `start` on are maps and lists. Any byte of a text is a number in MessagePack, so that one that stands alone is none. */
async function areValues(reader: MsgpackReader, start: number, sizeBytes: number): Promise<boolean> {
  reader.seek(start);
  try {
    for (let left = 0, values = 0; reader.position < sizeBytes || left > 0; values++) {
      const value = await reader.next();
      if (values > limits.msgpackValues || (left === 0 && value.kind !== 'container')) return false;
      if (left > 0) left -= 1;
      if (value.kind === 'container') left += value.isMap ? 2 * value.length : value.length;
    }
    return true;
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled' || error.code === 'io') throw error;
    return false;
  } finally {
    reader.seek(start);
  }
}

async function readKey(reader: MsgpackReader): Promise<string> {
  const offset = reader.position;
  const key = await reader.next();
  if (key.kind !== 'scalar') throw new FormatError('corrupt', 'a key is neither a text nor a number', { offset });
  return String(key.value);
}

type Flat = Exclude<MsgpackValue, MsgpackContainer>;

async function leafValue(reader: MsgpackReader, value: Flat): Promise<Leaf['value']> {
  if (value.kind === 'scalar') return value.value;
  if (value.type === NDARRAY || value.type === NUMPY_SCALAR) return readArray(reader, value.offset, value.bytes);
  return `${value.bytes} bytes`;
}

/** The tuple inside of an `ext`: its bytes are skipped, and the reader goes on behind it. */
async function readArray(reader: MsgpackReader, offset: number, bytes: number): Promise<StoredArray> {
  reader.seek(offset);
  const tuple = await reader.next();
  const rank = await reader.next();
  if (tuple.kind !== 'container' || tuple.length !== 3 || rank.kind !== 'container' || rank.length > limits.tensorRank)
    throw new FormatError('corrupt', 'an array is no tuple of shape, dtype and bytes', { offset });
  const shape: number[] = [];
  for (let axis = 0; axis < rank.length; axis++) shape.push(sizeOf(await reader.next(), offset));
  const dtype = await reader.next();
  const data = await reader.next();
  if (dtype.kind !== 'scalar' || typeof dtype.value !== 'string' || data.kind !== 'bytes')
    throw new FormatError('corrupt', 'an array is no tuple of shape, dtype and bytes', { offset });
  if (reader.position !== offset + bytes) throw new FormatError('corrupt', 'an array is not as long as declared', { offset });
  return { dtype: dtypeOfName(dtype.value), shape, pieces: [{ offset: data.offset, bytes: data.bytes }] };
}

function sizeOf(value: MsgpackValue, offset: number): number {
  const size = value.kind === 'scalar' ? value.value : undefined;
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0)
    throw new FormatError('corrupt', 'a size of a shape is no whole number', { offset });
  return size;
}

function isArray(value: Leaf['value']): value is StoredArray {
  return typeof value === 'object' && value !== null;
}

function list(leaves: readonly Leaf[], sink: FileSink): void {
  const settings: Record<string, unknown> = {};
  let count = 0;
  for (let index = 0; index < leaves.length; index++) {
    const { keyPath, value } = leaves[index] as Leaf;
    if (keyPath.at(-1) === CHUNKED) {
      const name = keyPath.slice(0, -1);
      const parts: Leaf[] = [];
      for (; index + 1 < leaves.length && isBelow((leaves[index + 1] as Leaf).keyPath, name); index++)
        parts.push(leaves[index + 1] as Leaf);
      addArray(sink, name, joinChunks(parts, name.length));
    } else if (isArray(value)) {
      addArray(sink, keyPath, value);
    } else if (count < limits.objectNodes) {
      settings[keyPath.join('/')] = value;
      count += 1;
    }
  }
  if (count > 0) sink.json(settings);
}

function isBelow(keyPath: readonly string[], above: readonly string[]): boolean {
  return keyPath.length > above.length && above.every((key, index) => keyPath[index] === key);
}

/** The members `shape` and `chunks` of an array that was split. */
function joinChunks(parts: readonly Leaf[], depth: number): StoredArray {
  const array: StoredArray = { dtype: 'unknown', shape: [], pieces: [] };
  for (const { keyPath, value } of parts) {
    if (keyPath[depth] === 'shape' && typeof value === 'number') array.shape.push(value);
    if (keyPath[depth] !== 'chunks' || !isArray(value)) continue;
    array.dtype = value.dtype;
    appendAll(array.pieces, value.pieces);
  }
  return array;
}

function addArray(sink: FileSink, keyPath: readonly string[], { dtype, shape, pieces }: StoredArray): void {
  const stored = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
  const bytes = bytesOfElements(dtype, elementCount(shape) ?? 0) ?? stored;
  const name = keyPath.join('/');
  sink.tensor({ keyPath, name, dtype, shape, bytes: stored, pieces });
  if (bytes !== stored)
    sink.finding({
      code: 'tensor-size-mismatch',
      offset: pieces[0]?.offset ?? 0,
      facts: { tensor: name, bytes: stored, expectedBytes: bytes },
    });
}
