import type { ModuleTree } from './moduleTree.js';
import { Sequence } from './sequence.js';
import { SequenceNumbers } from './sequenceNumbers.js';
import type { TensorTable } from './tensorTable.js';

/**
 * A number for each module, equal for those whose tensors are equal in the rest of their names, in dtypes and in shapes: the form. It follows
 * from the dtypes and shapes of its own tensors and from the segments and forms of its children, whose numbers are above its own.
 */
export function moduleForms(table: TensorTable, tree: ModuleTree): Uint32Array {
  const tensorForms = new SequenceNumbers();
  const forms = new SequenceNumbers();
  const formOf = new Uint32Array(tree.size);
  const shape = new Sequence();
  const form = new Sequence();
  for (let node = tree.size - 1; node >= 0; node--) {
    form.clear();
    for (let row = tree.firstOwnOf(node); row !== -1; row = tree.nextOwnOf(row)) {
      shape.clear();
      shape.push(table.dtypeNumberOf(row));
      for (let axis = 0; axis < table.rankOf(row); axis++) shape.push(table.dimensionOf(row, axis));
      form.push(shape.numberIn(tensorForms));
    }
    form.sortFrom(0);
    const own = form.length;
    // One number, so that they sort as numbers do: there are fewer than 2^26 of either.
    for (let child = tree.firstChildOf(node); child !== -1; child = tree.nextSiblingOf(child))
      form.push(tree.segmentOf(child) * 2 ** 26 + (formOf[child] as number));
    form.sortFrom(own);
    form.push(own);
    formOf[node] = form.numberIn(forms);
  }
  return formOf;
}
