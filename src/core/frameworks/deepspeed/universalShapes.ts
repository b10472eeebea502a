/**
 * Shapes of the files by parameter of a universal checkpoint: `fp32.pt` and the moments beside it have that of the parameter. Stage 3 stores
 * them flat (deepspeed/checkpoint/ds_to_universal.py: merge_tp_slices, _merge_zero3_slice_files).
 */
import { elementCount } from '../../bytes/checkedInteger.js';
import type { Parts } from '../../checkpoints/parts.js';
import { baseName, joinPath, parentPath } from '../../files/paths.js';
import type { Finding } from '../../findings/finding.js';
import { member } from '../../formats/pickle/pickleAccess.js';
import type { PickleValue } from '../../formats/pickle/pickleValue.js';
import { statedForms } from './deepspeedState.js';

const stateFiles = new Set(['fp32.pt', 'exp_avg.pt', 'exp_avg_sq.pt']);

/** The tensor of one file. */
interface State {
  path: string;
  shape: readonly number[];
}

/**
 * A finding for each file whose tensor has other elements than `param_shapes` states, or another shape than `fp32.pt` beside it.
 * @param states roots of model states that state whole shapes; none where tensor-parallel ranks state their slices
 */
export function findOtherUniversalShapes(parts: Parts, directory: string, states: readonly PickleValue[]): Finding[] {
  // Padding of the vocabulary is removed in the conversion.
  const isPadded = states.some(
    (state) => (member(member(state, 'universal_checkpoint_info'), 'original_vocab_size') ?? null) !== null,
  );
  const { shapes } = statedForms(isPadded ? [] : states);
  return [...statesByParameter(parts, joinPath(directory, 'zero'))].flatMap(([name, own]) => {
    const stated = shapes.get(name);
    const others = stated === undefined ? [] : own.filter(({ shape }) => elementCount(shape) !== elementCount(stated));
    if (stated !== undefined && others.length > 0) return others.map((state) => finding(state, stated, 'param_shapes'));
    const weights = own.find(({ path }) => baseName(path) === 'fp32.pt');
    if (weights === undefined) return [];
    return own
      .filter(({ shape }) => shape.join() !== weights.shape.join())
      .map((state) => finding(state, weights.shape, 'fp32.pt'));
  });
}

function statesByParameter({ tensors, files }: Parts, directory: string): Map<string, State[]> {
  const states = new Map<string, State[]>();
  for (let row = 0; row < tensors.size; row++) {
    const piece = tensors.firstPieceOf(row);
    const path = piece < tensors.endPieceOf(row) ? files[tensors.pieceFile(piece)]?.path : undefined;
    if (path === undefined || !stateFiles.has(baseName(path)) || parentPath(parentPath(path)) !== directory) continue;
    // A dict, or a tensor alone.
    if (!['param', ''].includes(tensors.nameOf(row))) continue;
    const name = baseName(parentPath(path));
    const own = states.get(name) ?? [];
    states.set(name, own);
    own.push({ path, shape: tensors.shapeOf(row) });
  }
  return states;
}

function finding({ path, shape }: State, expected: readonly number[], of: string): Finding {
  return { code: 'universal-shape-differs', path, facts: { shape: textOf(shape), expected: textOf(expected), of } };
}

function textOf(shape: readonly number[]): string {
  return shape.length === 0 ? 'of a scalar' : shape.join(' × ');
}
