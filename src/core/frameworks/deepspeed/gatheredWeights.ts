/** Weights beside a DeepSpeed save: what `save_16bit_model` or Trainer gathers from ZeRO-3's shards. */
import { parentPath } from '../../files/paths.js';
import type { Parts } from '../../checkpoints/parts.js';
import type { TagFiles } from './deepspeedFiles.js';

/** An export without frozen weights or with tied ones left out has this share of what was trained at least. */
const WHOLE = 0.95;

/**
 * Whether files beside the tag's own hold as many elements of weights, each name once, as were trained. `trained`: elements by
 * `param_shapes`; undefined where the states do not say, and then a single weight with elements counts.
 */
export function hasGatheredWeights({ tensors, files }: Parts, tag: TagFiles, trained: number | undefined): boolean {
  const own = new Set([...tag.modelStates, ...tag.shards].map(({ path }) => path));
  const places = new Set([tag.directory, parentPath(tag.directory)]);
  const names = new Set<string>();
  let elements = 0;
  for (let row = 0; row < tensors.size; row++) {
    const piece = tensors.firstPieceOf(row);
    const path = piece < tensors.endPieceOf(row) ? files[tensors.pieceFile(piece)]?.path : undefined;
    if (path === undefined || own.has(path) || !places.has(parentPath(path))) continue;
    const name = tensors.nameOf(row);
    if (tensors.componentOf(row) !== 'weights' || names.has(name)) continue;
    names.add(name);
    elements += tensors.elementsOf(row);
  }
  return elements > 0 && elements >= (trained ?? 0) * WHOLE;
}
