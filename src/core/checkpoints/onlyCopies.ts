/** Files of training state that hold weights which no file of the model has: removing them loses the model. */
import type { Finding } from '../findings/finding.js';
import type { ParameterCount } from '../tensors/parameterCount.js';
import { damagedFiles } from './damagedFiles.js';
import type { Parts } from './parts.js';

/** Flat partitions are padded, and a count by names may leave out buffers: a model that is whole has this share at least. */
const WHOLE_OF_STATED = 0.95;
const WHOLE_OF_MASTER = 0.5;

/**
 * Positions of these files. ZeRO-3, and Megatron's distributed optimizer without a copy of the model, keep what is trained as master
 * weights only; with frozen weights beside them the parameters that the files state tell that some are missing.
 */
export function onlyCopiesOf(
  { tensors, parameters }: Parts,
  { unique, replicated }: Pick<ParameterCount, 'unique' | 'replicated'>,
): ReadonlySet<number> {
  const files = new Set<number>();
  let master = 0;
  for (let row = 0; row < tensors.size; row++) {
    if (tensors.componentOf(row) !== 'masterWeights') continue;
    master += tensors.elementsOf(row);
    for (let piece = tensors.firstPieceOf(row); piece < tensors.endPieceOf(row); piece++)
      if (tensors.pieceSize(piece) > 0) files.add(tensors.pieceFile(piece));
  }
  const isWhole =
    parameters === undefined ? unique + replicated >= master * WHOLE_OF_MASTER : unique >= parameters.unique * WHOLE_OF_STATED;
  return isWhole ? new Set() : files;
}

/**
 * None where another file of the same kind is damaged: how many have weights is not known then. The damage of other files gives none of these the
 * finding's place.
 */
export function onlyCopyFindings(parts: Parts, only: ReadonlySet<number>): Finding[] {
  const [first] = only;
  const file = first === undefined ? undefined : parts.files[first];
  if (file === undefined) return [];
  const damaged = damagedFiles(parts);
  const isUnknown = parts.files.some(({ path, role }, index) => role === file.role && damaged.has(path) && !only.has(index));
  if (isUnknown) return [];
  return [{ code: 'weights-only-in-optimizer', ...(damaged.size === 0 ? { path: file.path } : {}), facts: { files: only.size } }];
}
