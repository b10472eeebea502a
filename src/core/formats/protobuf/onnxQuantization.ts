/**
 * Which initializers of an ONNX graph are quantized weights, scales and zero points: that is in the operators that read them, whatever
 * the names (onnx/defs/quantization/defs.cc; docs/ContribOperators.md of onnxruntime for MatMulNBits and the others of com.microsoft).
 */
import { elementCount } from '../../bytes/checkedInteger.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeText } from '../../bytes/text.js';
import { LENGTH_DELIMITED, ProtobufReader, VARINT } from './protobuf.js';

/** Inputs of an operator by position: integers that are weights, and what only says how to read them. */
interface Inputs {
  weights: readonly number[];
  scales: readonly number[];
}

const inputsOf = new Map<string, Inputs>(
  Object.entries({
    DequantizeLinear: { weights: [0], scales: [1, 2] },
    QuantizeLinear: { weights: [], scales: [1, 2] },
    QLinearConv: { weights: [3, 8], scales: [1, 2, 4, 5, 6, 7] },
    QLinearConvTranspose: { weights: [3, 8], scales: [1, 2, 4, 5, 6, 7] },
    QLinearAdd: { weights: [0, 3], scales: [1, 2, 4, 5, 6, 7] },
    QLinearMul: { weights: [0, 3], scales: [1, 2, 4, 5, 6, 7] },
    QLinearWhere: { weights: [1, 4], scales: [2, 3, 5, 6, 7, 8] },
    QLinearAveragePool: { weights: [], scales: [1, 2, 3, 4] },
    QLinearGlobalAveragePool: { weights: [], scales: [1, 2, 3, 4] },
    QLinearLeakyRelu: { weights: [], scales: [1, 2, 3, 4] },
    QLinearReduceMean: { weights: [], scales: [1, 2, 3, 4] },
    QLinearSigmoid: { weights: [], scales: [1, 2, 3, 4] },
    QLinearSoftmax: { weights: [], scales: [1, 2, 3, 4] },
    QLinearMatMul: { weights: [0, 3], scales: [1, 2, 4, 5, 6, 7] },
    ConvInteger: { weights: [1], scales: [2, 3] },
    MatMulInteger: { weights: [0, 1], scales: [2, 3] },
    QGemm: { weights: [3, 6], scales: [1, 2, 4, 5, 7, 8] },
    MatMulNBits: { weights: [1], scales: [2, 3, 4] },
    MatMulBnb4: { weights: [1], scales: [2] },
    GatherBlockQuantized: { weights: [0], scales: [2, 3] },
    QMoE: { weights: [2, 5, 8], scales: [3, 6, 9, 11, 12, 13] },
    DynamicQuantizeMatMul: { weights: [1], scales: [2, 3] },
    MatMulIntegerToFloat: { weights: [0, 1], scales: [2, 3, 4, 5] },
    DynamicQuantizeLSTM: { weights: [1, 2], scales: [8, 9, 10, 11] },
    QAttention: { weights: [1], scales: [3, 4, 6, 7] },
    QEmbedLayerNormalization: { weights: [2, 3, 4, 5, 6], scales: [8, 9, 10, 11, 12, 13, 14, 15, 16, 17] },
    QOrderedAttention: { weights: [5, 6, 7], scales: [1, 2, 3, 4, 8, 9, 10, 14, 15, 16] },
    QOrderedGelu: { weights: [], scales: [1, 2] },
    QOrderedLayerNormalization: { weights: [], scales: [1, 4] },
    QOrderedLongformerAttention: { weights: [2, 4, 8, 10], scales: [1, 3, 5, 6, 9, 11, 13] },
    QOrderedMatMul: { weights: [2, 5], scales: [1, 3, 4, 7] },
    QuantizeWithOrder: { weights: [], scales: [1] },
    DequantizeWithOrder: { weights: [0], scales: [1] },
    GemmFloat8: { weights: [], scales: [3, 4, 5] },
  }),
);

/** Inputs of QLinearConcat: scale and zero point of the output, then a tensor with its own ones, as many as there are. */
function inputsOfConcat({ length }: readonly string[]): Inputs {
  const all = Array.from({ length }, (_, index) => index);
  return {
    weights: all.filter((index) => index >= 2 && index % 3 === 2),
    scales: all.filter((index) => index < 2 || index % 3 !== 2),
  };
}

/** Operators whose first output holds values of their first input as they are: an embedding is gathered first, and unpacked then. */
const passing = new Set(['Gather', 'Identity', 'Transpose', 'Reshape', 'Flatten', 'Squeeze', 'Unsqueeze', 'Slice', 'Split']);

/** What an initializer is by the operator that reads it. */
interface Use {
  isScale: boolean;
  /** Elements of the matrix that it unpacks to, where the operator declares them. */
  elements?: number;
  /** Bits of one element, where several share a byte. */
  bits?: number;
}

/** Collects the uses of initializers from the nodes of a graph. */
export class OnnxQuantization {
  private readonly uses = new Map<string, Use>();
  /** Which input an output holds values of. Nodes are in an order in which each follows those that it needs. */
  private readonly roots = new Map<string, string>();

  /** @param maxInputs weights, scales and zero points that are kept */
  constructor(private readonly maxInputs: number = limits.quantizedInputs) {}

  /**
   * A NodeProto { input = 1, output = 2, op_type = 4, attribute = 5 }. A damaged one says nothing of the weights.
   * @throws FormatError `limit-exceeded`
   */
  addNode(bytes: Uint8Array): void {
    try {
      this.add(readNode(bytes));
    } catch (error) {
      if (!FormatError.is(error, 'corrupt')) throw error;
    }
  }

  /** How many parameters an initializer is; undefined where no operator tells, and for floating-point weights. */
  parametersOf(name: string, dtype: string, shape: readonly number[]): number | undefined {
    const use = this.uses.get(name);
    if (use === undefined) return undefined;
    if (use.isScale) return 0;
    if (!integers.has(dtype)) return undefined;
    if (use.elements !== undefined) return use.elements;
    const elements = elementCount(shape);
    // 4-bit types have the logical shape already.
    return elements === undefined ? undefined : elements * (dtype === 'u8' && use.bits !== undefined ? 8 / use.bits : 1);
  }

  private add({ operator, inputs, output, numbers }: Node): void {
    const [first] = inputs;
    if (first !== undefined && passing.has(operator) && this.roots.size < this.maxInputs)
      this.roots.set(output, this.roots.get(first) ?? first);
    const known = operator === 'QLinearConcat' ? inputsOfConcat(inputs) : inputsOf.get(operator);
    if (known === undefined) return;
    for (const index of known.scales) this.set(inputs[index], { isScale: true });
    const use = weightOf(operator, numbers);
    for (const index of known.weights) this.set(inputs[index], use);
  }

  /** An input that is left out has an empty name. What one operator unpacks is a weight, whatever another takes it for. */
  private set(input: string | undefined, use: Use): void {
    const name = this.roots.get(input ?? '') ?? input;
    if (name === undefined || name === '' || this.uses.get(name)?.isScale === false) return;
    this.uses.set(name, use);
    if (this.uses.size > this.maxInputs)
      throw new FormatError('limit-exceeded', `more than ${this.maxInputs} quantized inputs of operators`);
  }
}

const integers = new Set(['u2', 'i2', 'u4', 'i4', 'u8', 'i8', 'u16', 'i16', 'i32']);

function weightOf(operator: string, numbers: ReadonlyMap<string, number>): Use {
  const [rows, columns] = [numbers.get('K'), numbers.get('N')];
  if (operator.startsWith('MatMul') && rows !== undefined && columns !== undefined) {
    const elements = elementCount([rows, columns]);
    if (elements !== undefined) return { isScale: false, elements };
  }
  const bits = numbers.get(operator === 'QMoE' ? 'expert_weight_bits' : 'bits') ?? defaultBits.get(operator);
  return { isScale: false, ...(bits === 2 || bits === 4 || bits === 8 ? { bits } : {}) };
}

const defaultBits = new Map([
  ['MatMulNBits', 4],
  ['MatMulBnb4', 4],
  ['GatherBlockQuantized', 4],
  ['QMoE', 4],
]);

interface Node {
  operator: string;
  inputs: string[];
  /** The first one. */
  output: string;
  /** Whole-number attributes by name. */
  numbers: Map<string, number>;
}

function readNode(bytes: Uint8Array): Node {
  const node: Node = { operator: '', inputs: [], output: '', numbers: new Map() };
  for (const field = new ProtobufReader(bytes); field.next();) {
    if (field.wireType !== LENGTH_DELIMITED) continue;
    if (field.field === 1) node.inputs.push(decodeText(bytes, field.start, field.end));
    else if (field.field === 2 && node.output === '') node.output = decodeText(bytes, field.start, field.end);
    else if (field.field === 4) node.operator = decodeText(bytes, field.start, field.end);
    else if (field.field === 5) readNumber(field.message, node.numbers);
  }
  return node;
}

/** AttributeProto { name = 1, i = 3 }. */
function readNumber(attribute: ProtobufReader, numbers: Map<string, number>): void {
  let name = '';
  let value: number | undefined;
  while (attribute.next()) {
    if (attribute.field === 1 && attribute.wireType === LENGTH_DELIMITED)
      name = decodeText(attribute.bytes, attribute.start, attribute.end);
    // Negative numbers take ten bytes; none of those that count is one.
    else if (attribute.field === 3 && attribute.wireType === VARINT && attribute.end - attribute.start < 8)
      value = attribute.varint;
  }
  if (value !== undefined) numbers.set(name, value);
}
