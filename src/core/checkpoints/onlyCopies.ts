/** Files of training state that hold weights which no file of the model has: removing them loses the model. */
import type { Finding } from '../findings/finding.js';
import type { ParameterCount } from '../tensors/parameterCount.js';
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

export function onlyCopyFindings({ files }: Parts, only: ReadonlySet<number>): Finding[] {
  const [first] = only;
  const path = first === undefined ? undefined : files[first]?.path;
  return path === undefined ? [] : [{ code: 'weights-only-in-optimizer', path, facts: { files: only.size } }];
}
