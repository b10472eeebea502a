/** What lies beside `params` in a JAX tree. */
import { parentPath } from '../../files/paths.js';
import { componentOfStateKey } from '../../tensors/stateKeys.js';
import type { Parts } from '../../checkpoints/parts.js';

/** Collections of flax modules that belong to the model although they are not trained. */
const modelCollections = new Set(['batch_stats', 'cache', 'stats']);

/**
 * A tree that keeps its weights under `params` has none beside them: arrays with other keys that say nothing (`lr`, `zeros`) are state
 * of the training program.
 * @param trees files or directories that hold one tree each; empty for the inspected directory
 */
export function moveStateBesideParams({ tensors, files }: Parts, trees: ReadonlySet<string>): void {
  const treeOfFile = files.map(({ path }) => treeAbove(path, trees));
  const treeOf = (row: number): string | undefined => treeOfFile[tensors.pieceFile(tensors.firstPieceOf(row))];
  const rootOf = (row: number): string => tensors.nameOf(row).split(/[./]/, 1)[0] as string;
  const withParams = new Set<string | undefined>();
  for (let row = 0; row < tensors.size; row++) if (rootOf(row) === 'params') withParams.add(treeOf(row));
  for (let row = 0; row < tensors.size; row++) {
    if (tensors.componentOf(row) !== 'weights' || !withParams.has(treeOf(row))) continue;
    const root = rootOf(row);
    if (componentOfStateKey(root) !== 'weights' && !modelCollections.has(root)) tensors.setComponent(row, 'trainerState');
  }
}

function treeAbove(path: string, trees: ReadonlySet<string>): string | undefined {
  for (let at = path; at !== ''; at = parentPath(at)) if (trees.has(at)) return at;
  return trees.has('') ? '' : undefined;
}
