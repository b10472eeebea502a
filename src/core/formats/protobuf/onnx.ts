/**
 * ONNX models (onnx/onnx.proto): a ModelProto whose graph has the weights as initializers, each with its data in the message or as a stretch
 * of another file. Read: the fields of model, graph, nodes and initializers; data are stepped over, and nodes that hold some.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { elementCount } from '../../bytes/checkedInteger.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeText } from '../../bytes/text.js';
import { bytesOfElements } from '../../tensors/dtype.js';
import { OnnxOperators } from './onnxOperators.js';
import { OnnxQuantization } from './onnxQuantization.js';
import { LENGTH_DELIMITED, ProtobufReader, VARINT } from './protobuf.js';
import { ProtobufStream, type StreamField } from './protobufStream.js';

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

export interface OnnxModel {
  irVersion: number | undefined;
  producer: string;
  producerVersion: string;
  opset: number | undefined;
  hasGraph: boolean;
  initializers: OnnxTensor[];
  /** What the operators of the graph take the initializers for. */
  quantization: OnnxQuantization;
  /** Operators by their domain. */
  operators: OnnxOperators;
  /** Fields of the model that its definition does not have, such as bytes that were appended to a file. */
  unknown: OnnxExtent[];
  /** Where the file would end by what its fields declare. */
  expectedBytes: number;
}

/**
 * Reads the initializers of the model's graph; those of subgraphs and functions are left out.
 * @throws FormatError `not-this-format`, `corrupt`, `limit-exceeded`
 */
export async function readOnnxModel(source: ByteSource, signal: AbortSignal | undefined): Promise<OnnxModel> {
  const model: OnnxModel = {
    irVersion: undefined,
    producer: '',
    producerVersion: '',
    opset: undefined,
    hasGraph: false,
    initializers: [],
    quantization: new OnnxQuantization(),
    operators: new OnnxOperators(),
    unknown: [],
    expectedBytes: source.sizeBytes,
  };
  const stream = new ProtobufStream(source, signal);
  try {
    await readModel(stream, source.sizeBytes, model);
  } catch (error) {
    if (model.irVersion === undefined && FormatError.is(error, 'corrupt'))
      throw new FormatError('not-this-format', 'no ONNX model', { offset: 0 });
    throw error;
  }
  model.expectedBytes = Math.max(source.sizeBytes, stream.declaredEnd);
  return model;
}

async function readModel(stream: ProtobufStream, end: number, model: OnnxModel): Promise<void> {
  for (let start = 0, field = await stream.next(end); field !== undefined; start = field.end, field = await stream.next(end)) {
    // Serializers write fields in order, and every model has its version.
    if (model.irVersion === undefined && !(field.number === 1 && field.wireType === VARINT)) break;
    if (!modelFields.has(field.number)) noteUnknown(model, start, field.end);
    if (field.number === 1) model.irVersion = field.value;
    else if (field.wireType === LENGTH_DELIMITED) await readModelField(stream, field, model);
  }
  if (model.irVersion === undefined) throw new FormatError('not-this-format', 'no ONNX model', { offset: 0 });
}

/** Fields of ModelProto, up to those of version 13: functions and configurations are the last ones. */
const modelFields = new Set([1, 2, 3, 4, 5, 6, 7, 8, 14, 20, 25, 26]);

/** Neighbours are one extent: a file of such fields alone is no list of millions. */
function noteUnknown({ unknown }: OnnxModel, start: number, end: number): void {
  const last = unknown.at(-1);
  if (last !== undefined && last.offset + last.bytes === start) last.bytes = end - last.offset;
  else if (unknown.length < limits.tensorRank) unknown.push({ offset: start, bytes: end - start });
}

async function readModelField(stream: ProtobufStream, field: StreamField, model: OnnxModel): Promise<void> {
  if (field.number === 2) model.producer = await textOf(stream, field);
  else if (field.number === 3) model.producerVersion = await textOf(stream, field);
  else if (field.number === 7) {
    model.hasGraph = true;
    await readGraph(stream, field.end, model);
  } else if (field.number === FUNCTION) {
    await model.operators.read(stream, 'function', field);
  } else if (field.number === 8) {
    model.opset = Math.max(model.opset ?? 0, opsetOf(await payload(stream, field)));
  } else stream.skipTo(field.end);
}

const FUNCTION = 25;

/** Operators that quantize have short nodes; a longer one has constants of its own, or a subgraph. */
const NODE_BYTES = 4096;

async function readGraph(
  stream: ProtobufStream,
  end: number,
  { initializers, quantization, operators }: OnnxModel,
): Promise<void> {
  const budget: GraphBudget = { nameBytes: limits.tensorNameBytes, extents: limits.headerExtents };
  for (let field = await stream.next(end); field !== undefined; field = await stream.next(end)) {
    if (field.wireType !== LENGTH_DELIMITED) continue;
    if (field.number === 5) initializers.push(await readInitializer(stream, field, initializers.length, budget));
    else if (field.number === 1) {
      if (field.end - field.start <= NODE_BYTES) {
        quantization.addNode(await stream.take(field.end));
        stream.skipTo(field.start);
      }
      await readOperators(stream, operators, field);
    } else stream.skipTo(field.end);
  }
}

/** What the initializers of a graph may still take. */
interface GraphBudget {
  nameBytes: number;
  /** Beyond one a tensor. */
  extents: number;
}

async function readInitializer(
  stream: ProtobufStream,
  { start, end }: StreamField,
  index: number,
  budget: GraphBudget,
): Promise<OnnxTensor> {
  if (index === limits.headerTensors)
    throw new FormatError('limit-exceeded', `more than ${limits.headerTensors} initializers`, { offset: start });
  const tensor = await readTensor(stream, end, budget);
  budget.nameBytes -= tensor.name.length + (tensor.external?.location.length ?? 0);
  if (budget.nameBytes < 0)
    throw new FormatError('limit-exceeded', 'the names of the initializers are too long together', { offset: start });
  return tensor;
}

/** A damaged node takes nothing else with it. */
async function readOperators(stream: ProtobufStream, operators: OnnxOperators, field: StreamField): Promise<void> {
  try {
    await operators.read(stream, 'node', field);
  } catch (error) {
    if (!FormatError.is(error, 'corrupt')) throw error;
    stream.skipTo(field.end);
  }
}

/** Fields of a TensorProto that hold data: floats, int32, texts, int64, raw, doubles, uint64. */
const dataFields = new Set([4, 5, 6, 7, 9, 10, 11]);
const RAW = 9;

async function readTensor(stream: ProtobufStream, end: number, budget: GraphBudget): Promise<OnnxTensor> {
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
      } else if (number === 1) readDimensions(await payload(stream, field), tensor.shape);
      else if (number === 8) tensor.name = await textOf(stream, field);
      else if (number === 13) addEntry(entries, await payload(stream, field));
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

/** OperatorSetIdProto { domain = 1, version = 2 }. */
function opsetOf(bytes: Uint8Array): number {
  let version = 0;
  for (const field = new ProtobufReader(bytes); field.next();)
    if (field.field === 2 && field.wireType === VARINT) version = field.varint;
  return version;
}

async function payload(stream: ProtobufStream, { start, end }: StreamField): Promise<Uint8Array> {
  if (end - start > limits.metadataPayloadBytes)
    throw new FormatError('limit-exceeded', `a text or a list of ${end - start} bytes`, { offset: start });
  return stream.take(end);
}

async function textOf(stream: ProtobufStream, field: StreamField): Promise<string> {
  return decodeText(await payload(stream, field));
}
