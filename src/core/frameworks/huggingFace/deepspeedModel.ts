/** DeepSpeed's state in a checkpoint of Trainer against the weights beside it: both are of one model (transformers/trainer.py: _save_checkpoint). */
import { pickledRoots } from '../../checkpoints/layouts/stateSteps.js';
import type { Parts } from '../../checkpoints/parts.js';
import type { Finding } from '../../findings/finding.js';
import { isFloatDtype } from '../../tensors/dtype.js';
import { statedForms } from '../deepspeed/deepspeedState.js';

const modelStates = /^global_step[^/]*\/.*model_states\.pt$/s;
/** Of tensor-parallel ranks the states have shares of a parameter. */
const laterModelRank = /mp_rank_(?!00_)\d+_model_states\.pt$/;

/**
 * A finding where the parameters that the model states list are none of the weights: of equal names most have other shapes, or there are no
 * equal names and no equal shapes. None where the weights are in another form.
 */
export function findDeepSpeedOfOtherModel(parts: Parts): Finding[] {
  const states = [...pickledRoots(parts.objects)].filter(([path]) => modelStates.test(path));
  const weights = shapesOfWeights(parts);
  const [first] = states;
  if (first === undefined || weights === undefined || states.some(([path]) => laterModelRank.test(path))) return [];
  const { shapes } = statedForms(states.map(([, root]) => root));
  const known = new Set(weights.values());
  const named = [...shapes].filter(([name]) => weights.has(name));
  const isOther = ([name, shape]: readonly [string, readonly number[]]): boolean =>
    named.length > 0 ? weights.has(name) && weights.get(name) !== keyOf(shape) : shape.length < 2 || !known.has(keyOf(shape));
  const other = [...shapes].filter(isOther);
  const total = named.length > 0 ? named.length : shapes.size;
  const [example] = other.filter(([, shape]) => shape.length > 1);
  const isAnother = named.length > 0 ? other.length * 2 > total : other.length === total;
  if (example === undefined || !isAnother) return [];
  const [name, shape] = example;
  return [
    { code: 'deepspeed-of-other-model', path: first[0], facts: { other: other.length, total, name, shape: shape.join(' × ') } },
  ];
}

/** The shapes of the weights of the directory itself, by name; undefined without any, and for packed ones. An adapter is a part of the model alone. */
function shapesOfWeights({ tensors, files }: Parts): Map<string, string> | undefined {
  const shapes = new Map<string, string>();
  for (let row = 0; row < tensors.size; row++) {
    const file = files[tensors.pieceFile(tensors.firstPieceOf(row))];
    if (file === undefined || file.path.includes('/') || file.role === 'adapter-weights') continue;
    if (tensors.componentOf(row) !== 'weights' || tensors.elementsOf(row) === 0) continue;
    const shape = tensors.shapeOf(row);
    if (shape.length > 1 && !isFloatDtype(tensors.dtypeOf(row))) return undefined;
    shapes.set(tensors.nameOf(row), keyOf(shape));
  }
  return shapes.size === 0 ? undefined : shapes;
}

function keyOf(shape: readonly number[]): string {
  return shape.join('x');
}
