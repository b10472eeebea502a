/** The tensors of a model as groups of equal ones: what parameters, LoRA adapters, optimizers by shape and quantized storage are counted from. */

/** `moduleOf` and quantization tell tensors by these. */
export type TensorKind = 'embedding' | 'head' | 'linear' | 'convolution' | 'norm' | 'bias' | 'other';

/** Tensors of one name pattern and shape. */
export interface TensorGroup {
  /** Name in the framework's state dict, with `N` for each number: `model.layers.N.self_attn.q_proj.weight`. */
  name: string;
  /** Of one tensor. A linear layer's is [out, in]. */
  shape: readonly number[];
  /** How many there are, over layers and experts. */
  copies: number;
  /** How many of them one token passes; fewer than `copies` for routed experts. */
  activeCopies: number;
  kind: TensorKind;
  /** The same storage as another group: in `total`, not in `unique`. */
  isTied?: boolean;
}

/** Parameters of a model, as the design counts them: tied ones in each place, once, and what one token passes. */
export interface ParameterCounts {
  total: number;
  unique: number;
  active: number;
}

/**
 * Sums over groups. Exact: undefined where a sum leaves the integers that a double holds, as absurd sizes do.
 */
export function countGroups(groups: readonly TensorGroup[]): ParameterCounts | undefined {
  const counts = { total: 0, unique: 0, active: 0 };
  for (const { shape, copies, activeCopies, isTied } of groups) {
    const elements = elementsOf(shape);
    counts.total += elements * copies;
    if (isTied === true) continue;
    counts.unique += elements * copies;
    counts.active += elements * activeCopies;
  }
  return Object.values(counts).every(Number.isSafeInteger) ? counts : undefined;
}

/** Elements of one tensor of that shape. */
export function elementsOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

interface GroupOptions {
  /** Layers, or layers x experts. 1 without it. */
  copies?: number;
  activeCopies?: number;
  bias?: boolean;
}

/** Collects the tensors of a model in the order in which its modules come. Sizes of 0 leave a tensor out. */
export class ModelTensors {
  readonly groups: TensorGroup[] = [];

  embedding(name: string, rows: number, width: number, options: GroupOptions = {}): this {
    return this.add('embedding', `${name}.weight`, [rows, width], options);
  }

  /** The output layer; tied, it is the input embedding again. */
  head(
    name: string,
    rows: number,
    width: number,
    { isTied = false, bias = false }: { isTied?: boolean; bias?: boolean } = {},
  ): this {
    this.add('head', `${name}.weight`, [rows, width], {}, isTied);
    return bias ? this.add('bias', `${name}.bias`, [rows], {}) : this;
  }

  /** Without inputs there is no layer, and so no bias. */
  linear(name: string, inputs: number, outputs: number, options: GroupOptions = {}): this {
    if (inputs === 0) return this;
    this.add('linear', `${name}.weight`, [outputs, inputs], options);
    return options.bias === true ? this.add('bias', `${name}.bias`, [outputs], options) : this;
  }

  norm(name: string, width: number, options: GroupOptions = {}): this {
    this.add('norm', `${name}.weight`, [width], options);
    return options.bias === true ? this.add('bias', `${name}.bias`, [width], options) : this;
  }

  convolution(name: string, shape: readonly number[], options: GroupOptions = {}): this {
    this.add('convolution', `${name}.weight`, shape, options);
    return options.bias === true ? this.add('bias', `${name}.bias`, [shape[0] ?? 0], options) : this;
  }

  /** A parameter that is no module's weight: `A_log`, `cls_token`, `sinks`. */
  parameter(name: string, shape: readonly number[], options: GroupOptions & { kind?: TensorKind; isTied?: boolean } = {}): this {
    return this.add(options.kind ?? 'other', name, shape, options, options.isTied);
  }

  private add(kind: TensorKind, name: string, shape: readonly number[], options: GroupOptions, isTied = false): this {
    const copies = options.copies ?? 1;
    if (copies <= 0 || shape.some((size) => size <= 0)) return this;
    this.groups.push({ name, shape, copies, activeCopies: options.activeCopies ?? copies, kind, ...(isTied ? { isTied } : {}) });
    return this;
  }
}
