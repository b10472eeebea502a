/**
 * Optimizer state beside weights of another model. torch stores moments of the shape of their parameter and no names, and does not compare
 * shapes when it loads them: the first step fails (torch/optim/optimizer.py: load_state_dict).
 */
import type { Finding } from '../findings/finding.js';
import { severityOf } from '../findings/severityOf.js';
import { isFloatDtype } from '../tensors/dtype.js';
import type { FilePart, Parts } from './parts.js';

/** Moments of one file, a count for each shape. Only first moments of parameters with two dimensions or more. */
type ShapeCounts = Map<string, number>;

/**
 * A finding for each file of optimizer state of which most moments have shapes of no weight. None where weights may be elsewhere or in
 * another form, or are not saved: errors of other files, packed or quantized weights, shards of ranks, fused parameters of as many elements.
 */
export function findOptimizersOfOtherModels(parts: Parts): Finding[] {
  if (!isWholeSave(parts)) return [];
  if (parts.findings.some((finding) => finding.code === 'prompt-encoder-unsaved' || severityOf(finding) === 'error')) return [];
  const { weights, elements, hasOtherForms } = shapesOfWeights(parts);
  if (hasOtherForms || weights.size === 0) return [];
  const optimizers = momentsByFile(parts);
  return [...optimizers].flatMap(([path, { shapes, elements: held }]): Finding[] => {
    const left = withoutKnown(shapes, weights);
    const [total, other] = [sumOf(shapes), sumOf(left)];
    // Each parameter is one optimizer's.
    for (const [shape, used] of shapes) weights.set(shape, Math.max(0, (weights.get(shape) ?? 0) - used));
    if (other * 2 <= total || held === elements) return [];
    const [first = ''] = left.keys();
    return [{ code: 'optimizer-of-other-model', path, facts: { other, total, shape: first.replaceAll('x', ' × ') } }];
  });
}

/** Writers that save each model whose optimizer they save. A program's own dict may leave one out, as a discriminator. */
function isWholeSave({ layout, framework }: Parts): boolean {
  return wholeLayouts.has(layout) || (layout === 'torch-file' && framework.name === 'nanoGPT');
}

const wholeLayouts = new Set<Parts['layout']>(['huggingface-trainer', 'accelerate', 'lightning', 'composer', 'litgpt']);

/** Shapes of which there are more moments than weights, with how many. */
function withoutKnown(shapes: ShapeCounts, weights: ShapeCounts): ShapeCounts {
  const left: ShapeCounts = new Map();
  for (const [shape, count] of shapes) {
    const more = count - (weights.get(shape) ?? 0);
    if (more > 0) left.set(shape, more);
  }
  return left;
}

function sumOf(shapes: ShapeCounts): number {
  return [...shapes.values()].reduce((sum, count) => sum + count, 0);
}

function shapesOfWeights({ tensors, files }: Parts): { weights: ShapeCounts; elements: number; hasOtherForms: boolean } {
  const weights: ShapeCounts = new Map();
  let elements = 0;
  let hasOtherForms = false;
  for (let row = 0; row < tensors.size; row++) {
    const component = tensors.componentOf(row);
    if (component !== 'weights' && component !== 'ema') continue;
    const dtype = tensors.dtypeOf(row);
    // Positions and masks. Packed weights are of other integers or of blocks; placeholders have no elements.
    if (dtype === 'i64' || dtype === 'bool') continue;
    if (!/^(f64|f32|f16|bf16)$/.test(dtype) || tensors.elementsOf(row) === 0) {
      hasOtherForms ||= tensors.shapeOf(row).length > 1;
      continue;
    }
    hasOtherForms ||= isOfRank(fileOf({ tensors, files }, row));
    if (component === 'weights') elements += tensors.elementsOf(row);
    count(weights, tensors.shapeOf(row));
  }
  return { weights, elements, hasOtherForms };
}

/** `…state.<number>.exp_avg` or `momentum_buffer`; flattened ones have one dimension, and are not counted by their shapes. */
function momentsByFile(parts: Parts): Map<string, { shapes: ShapeCounts; elements: number }> {
  const { tensors } = parts;
  const files = new Map<string, { shapes: ShapeCounts; elements: number }>();
  for (let row = 0; row < tensors.size; row++) {
    if (tensors.componentOf(row) !== 'optimizer') continue;
    const name = tensors.nameOf(row);
    // GaLore and its like keep moments of a projection of the gradient.
    if (name.includes('.projector.')) return new Map();
    const file = firstMoment.test(name) ? fileOf(parts, row) : undefined;
    if (file === undefined || isOfRank(file) || !isFloatDtype(tensors.dtypeOf(row))) continue;
    const own = files.get(file.path) ?? { shapes: new Map<string, number>(), elements: 0 };
    files.set(file.path, own);
    own.elements += tensors.elementsOf(row);
    if (tensors.shapeOf(row).length > 1) count(own.shapes, tensors.shapeOf(row));
  }
  return files;
}

const firstMoment = /(?:^|\.)state\.\d+\.(?:exp_avg|momentum_buffer)$/;

function fileOf({ tensors, files }: Pick<Parts, 'tensors' | 'files'>, row: number): FilePart | undefined {
  const piece = tensors.firstPieceOf(row);
  return piece < tensors.endPieceOf(row) ? files[tensors.pieceFile(piece)] : undefined;
}

const isOfRank = (file: FilePart | undefined): boolean => file?.rank !== undefined;

function count(shapes: ShapeCounts, shape: readonly number[]): void {
  const key = shape.join('x');
  shapes.set(key, (shapes.get(key) ?? 0) + 1);
}
