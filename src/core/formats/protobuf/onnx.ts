/**
 * ONNX models (onnx/onnx.proto): a ModelProto whose graph has the weights as initializers or in nodes, each with its data in the message or as
 * a stretch of another file. Read: the fields of model, graph, nodes and tensors; data are stepped over.
 */
import { appendAll } from '../../bytes/appendAll.js';
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { OnnxOperators } from './onnxOperators.js';
import { OnnxQuantization } from './onnxQuantization.js';
import { fieldBytes, fieldText, fullTensorBudget, readOnnxTensor, type OnnxExtent, type OnnxTensor } from './onnxTensor.js';
import { LENGTH_DELIMITED, ProtobufReader, VARINT } from './protobuf.js';
import { ProtobufStream, type StreamField } from './protobufStream.js';

export interface OnnxModel {
  irVersion: number | undefined;
  producer: string;
  producerVersion: string;
  opset: number | undefined;
  hasGraph: boolean;
  /** Initializers, and weights that nodes hold. */
  tensors: OnnxTensor[];
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
 * Reads the weights of the model: initializers of its graph and of subgraphs, and constants of nodes.
 * @throws FormatError `not-this-format`, `corrupt`, `limit-exceeded`
 */
export async function readOnnxModel(source: ByteSource, signal: AbortSignal | undefined): Promise<OnnxModel> {
  const model: OnnxModel = {
    irVersion: undefined,
    producer: '',
    producerVersion: '',
    opset: undefined,
    hasGraph: false,
    tensors: [],
    quantization: new OnnxQuantization(),
    operators: new OnnxOperators(fullTensorBudget()),
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
  appendAll(model.tensors, model.operators.weights);
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
  if (field.number === 2) model.producer = await fieldText(stream, field);
  else if (field.number === 3) model.producerVersion = await fieldText(stream, field);
  else if (field.number === 7) {
    model.hasGraph = true;
    await readGraph(stream, field.end, model);
  } else if (field.number === FUNCTION) {
    await model.operators.read(stream, 'function', field);
  } else if (field.number === 8) {
    model.opset = Math.max(model.opset ?? 0, opsetOf(await fieldBytes(stream, field)));
  } else stream.skipTo(field.end);
}

const FUNCTION = 25;

/** Operators that quantize have short nodes; a longer one has constants of its own, or a subgraph. */
const NODE_BYTES = 4096;

async function readGraph(stream: ProtobufStream, end: number, { tensors, quantization, operators }: OnnxModel): Promise<void> {
  for (let field = await stream.next(end); field !== undefined; field = await stream.next(end)) {
    if (field.wireType !== LENGTH_DELIMITED) continue;
    if (field.number === 5) tensors.push(await readOnnxTensor(stream, field, operators.budget));
    else if (field.number === 1) {
      if (field.end - field.start <= NODE_BYTES) {
        quantization.addNode(await stream.take(field.end));
        stream.skipTo(field.start);
      }
      await readOperators(stream, operators, field);
    } else stream.skipTo(field.end);
  }
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

/** OperatorSetIdProto { domain = 1, version = 2 }. */
function opsetOf(bytes: Uint8Array): number {
  let version = 0;
  for (const field = new ProtobufReader(bytes); field.next();)
    if (field.field === 2 && field.wireType === VARINT) version = field.varint;
  return version;
}
