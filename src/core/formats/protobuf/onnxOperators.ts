/**
 * Operators of an ONNX model that are not of its standard, by their domain (onnx/onnx.proto; docs/IR.md, "Operator sets"), in its graph, in the
 * subgraphs of its nodes and in its functions, and the weights that are in nodes: the values of Constant and the initializers of subgraphs.
 *
 *   NodeProto { output = 2, op_type = 4, attribute = 5: AttributeProto { t = 5, g = 6, graphs = 11 }, domain = 7 }
 *   GraphProto { node = 1, initializer = 5: TensorProto }
 *   FunctionProto { name = 1, node = 7, domain = 10 }
 *
 * Operators that are functions of the model itself are made of others, and need no library.
 */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeText } from '../../bytes/text.js';
import { elementCount } from '../../bytes/checkedInteger.js';
import { readOnnxTensor, type OnnxTensor, type TensorBudget } from './onnxTensor.js';
import { LENGTH_DELIMITED } from './protobuf.js';
import type { ProtobufStream, StreamField } from './protobufStream.js';

/** Domains of the standard; an empty one is `ai.onnx`. */
const standard = new Set(['', 'ai.onnx', 'ai.onnx.ml', 'ai.onnx.training', 'ai.onnx.preview', 'ai.onnx.preview.training']);
/** Domains that ONNX Runtime has built in (onnxruntime/core/graph/constants.h). */
const ofRuntime = /^(?:com\.microsoft(?:\.(?:nchwc|nhwc|dml|experimental))?|com\.ms\.internal\.nhwc|ai\.onnx\.internal.*)$/;

export interface CustomOperators {
  domain: string;
  isOfRuntime: boolean;
  /** The first ones, in the order of the graph. */
  names: string[];
  nodes: number;
}

/** What a message of the walk is. */
type Kind = 'node' | 'attribute' | 'graph' | 'function';
const inner: Readonly<Record<Kind, Readonly<Record<number, Kind>>>> = {
  node: { 5: 'attribute' },
  attribute: { 6: 'graph', 11: 'graph' },
  graph: { 1: 'node' },
  function: { 7: 'node' },
};
/** Fields with texts: operator and domain of a node, name and domain of a function, name of an attribute. */
const texts: Readonly<Partial<Record<Kind, readonly [name: number, domain: number]>>> = {
  node: [4, 7],
  function: [1, 10],
  attribute: [1, NaN],
};

/** Names of operators and domains have some ten characters. */
const NAME_BYTES = 1024;
const SHOWN = 3;

interface Message {
  kind: Kind;
  end: number;
  name: string;
  domain: string;
  /** Of a node: its first output, by which others refer to what it holds. */
  output: string;
}

/** Fields with a TensorProto: the value of an attribute, an initializer of a graph. */
const tensorFields: Readonly<Partial<Record<Kind, number>>> = { attribute: 5, graph: 5 };
const OUTPUT = 2;

/** Integers that are weights where an operator unpacks them. */
const packedDtypes: ReadonlySet<string> = new Set(['i8', 'u8', 'i4', 'u4', 'i2', 'u2']);

/** Scalars and other integers are sizes, axes and epsilons of operators, which exporters write in every model. */
function isWeight({ dtype, shape }: OnnxTensor): boolean {
  if (packedDtypes.has(dtype)) return shape.length > 1;
  return /^(f|bf|c)\d/.test(dtype) && (elementCount(shape) ?? 0) > 1;
}

function newMessage(kind: Kind, end: number): Message {
  return { kind, end, name: '', domain: '', output: '' };
}

function isName({ start, end }: StreamField): boolean {
  return end - start <= NAME_BYTES;
}

/** Stands for domains beyond those that are listed, with the names of their operators after them. */
const otherDomains = '(other domains)';

/** Collects operators by their domain, and the weights that are in nodes. */
export class OnnxOperators {
  /** Values of Constant nodes, by their outputs, and initializers of subgraphs. */
  readonly weights: OnnxTensor[] = [];
  private readonly found = new Map<string, Map<string, number>>();
  private readonly functions = new Set<string>();

  /** @param budget of all tensors of the model */
  constructor(readonly budget: TensorBudget) {}

  /** Operators of other domains than the standard, without those that are functions of the model. */
  custom(): CustomOperators[] {
    return [...this.found].flatMap(([domain, operators]): CustomOperators[] => {
      const left = [...operators].filter(([name]) => !this.functions.has(domain === otherDomains ? name : `${domain}:${name}`));
      if (left.length === 0) return [];
      const names = left.slice(0, SHOWN).map(([name]) => name);
      if (left.length > SHOWN) names.push(`${left.length - SHOWN} more`);
      return [{ domain, isOfRuntime: ofRuntime.test(domain), names, nodes: left.reduce((sum, [, nodes]) => sum + nodes, 0) }];
    });
  }

  /** Reads one node or function, with the subgraphs in it. What else is in it is stepped over. */
  async read(stream: ProtobufStream, kind: 'node' | 'function', { end }: StreamField): Promise<void> {
    const open: Message[] = [newMessage(kind, end)];
    for (let message = open.at(-1); message !== undefined; message = open.at(-1)) {
      const field = await stream.next(message.end);
      if (field === undefined) {
        this.add(message);
        open.pop();
        continue;
      }
      if (field.wireType !== LENGTH_DELIMITED) continue;
      const next = inner[message.kind][field.number];
      const place = texts[message.kind]?.indexOf(field.number) ?? -1;
      if (next !== undefined) {
        // Loops within branches within loops: eight are more than any exporter makes.
        if (open.length > limits.configDepth)
          throw new FormatError('limit-exceeded', 'graphs are nested too deep', { offset: field.start });
        open.push(newMessage(next, field.end));
      } else if (tensorFields[message.kind] === field.number) {
        await this.readTensor(stream, open, field);
      } else if (message.kind === 'node' && field.number === OUTPUT && message.output === '' && isName(field)) {
        message.output = decodeText(await stream.take(field.end));
      } else if (place !== -1 && isName(field)) {
        const text = decodeText(await stream.take(field.end));
        if (place === 0) message.name = text;
        else message.domain = text;
      } else stream.skipTo(field.end);
    }
  }

  /** Reads the tensor of the innermost message: the value of a Constant, or an initializer of a subgraph. */
  private async readTensor(stream: ProtobufStream, open: readonly Message[], field: StreamField): Promise<void> {
    const isInitializer = open.at(-1)?.kind === 'graph';
    const node = open.at(-2);
    const isConstant = node?.name === 'Constant' && standard.has(node.domain);
    if (!isInitializer && !isConstant) return stream.skipTo(field.end);
    const tensor = await readOnnxTensor(stream, field, this.budget);
    if (!isInitializer && !isWeight(tensor)) return;
    const own = isInitializer || node === undefined || node.output === '' ? tensor.name : node.output;
    // Names are those of one graph: both branches of an If may have the same ones.
    const around = isInitializer ? open : open.slice(0, -2);
    const name = [...around.map(({ output, name: text }) => (output === '' ? text : output)), own];
    this.weights.push({ ...tensor, name: name.filter((part) => part !== '').join('.') });
  }

  private add({ kind, name, domain }: Message): void {
    if (kind === 'function') this.functions.add(`${domain}:${name}`);
    if (kind !== 'node' || standard.has(domain)) return;
    const isListed = this.found.has(domain) || this.found.size < limits.objectChildren;
    const operators = this.operatorsOf(isListed ? domain : otherDomains);
    const operator = isListed ? name : `${domain}:${name}`;
    if (operators.size < limits.objectNodes || operators.has(operator))
      operators.set(operator, (operators.get(operator) ?? 0) + 1);
  }

  private operatorsOf(domain: string): Map<string, number> {
    const known = this.found.get(domain);
    if (known !== undefined) return known;
    const operators = new Map<string, number>();
    this.found.set(domain, operators);
    return operators;
  }
}
