/**
 * GGUF of ggml and llama.cpp, versions 1 to 3 (ggml/docs/gguf.md, gguf.cpp), little- or big-endian:
 *
 *   "GGUF" | version u32 | tensors u64 | key-values u64 | key-values | tensor infos | padding | data
 *
 * A key-value is a text, a type u32 and a value; a tensor info is a name, dimensions (fastest first), a ggml type and an offset from
 * the start of the data, which is a multiple of `general.alignment`. Version 1 has 32-bit counts and lengths. Read: the header,
 * doubling what was read until it ends.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { elementCount, toSafeInteger } from '../../bytes/checkedInteger.js';
import { FormatError } from '../../bytes/formatError.js';
import { GrowingHead } from '../../bytes/growingHead.js';
import { limits } from '../../bytes/limits.js';
import { decodeText } from '../../bytes/text.js';
import { bytesOfElements } from '../../tensors/dtype.js';
import { checkExtents, type Extent } from '../sink/extents.js';
import type { FileSink } from '../sink/fileSink.js';
import { isObsoleteType, nameOfType } from './ggmlTypes.js';
import { codeOfTemplate } from '../loaderCode/chatTemplate.js';
import { ListExcerpt } from '../text/listExcerpt.js';

const MAGIC = 0x47475546;
const FIRST_READ_BYTES = 128 * 1024;
const DEFAULT_ALIGNMENT = 32;

/** Bytes of a value by its type: u8 i8 u16 i16 u32 i32 f32 bool, (text, array), u64 i64 f64. */
const valueBytes: readonly (number | undefined)[] = [1, 1, 2, 2, 4, 4, 4, 1, undefined, undefined, 8, 8, 8];
const TEXT = 8;
const ARRAY = 9;
/** Arrays in arrays occur in tests only. */
const MAX_ARRAY_DEPTH = 8;

export function isGguf(head: Uint8Array): boolean {
  return head.byteLength >= 4 && new DataView(head.buffer, head.byteOffset).getUint32(0, false) === MAGIC;
}

interface TensorInfo {
  name: string;
  shape: number[];
  type: number;
  /** From the start of the data. */
  offset: number;
}

/** The root of what a GGUF file says about itself, as it is shown: its key-values under their own keys. */
export type GgufKeyValues = Record<string, unknown>;

/**
 * Lists tensors and key-values into the sink; answers the name of the format. What a header that breaks off has told is kept.
 * @throws FormatError `not-this-format`, `unsupported`, `corrupt`, `truncated`, `limit-exceeded`
 */
export async function readGguf(source: ByteSource, sink: FileSink): Promise<string> {
  const reader = new HeaderReader(source, sink.signal);
  let failure: FormatError | undefined;
  try {
    await reader.read();
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    failure = error;
  }
  await sink.turn();
  if (reader.version !== undefined) {
    sink.metadata('version', String(reader.version));
    sink.metadata('endian', reader.isLittle ? 'little' : 'big');
    sink.json(reader.keyValues);
    noteTemplates(reader.keyValues, sink);
  }
  for (const key of reader.repeatedKeys)
    sink.finding({ code: 'header-corrupt', facts: { detail: `the key ${key} is there twice` } });
  // Where the data begin is known only when the header is whole.
  if (failure === undefined) listTensors(reader, source.sizeBytes, sink);
  else
    for (const info of reader.tensors)
      addTensor(
        info,
        bytesOf(info, (bytes) => bytes, 0, sink),
        [],
        reader.isLittle,
        sink,
      );
  if (failure !== undefined) throw failure;
  return 'gguf';
}

/** Chat templates: `tokenizer.chat_template`, and `tokenizer.chat_template.<name>` for further ones. */
function noteTemplates(keyValues: GgufKeyValues, sink: FileSink): void {
  for (const [key, value] of Object.entries(keyValues)) {
    const found = key.startsWith('tokenizer.chat_template') && typeof value === 'string' ? codeOfTemplate(key, value) : undefined;
    if (found !== undefined) sink.finding(found);
  }
}

class HeaderReader {
  version: number | undefined;
  isLittle = true;
  readonly keyValues = Object.create(null) as GgufKeyValues;
  readonly repeatedKeys: string[] = [];
  readonly tensors: TensorInfo[] = [];
  private readonly head: GrowingHead;

  constructor(source: ByteSource, signal: AbortSignal | undefined) {
    this.head = new GrowingHead(source, FIRST_READ_BYTES, limits.ggufHeaderBytes, signal);
  }

  /** Bytes of the header; after `read`, all of it. */
  get headerBytes(): number {
    return this.head.at;
  }

  async read(): Promise<void> {
    const { head } = this;
    const [tensors, keyValues] = await head.parse(() => this.counts());
    for (let index = 0; index < keyValues; index++) {
      if (index === limits.ggufKeys) throw tooMany(keyValues, 'key-values', limits.ggufKeys, head.at);
      await head.parse(() => this.keyValue());
    }
    for (let index = 0; index < tensors; index++) {
      if (index === limits.headerTensors) throw tooMany(tensors, 'tensors', limits.headerTensors, head.at);
      this.tensors.push(await head.parse(() => this.tensorInfo()));
    }
  }

  private counts(): [tensors: number, keyValues: number] {
    const { head } = this;
    if (head.view.getUint32(head.take(4), false) !== MAGIC)
      throw new FormatError('not-this-format', 'no GGUF magic', { offset: 0 });
    const versionAt = head.take(4);
    // A version of the other byte order has its number in the upper half.
    this.isLittle = (head.view.getUint32(versionAt, true) & 0xffff) !== 0;
    const version = head.view.getUint32(versionAt, this.isLittle);
    if (version < 1 || version > 3) throw new FormatError('unsupported', `GGUF version ${version}`, { offset: versionAt });
    this.version = version;
    return [this.length('the number of tensors'), this.length('the number of key-values')];
  }

  private keyValue(): void {
    const key = this.text();
    const value = this.value(this.u32(), 0);
    if (Object.hasOwn(this.keyValues, key)) this.repeatedKeys.push(key);
    this.keyValues[key] = value;
  }

  private tensorInfo(): TensorInfo {
    const name = this.text();
    const rankAt = this.head.at;
    const rank = this.u32();
    if (rank > limits.tensorRank) throw new FormatError('corrupt', `${name} has ${rank} dimensions`, { offset: rankAt });
    const shape: number[] = [];
    // ggml has the fastest dimension first.
    for (let index = 0; index < rank; index++) shape.unshift(this.length('a dimension'));
    const type = this.u32();
    const offset = toSafeInteger(this.u64(), `the offset of ${name}`, this.head.at - 8);
    return { name, shape, type, offset };
  }

  private value(type: number, depth: number): unknown {
    if (type === TEXT) return this.text();
    if (type === ARRAY) return this.array(depth);
    const bytes = valueBytes[type];
    if (bytes === undefined) throw new FormatError('corrupt', `there is no value type ${type}`, { offset: this.head.at - 4 });
    return this.scalar(type, this.head.take(bytes));
  }

  private scalar(type: number, at: number): unknown {
    const { isLittle } = this;
    const { view } = this.head;
    switch (type) {
      case 0:
        return view.getUint8(at);
      case 1:
        return view.getInt8(at);
      case 2:
        return view.getUint16(at, isLittle);
      case 3:
        return view.getInt16(at, isLittle);
      case 4:
        return view.getUint32(at, isLittle);
      case 5:
        return view.getInt32(at, isLittle);
      case 6:
        return shortestFloat32(view.getFloat32(at, isLittle));
      case 7:
        return view.getUint8(at) !== 0;
      case 10:
        return view.getBigUint64(at, isLittle);
      case 11:
        return view.getBigInt64(at, isLittle);
      default:
        return view.getFloat64(at, isLittle);
    }
  }

  /** The first items are kept to be shown, the rest is only walked over: a vocabulary has hundreds of thousands. */
  private array(depth: number): ListExcerpt {
    const { head } = this;
    const type = this.u32();
    const countAt = head.at;
    const count = this.length('the length of an array');
    if (depth >= MAX_ARRAY_DEPTH) throw new FormatError('corrupt', 'arrays are nested too deep', { offset: countAt });
    const items: unknown[] = [];
    const shown = Math.min(count, limits.objectChildren);
    for (let index = 0; index < shown; index++) items.push(this.value(type, depth + 1));
    const rest = count - shown;
    const bytes = valueBytes[type];
    if (bytes !== undefined) head.take(rest * bytes);
    else if (type === TEXT) this.skipTexts(rest);
    else for (let index = 0; index < rest; index++) this.value(type, depth + 1);
    return new ListExcerpt(count, items);
  }

  /** The way for nearly all of a header: short texts one after the other, of which only the lengths are looked at. */
  private skipTexts(count: number): void {
    const { head, isLittle } = this;
    const { view } = head;
    const lowAt = isLittle || this.version === 1 ? 0 : 4;
    const lengthBytes = this.version === 1 ? 4 : 8;
    const last = view.byteLength - lengthBytes;
    let at = head.at;
    let left = count;
    for (; left > 0 && at <= last; left--) {
      // A length of 2^32 and more is left to the general way, which refuses it.
      if (lengthBytes === 8 && view.getUint32(at + 4 - lowAt, isLittle) !== 0) break;
      at += lengthBytes + view.getUint32(at + lowAt, isLittle);
    }
    head.take(at - head.at);
    for (; left > 0; left--) head.take(this.length('the length of a text'));
  }

  private text(): string {
    const length = this.length('the length of a text');
    const start = this.head.take(length);
    return decodeText(this.head.bytes, start, start + length);
  }

  /** A count or a length: 64 bits, 32 in version 1. */
  private length(what: string): number {
    if (this.version === 1) return this.u32();
    const { head, isLittle } = this;
    const at = head.take(8);
    const low = head.view.getUint32(isLittle ? at : at + 4, isLittle);
    const high = head.view.getUint32(isLittle ? at + 4 : at, isLittle);
    return high === 0 ? low : toSafeInteger((BigInt(high) << 32n) | BigInt(low), what, at);
  }

  private u32(): number {
    return this.head.view.getUint32(this.head.take(4), this.isLittle);
  }

  private u64(): bigint {
    return this.head.view.getBigUint64(this.head.take(8), this.isLittle);
  }
}

function tooMany(count: number, what: string, most: number, offset: number): FormatError {
  return new FormatError('limit-exceeded', `the header declares ${count} ${what}, of which ${most} are read`, { offset });
}

/** The shortest decimal that is this float32, so that 1e-5 does not become 0.000009999999747378752. */
function shortestFloat32(value: number): number {
  if (!Number.isFinite(value)) return value;
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

function alignmentOf(keyValues: GgufKeyValues, sink: FileSink): number {
  const stored = keyValues['general.alignment'];
  if (stored === undefined) return DEFAULT_ALIGNMENT;
  if (typeof stored === 'number' && stored > 0 && Number.isInteger(Math.log2(stored))) return stored;
  sink.finding({ code: 'header-corrupt', facts: { detail: 'general.alignment is no power of two' } });
  return DEFAULT_ALIGNMENT;
}

function listTensors(reader: HeaderReader, fileBytes: number, sink: FileSink): void {
  const alignment = alignmentOf(reader.keyValues, sink);
  const alignUp = (offset: number): number => Math.ceil(offset / alignment) * alignment;
  // Without tensors older writers leave the padding out: vocabularies of llama.cpp end behind their last key.
  const isPadded = reader.tensors.length > 0 || fileBytes >= alignUp(reader.headerBytes);
  const dataStart = isPadded ? alignUp(reader.headerBytes) : reader.headerBytes;
  const spans = spansOf(reader.tensors, Math.max(0, fileBytes - dataStart));
  const extents = reader.tensors.map((info, index): Extent => {
    const bytes = bytesOf(info, alignUp, spans[index] ?? 0, sink);
    const offset = dataStart + info.offset;
    addTensor(info, bytes, [{ offset, bytes }], reader.isLittle, sink);
    return { name: info.name, offset, bytes };
  });
  checkExtents(extents, { sink, start: dataStart, fileBytes, alignUp });
}

function addTensor(
  { name, shape, type }: TensorInfo,
  bytes: number,
  pieces: { offset: number; bytes: number }[],
  isLittle: boolean,
  sink: FileSink,
): void {
  const extra = isLittle ? {} : { extra: { isBigEndian: true } as const };
  sink.tensor({ keyPath: [name], dtype: nameOfType(type), shape, bytes, pieces, ...extra });
}

/** Until 2023 a block of Q8_1 had two float32 instead of two float16; gguf-py's constants.py still has that size. */
const EARLIER_Q8_1_BYTES = 40;
const Q8_1_ELEMENTS = 32;

/** Bytes by type and shape; those up to the next tensor where the type is not known. */
function bytesOf({ name, shape, type }: TensorInfo, alignUp: (bytes: number) => number, span: number, sink: FileSink): number {
  const elements = elementCount(shape);
  if (elements === undefined) {
    sink.finding({ code: 'tensor-shape-overflow', facts: { tensor: name } });
    return 0;
  }
  const bytes = bytesOfElements(nameOfType(type), elements);
  if (bytes !== undefined && bytes <= Number.MAX_SAFE_INTEGER) {
    const earlier = (elements / Q8_1_ELEMENTS) * EARLIER_Q8_1_BYTES;
    return nameOfType(type) === 'q8_1' && alignUp(earlier) === alignUp(span) ? earlier : bytes;
  }
  sink.finding({
    code: 'dtype-unknown',
    facts: { dtype: isObsoleteType(type) ? `${nameOfType(type)} (removed from ggml)` : nameOfType(type) },
  });
  return span;
}

/** Bytes from each tensor's offset to the next one, or to the end of the file. */
function spansOf(tensors: readonly TensorInfo[], dataBytes: number): number[] {
  const order = tensors.map((_, index) => index).sort((a, b) => (tensors[a]?.offset ?? 0) - (tensors[b]?.offset ?? 0));
  const spans: number[] = [];
  let end = dataBytes;
  for (const index of order.reverse()) {
    const offset = tensors[index]?.offset ?? 0;
    spans[index] = Math.max(0, end - offset);
    end = Math.min(end, offset);
  }
  return spans;
}
