/** What an optimizer keeps for the parameters it trains, from their shapes; the layouts of the implementations named at each. */
import { elementsOf, type TensorGroup } from '../configs/architectures/tensorGroup.js';
import type { OptimizerId, Precision } from '../configs/trainingPlan.js';
import { precisionBytes } from '../configs/precision.js';

/** Named as in reports of real checkpoints. */
export type StatePart = 'firstMoment' | 'secondMoment' | 'otherState';

export interface StateTerm {
  part: StatePart;
  bytes: number;
  /** What the values are stored in: `f32`, `u8`, `u4`. */
  dtype: string;
}

export interface StateOptions {
  /** Of the first and the second moment, where the optimizer leaves the choice. */
  moments: readonly [Precision, Precision];
  /** SGD and RMSprop with momentum, Adafactor with a first moment; undefined is the optimizer's own default. */
  hasMomentum?: boolean | undefined;
  /** Of GaLore and APOLLO. */
  projectionRank?: number | undefined;
  /** Embeddings, or those of positions alone, have state in 32 bits though that of other tensors is in 8. */
  hasWideEmbeddingState?: boolean | 'positions' | undefined;
}

/** bitsandbytes keeps tensors below this size in 32 bits (`min_8bit_size` in optim/optimizer.py). */
const smallestQuantized = 4096;
/** Values that share a scale: bitsandbytes' blockwise states, and torchao's 4-bit ones (prototype/low_bit_optim). */
const block8Bit = 256;
const block4Bit = 128;
/** What SOAP's and Shampoo's published settings take: a longer side gets no preconditioner (`max_precond_dim`). */
const longestPreconditionedSide = 10_000;
/** GaLore's and APOLLO's rank in their papers' 7B runs is 1,024; in their examples 128. */
const usualProjectionRank = 128;

/**
 * State of all tensors, one term a part, empty parts left out. Steps (4 bytes a tensor) and code books are not counted.
 * @param groups the tensors that are trained
 */
export function optimizerState(optimizer: OptimizerId, groups: readonly TensorGroup[], options: StateOptions): StateTerm[] {
  const sums = new Map<string, StateTerm>();
  for (const group of groups) {
    if (group.isTied === true) continue;
    for (const { part, bytes, dtype } of stateOfTensor(optimizer, group, options)) {
      const sum = sums.get(`${part} ${dtype}`) ?? { part, bytes: 0, dtype };
      sum.bytes += bytes * group.copies;
      sums.set(`${part} ${dtype}`, sum);
    }
  }
  return [...sums.values()].filter(({ bytes }) => bytes > 0);
}

function hasWideState({ kind, name }: TensorGroup, { hasWideEmbeddingState = false }: StateOptions): boolean {
  if (kind !== 'embedding') return false;
  return hasWideEmbeddingState === 'positions' ? name.includes('position') : hasWideEmbeddingState;
}

/** State of one tensor of a group. */
function stateOfTensor(optimizer: OptimizerId, group: TensorGroup, options: StateOptions): StateTerm[] {
  const { shape, kind } = group;
  const elements = elementsOf(shape);
  if (hasWideState(group, options)) return wideState(optimizer, elements);
  const [first, second] = options.moments;
  const adam = () => [plain('firstMoment', elements, first), plain('secondMoment', elements, second)];
  switch (optimizer) {
    case 'adam':
    case 'unknown':
      return adam();
    // AdamWScheduleFree keeps the averaged point `z` and `exp_avg_sq` (schedulefree/adamw_schedulefree.py).
    case 'schedule-free':
      return [plain('otherState', elements, first), plain('secondMoment', elements, second)];
    case 'adam-8bit':
      return [quantized('firstMoment', elements, 8), quantized('secondMoment', elements, 8)];
    case 'adam-4bit':
      return [quantized('firstMoment', elements, 4), quantized('secondMoment', elements, 4)];
    case 'lion':
      return [plain('firstMoment', elements, first)];
    case 'lion-8bit':
      return [quantized('firstMoment', elements, 8)];
    case 'sgd-momentum':
      return [plain('firstMoment', elements, first)];
    case 'sgd':
      return options.hasMomentum === true ? [plain('firstMoment', elements, first)] : [];
    // LOMO updates while it goes back through the model and keeps nothing (arXiv 2306.09782).
    case 'lomo':
      return [];
    case 'adagrad':
      return [plain('secondMoment', elements, second)];
    case 'rmsprop':
      return [
        plain('secondMoment', elements, second),
        ...(options.hasMomentum === true ? [plain('firstMoment', elements, first)] : []),
      ];
    case 'adafactor':
      return adafactor(shape, first, options.hasMomentum === true);
    // Hidden matrices have one momentum; embeddings, head, norms and biases stay with Adam (kellerjordan.github.io/posts/muon).
    case 'muon':
      return kind === 'linear' || kind === 'convolution' ? [plain('firstMoment', elements, first)] : adam();
    case 'shampoo':
      return shape.length === 2 ? [plain('firstMoment', elements, first), preconditioners(shape)] : adam();
    case 'soap':
      return shape.length === 2 ? [...adam(), preconditioners(shape)] : adam();
    case 'galore':
    case 'apollo':
    case 'galore-8bit':
      return kind === 'linear' ? projected(shape, optimizer === 'galore-8bit', options) : adam();
  }
}

/** Of an optimizer that quantizes other tensors. */
function wideState(optimizer: OptimizerId, elements: number): StateTerm[] {
  const first = plain('firstMoment', elements, 'f32');
  return optimizer === 'lion-8bit' ? [first] : [first, plain('secondMoment', elements, 'f32')];
}

function plain(part: StatePart, elements: number, dtype: Precision): StateTerm {
  return { part, bytes: elements * precisionBytes[dtype], dtype };
}

/** Blockwise quantized state with a 32-bit scale a block. */
function quantized(part: StatePart, elements: number, bits: 4 | 8): StateTerm {
  if (elements < smallestQuantized) return plain(part, elements, 'f32');
  const block = bits === 8 ? block8Bit : block4Bit;
  return { part, bytes: Math.ceil((elements * bits) / 8) + 4 * Math.ceil(elements / block), dtype: bits === 8 ? 'u8' : 'u4' };
}

/** Row and column means of the squares, in 32 bits (arXiv 1804.04235; Adafactor in transformers/optimization.py). */
function adafactor(shape: readonly number[], first: Precision, hasMomentum: boolean): StateTerm[] {
  const elements = elementsOf(shape);
  const [columns = 1, rows = 1] = [...shape].reverse();
  const stacked = elements / (columns * rows);
  const second = shape.length < 2 ? elements : stacked * (rows + columns);
  return [plain('secondMoment', second, 'f32'), ...(hasMomentum ? [plain('firstMoment', elements, first)] : [])];
}

/** Two statistics and two roots of them: r x r and c x c, each twice, in 32 bits. */
function preconditioners(shape: readonly number[]): StateTerm {
  const squares = shape.reduce((sum, side) => sum + (side > longestPreconditionedSide ? 0 : side * side), 0);
  return { part: 'otherState', bytes: 2 * squares * precisionBytes.f32, dtype: 'f32' };
}

/** Moments of the gradient projected onto `rank` directions of its shorter side, and the projection itself (arXiv 2403.03507). */
function projected(shape: readonly number[], is8Bit: boolean, { moments, projectionRank }: StateOptions): StateTerm[] {
  const shorter = Math.min(shape[0] ?? 0, shape[1] ?? 0);
  const longer = Math.max(shape[0] ?? 0, shape[1] ?? 0);
  const rank = Math.min(projectionRank ?? usualProjectionRank, shorter);
  const state = (part: StatePart, dtype: Precision) =>
    is8Bit ? quantized(part, rank * longer, 8) : plain(part, rank * longer, dtype);
  return [state('firstMoment', moments[0]), state('secondMoment', moments[1]), plain('otherState', rank * shorter, moments[0])];
}

/** Whether the state follows from shapes, so that a mere number of parameters does not tell it. */
export function needsShapes(optimizer: OptimizerId): boolean {
  return ['adafactor', 'muon', 'shampoo', 'soap', 'galore', 'galore-8bit', 'apollo'].includes(optimizer);
}
