/**
 * How many parameters the stored weights are. Buffers, scales and zero points are none; packed weights count by the shape they
 * unpack to. Rules by name, as that is all that a header tells; the table in docs/numbers.md has an example for each.
 */
import { decodeText, encodeText } from '../bytes/text.js';
import { FlatParameters } from './flatParameters.js';
import { isFloatDtype } from './dtype.js';
import { sameForm } from './sameForm.js';
import type { NameIndex } from './nameIndex.js';
import { packedCount, type PackedCount, type QuantizationFacts } from './packedWeights.js';
import type { TensorTable } from './tensorTable.js';

export interface ParameterCount {
  /** All that lies on disk, copies included. */
  stored: number;
  unique: number;
  /** Rows whose packed bytes were counted by what they unpack to. */
  packedTensors: number;
  /** Packed rows of which nothing tells what they unpack to. Their parameters are in none of the sums. */
  unknownTensors: number;
  /** Rows left out as buffers, scales or indices. */
  leftOut: number;
  /** Parameters counted once although they are stored again under another name or in another file. */
  tied: number;
  /** Parameters in files that are taken for exports of the same model: see `isCopy`. */
  exported: number;
  /** Parameters in files that hold another model: see `isOther`. */
  ofOthers: number;
  /** Parameters that other model-parallel ranks hold as well: see `isReplica`. */
  replicated: number;
  /** Row of an output embedding that is stored although the config ties it to the input embedding. */
  tiedCopyRow: number | undefined;
}

/** Registered buffers of well-known modules: saved with the weights, never trained. */
const bufferSegments = new Set([
  'running_mean',
  'running_var',
  'moving_mean',
  'moving_variance',
  'num_batches_tracked',
  'inv_freq',
  'original_inv_freq',
  'position_ids',
  'masked_bias',
  'cos_cached',
  'sin_cached',
  'relative_position_index',
  'rope_freqs',
  'n_averaged',
  'final_logits_bias',
  'cluster_size',
  'embed_avg',
  'inited',
]);

/** Scales, zero points and layout notes that quantizers keep beside the packed weight. */
const scaleSegments = new Set([
  'weight_scale',
  'weight_scale_inv',
  'weight_scale_2',
  'weight_global_scale',
  'weight_zero_point',
  'weight_shape',
  'weight_g_idx',
  'input_scale',
  'input_zero_point',
  'input_global_scale',
  'output_scale',
  'output_zero_point',
  'activation_scale',
  'k_scale',
  'v_scale',
  'q_scale',
  'kv_scale',
  'prob_scale',
  'scales',
  'qzeros',
  'g_idx',
  'SCB',
  'weight_format',
  'absmax',
  'quant_map',
  'nested_absmax',
  'nested_quant_map',
  'bitsandbytes__nf4',
  'bitsandbytes__fp4',
  '_weight_scale',
  '_weight_zero_point',
  '_scale',
  '_zero_point',
]);

/** Whether the last part of a name is that of a registered buffer. */
export function isBufferName(segment: string): boolean {
  return bufferSegments.has(segment);
}

/** Whether a name is of a scale, a zero point or a note that quantizers keep beside a packed weight. */
export function isScaleName(name: string): boolean {
  const segment = name.slice(name.lastIndexOf('.') + 1);
  return scaleSegments.has(segment) || segment.endsWith('_scales') || name.includes('.quant_state.');
}

const inputEmbeddings = [
  'model.embed_tokens.weight',
  'transformer.wte.weight',
  'model.language_model.embed_tokens.weight',
  'gpt_neox.embed_in.weight',
];
const outputEmbeddings = ['lm_head.weight', 'embed_out.weight'];

/** Rows that repeat a parameter of another row. */
interface Repeats {
  /** Of a model that another file has as well. */
  isExport: (row: number) => boolean;
  /** Of a model that is another one than that of the directory. */
  isOther: (row: number) => boolean;
  /** Of another rank. */
  isReplica: (row: number) => boolean;
}

/** Rows by their names, and the scope in which a row's name is looked up: mostly its directory. */
interface ScopedNames {
  index: NameIndex;
  scopeOf: (row: number) => number;
}

/**
 * Counts the rows of component `weights`. What `repeats` names is stored, and no parameter of its own.
 */
export function countParameters(
  table: TensorTable,
  names: ScopedNames,
  facts: QuantizationFacts,
  repeats: Repeats,
): ParameterCount {
  return new ParameterCounter(table, names, facts).count(repeats);
}

const integerDtypes = new Set(['i8', 'i16', 'i32', 'i64']);

class ParameterCounter {
  private readonly result: ParameterCount = {
    stored: 0,
    unique: 0,
    packedTensors: 0,
    unknownTensors: 0,
    leftOut: 0,
    tied: 0,
    exported: 0,
    ofOthers: 0,
    replicated: 0,
    tiedCopyRow: undefined,
  };

  constructor(
    private readonly table: TensorTable,
    private readonly names: ScopedNames,
    private readonly facts: QuantizationFacts,
  ) {}

  count({ isExport, isOther, isReplica }: Repeats): ParameterCount {
    const { table, result } = this;
    const seenPieces = new SharedPieces(table);
    const flat = FlatParameters.of(table);
    for (let row = 0; row < table.size; row++) {
      if (table.componentOf(row) !== 'weights' || flat?.isView(row) === true) continue;
      const elements = flat?.elementsOf(row) ?? this.parametersOf(row);
      if (elements === 0) continue;
      result.stored += elements;
      if (isExport(row)) result.exported += elements;
      else if (isOther(row)) result.ofOthers += elements;
      else if (isReplica(row)) result.replicated += elements;
      else if (this.isFirstWeight(row) && seenPieces.add(row)) result.unique += elements;
      else result.tied += elements;
    }
    if (this.facts.tiesEmbeddings) discountTiedEmbeddings(table, this.names.index, result);
    return result;
  }

  /** Whether no weight before it has its name, dtype and shape; an averaged or a master copy beside it may well have the name. */
  private isFirstWeight(row: number): boolean {
    const { table } = this;
    const { index, scopeOf } = this.names;
    if (index.isFirst(row)) return true;
    let other = index.find(table.nameBytes, table.nameStartOf(row), table.nameEndOf(row), scopeOf(row));
    while (other !== row && (table.componentOf(other) !== 'weights' || !sameForm(table, row, other))) other = index.next(other);
    return other === row;
  }

  private parametersOf(row: number): number {
    const { table, result } = this;
    const bytes = table.nameBytes;
    const start = table.nameStartOf(row);
    const end = table.nameEndOf(row);
    const dtype = table.dtypeOf(row);
    // The fast way for nearly every row of a large model: a float called `….weight`.
    if (isFloatDtype(dtype) && this.facts.method !== 'vptq' && endsWithWeight(bytes, start, end))
      return logicalElements(table, row, dtype);
    // Where a graph of operations tells what a tensor is for, its name does not matter.
    const declared = table.extraOf(row)?.parameters;
    if (declared !== undefined) {
      if (declared === 0) result.leftOut += 1;
      else result.packedTensors += 1;
      return declared;
    }
    const segment = lastSegment(bytes, start, end);
    if (this.isNoParameter(row, segment, dtype)) {
      result.leftOut += 1;
      return 0;
    }
    const packed = this.packedCountOf(row, segment, dtype);
    if (typeof packed === 'number') {
      result.packedTensors += 1;
      return packed;
    }
    if (packed === 'unknown') result.unknownTensors += 1;
    if (packed === 'none') result.leftOut += 1;
    if (packed !== undefined) return 0;
    if (isFloatDtype(dtype)) return logicalElements(table, row, dtype);
    result.leftOut += 1;
    return 0;
  }

  /** Buffers, scales and zero points. */
  private isNoParameter(row: number, segment: string, dtype: string): boolean {
    if (bufferSegments.has(segment) || scaleSegments.has(segment)) return true;
    // Exponents of MXFP4 blocks, which may be in a shard of their own; float scales only beside what they scale.
    if (segment.endsWith('_scales')) return dtype === 'u8' || this.hasSibling(row, '_scales', '_blocks');
    return this.isBufferBeside(row, segment);
  }

  /** Names that are a parameter's too, unless what they were computed for is beside them. */
  private isBufferBeside(row: number, segment: string): boolean {
    switch (segment) {
      // torch.nn.utils.spectral_norm: vectors of the power iteration. `weight_v` alone is weight_norm's.
      case 'weight_u':
      case 'weight_v':
        return this.hasSibling(row, segment, 'weight_orig');
      // MLX: the zero points of a packed weight.
      case 'biases':
        return this.hasSibling(row, 'biases', 'scales');
      // flax.linen.BatchNorm keeps its statistics in a collection of this name.
      case 'mean':
      case 'var':
        return /(^|[./])batch_stats[./]/.test(this.table.nameOf(row));
      default:
        return false;
    }
  }

  /** As `packedCount`, and of the packings that their names and dtypes alone tell. */
  private packedCountOf(row: number, segment: string, dtype: string): PackedCount {
    const { table } = this;
    const name = table.nameOf(row);
    const elements = table.elementsOf(row);
    const base = name.slice(0, name.length - segment.length);
    const count = packedCount(
      {
        module: base.slice(0, -1),
        segment,
        dtype,
        shape: table.shapeOf(row),
        elements,
        beside: (other) => {
          const sibling = this.find(row, base + other);
          return sibling === -1 ? undefined : table.shapeOf(sibling);
        },
      },
      this.facts,
    );
    if (count !== undefined) return count;
    // bitsandbytes: int8 rows have a column of scales beside them. GGUF has all integer types.
    if (segment === 'weight' && integerDtypes.has(dtype)) return elements;
    // gpt-oss: `…_blocks` in Hugging Face's files, `….blocks` in OpenAI's own.
    return dtype === 'u8' && (segment === 'blocks' || segment.endsWith('_blocks')) ? 2 * elements : undefined;
  }

  /** Whether there is a tensor of the same name with another ending. */
  private hasSibling(row: number, suffix: string, other: string): boolean {
    const name = this.table.nameOf(row);
    return this.find(row, name.slice(0, name.length - suffix.length) + other) !== -1;
  }

  /** The tensor of this name in the scope of a row, or -1. */
  private find(row: number, name: string): number {
    const { index, scopeOf } = this.names;
    const bytes = encodeText(name);
    return index.find(bytes, 0, bytes.byteLength, scopeOf(row));
  }
}

/** Two float4 values share an element of torch's packed type; safetensors' F4 has the logical shape already. */
function logicalElements(table: TensorTable, row: number, dtype: string): number {
  return table.elementsOf(row) * (dtype === 'f4_e2m1_x2' ? 2 : 1);
}

const weightSuffix = encodeText('.weight');

function endsWithWeight(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < weightSuffix.length) return false;
  for (let at = 0; at < weightSuffix.length; at++) if (bytes[end - weightSuffix.length + at] !== weightSuffix[at]) return false;
  return true;
}

function lastSegment(bytes: Uint8Array, start: number, end: number): string {
  // Dots separate the parts of most names, slashes those of HDF5 and TensorFlow.
  let at = end;
  while (at > start && bytes[at - 1] !== 0x2e && bytes[at - 1] !== 0x2f) at -= 1;
  return decodeText(bytes, at, end);
}

/** Tensors in one storage are one parameter (tied weights), unless they are different parts of it (a flat buffer). */
class SharedPieces {
  private readonly seen = new Set<string>();
  private readonly shared: boolean;

  constructor(private readonly table: TensorTable) {
    // Formats without storages never share a piece; strings for their rows would be for nothing.
    this.shared = hasSharedPieces(table);
  }

  /** False when an equal tensor of the same storage was added before. */
  add(row: number): boolean {
    if (!this.shared) return true;
    const piece = this.table.firstPieceOf(row);
    if (piece === this.table.endPieceOf(row) || this.table.bytesOf(row) < this.table.pieceSize(piece)) return true;
    const key = `${this.table.pieceFile(piece)}:${this.table.pieceOffset(piece)}:${this.table.dtypeOf(row)}`;
    if (this.seen.has(key)) return false;
    this.seen.add(key);
    return true;
  }
}

function hasSharedPieces(table: TensorTable): boolean {
  for (let piece = 1; piece < table.pieceCount; piece++) {
    if (
      table.pieceFile(piece) === table.pieceFile(piece - 1) &&
      table.pieceOffset(piece) <= table.pieceOffset(piece - 1) &&
      table.pieceSize(piece) > 0
    )
      return true;
  }
  return false;
}

/** Both embeddings are stored, in files of their own or as copies, and the config says that they are one. */
function discountTiedEmbeddings(table: TensorTable, index: NameIndex, count: ParameterCount): void {
  const find = (names: string[]): number => {
    for (const name of names) {
      const bytes = encodeText(name);
      const row = index.find(bytes, 0, bytes.byteLength, 0);
      if (row !== -1) return row;
    }
    return -1;
  };
  const input = find(inputEmbeddings);
  const output = find(outputEmbeddings);
  if (input === -1 || output === -1 || table.componentOf(output) !== 'weights') return;
  const elements = table.elementsOf(output);
  const isShared = samePiece(table, input, output);
  if (isShared || elements !== table.elementsOf(input)) return;
  count.unique -= elements;
  count.tied += elements;
  count.tiedCopyRow = output;
}

function samePiece(table: TensorTable, a: number, b: number): boolean {
  const [first, second] = [table.firstPieceOf(a), table.firstPieceOf(b)];
  if (first === table.endPieceOf(a) || second === table.endPieceOf(b)) return false;
  return table.pieceFile(first) === table.pieceFile(second) && table.pieceOffset(first) === table.pieceOffset(second);
}
