/** TensorProto (onnx/onnx.proto): dtype, shape, and where the data are, in the message or in another file. */
import { elementCount } from '../../bytes/checkedInteger.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeText } from '../../bytes/text.js';
import { bytesOfElements } from '../../tensors/dtype.js';
import { LENGTH_DELIMITED, ProtobufReader, VARINT } from './protobuf.js';
import type { ProtobufStream, StreamField } from './protobufStream.js';

/** TensorProto.DataType. */
const dtypes: Readonly<Record<number, string>> = {
  1: 'f32',
  2: 'u8',
  3: 'i8',
  4: 'u16',
  5: 'i16',
  6: 'i32',
  7: 'i64',
  8: 'string',
  9: 'bool',
  10: 'f16',
  11: 'f64',
  12: 'u32',
  13: 'u64',
  14: 'c64',
  15: 'c128',
  16: 'bf16',
  17: 'f8_e4m3',
  18: 'f8_e4m3fnuz',
  19: 'f8_e5m2',
  20: 'f8_e5m2fnuz',
  21: 'u4',
  22: 'i4',
  23: 'f4',
  24: 'f8_e8m0',
  25: 'u2',
  26: 'i2',
};

/** Integers below a byte are packed, the first element in the lowest bits. */
const packedBits: Readonly<Record<string, number>> = { u4: 4, i4: 4, u2: 2, i2: 2 };

export interface OnnxExtent {
  offset: number;
  bytes: number;
}

/** A stretch of another file. */
export interface OnnxExternal {
  /** Relative to the model's directory, as written. */
  location: string;
  offset: number;
  /** Undefined where it is not said: then as many as dtype and shape need. */
  bytes: number | undefined;
}

export interface OnnxTensor {
  name: string;
  dtype: string;
  shape: number[];
  /** Undefined for texts and unknown types. */
  expectedBytes: number | undefined;
  /** Data in the message: raw bytes, or a list of numbers, which may be written in another width. */
  extents: OnnxExtent[];
  isRaw: boolean;
  external: OnnxExternal | undefined;
}

/** Fields of a TensorProto that hold data: floats, int32, texts, int64, raw, doubles, uint64. */
const dataFields = new Set([4, 5, 6, 7, 9, 10, 11]);
const RAW = 9;

/** What the tensors of a model may still take. */
export interface TensorBudget {
  tensors: number;
  nameBytes: number;
  /** Beyond one a tensor. */
  extents: number;
}

export function fullTensorBudget(): TensorBudget {
  return { tensors: limits.headerTensors, nameBytes: limits.tensorNameBytes, extents: limits.headerExtents };
}

/** Reads a TensorProto; its data are stepped over. @throws FormatError `corrupt`, `limit-exceeded` */
export async function readOnnxTensor(
  stream: ProtobufStream,
  { start, end }: StreamField,
  budget: TensorBudget,
): Promise<OnnxTensor> {
  if (budget.tensors-- === 0)
    throw new FormatError('limit-exceeded', `more than ${limits.headerTensors} tensors`, { offset: start });
  const tensor = await readTensor(stream, end, budget);
  budget.nameBytes -= tensor.name.length + (tensor.external?.location.length ?? 0);
  if (budget.nameBytes < 0)
    throw new FormatError('limit-exceeded', 'the names of the tensors are too long together', { offset: start });
  return tensor;
}

async function readTensor(stream: ProtobufStream, end: number, budget: TensorBudget): Promise<OnnxTensor> {
  const tensor: OnnxTensor = {
    name: '',
    dtype: '',
    shape: [],
    expectedBytes: undefined,
    extents: [],
    isRaw: false,
    external: undefined,
  };
  let type = 0;
  let isExternal = false;
  const entries = new Map<string, string>();
  for (let field = await stream.next(end); field !== undefined; field = await stream.next(end)) {
    const { number, wireType, value } = field;
    if (wireType === VARINT) {
      if (number === 1) pushDimension(tensor.shape, value);
      else if (number === 2) type = value;
      else if (number === 14) isExternal = value === 1;
    } else if (wireType === LENGTH_DELIMITED) {
      if (dataFields.has(number)) {
        if (tensor.extents.length > 0 && budget.extents-- === 0)
          throw new FormatError('limit-exceeded', `more than ${limits.headerExtents} parts of data`, { offset: field.start });
        tensor.extents.push({ offset: field.start, bytes: field.end - field.start });
        tensor.isRaw = number === RAW;
        stream.skipTo(field.end);
      } else if (number === 1) readDimensions(await fieldBytes(stream, field), tensor.shape);
      else if (number === 8) tensor.name = await fieldText(stream, field);
      else if (number === 13) addEntry(entries, await fieldBytes(stream, field));
      else stream.skipTo(field.end);
    }
  }
  tensor.dtype = dtypes[type] ?? `onnx_type_${type}`;
  tensor.expectedBytes = expectedBytesOf(tensor.dtype, tensor.shape);
  if (isExternal) tensor.external = externalOf(entries);
  return tensor;
}

function expectedBytesOf(dtype: string, shape: readonly number[]): number | undefined {
  const elements = elementCount(shape);
  if (elements === undefined) return undefined;
  const bits = packedBits[dtype];
  return bits === undefined ? bytesOfElements(dtype, elements) : Math.ceil((elements * bits) / 8);
}

function pushDimension(shape: number[], size: number): void {
  if (shape.length < limits.tensorRank) shape.push(size);
}

function readDimensions(packed: Uint8Array, shape: number[]): void {
  for (const reader = new ProtobufReader(packed); reader.position < packed.byteLength;) pushDimension(shape, reader.readVarint());
}

/** StringStringEntryProto { key = 1, value = 2 }. */
function entryOf(bytes: Uint8Array): [key: string, value: string] {
  const texts = ['', ''] as [string, string];
  for (const field = new ProtobufReader(bytes); field.next();)
    if (field.wireType === LENGTH_DELIMITED && (field.field === 1 || field.field === 2))
      texts[field.field - 1] = decodeText(bytes, field.start, field.end);
  return texts;
}

/** Of an external tensor's entries only those that say where its data are. */
const externalKeys = new Set(['location', 'offset', 'length']);

function addEntry(entries: Map<string, string>, bytes: Uint8Array): void {
  const [key, value] = entryOf(bytes);
  if (externalKeys.has(key)) entries.set(key, value);
}

function externalOf(entries: ReadonlyMap<string, string>): OnnxExternal {
  const number = (key: string): number | undefined => {
    const text = entries.get(key);
    if (text === undefined) return undefined;
    if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(Number(text)))
      throw new FormatError('corrupt', `the ${key} of external data is no number`);
    return Number(text);
  };
  return { location: entries.get('location') ?? '', offset: number('offset') ?? 0, bytes: number('length') };
}

/** The bytes of a small field. @throws FormatError `limit-exceeded` */
export async function fieldBytes(stream: ProtobufStream, { start, end }: StreamField): Promise<Uint8Array> {
  if (end - start > limits.metadataPayloadBytes)
    throw new FormatError('limit-exceeded', `a text or a list of ${end - start} bytes`, { offset: start });
  return stream.take(end);
}

/** The text of a small field. @throws FormatError `limit-exceeded` */
export async function fieldText(stream: ProtobufStream, field: StreamField): Promise<string> {
  return decodeText(await fieldBytes(stream, field));
}
