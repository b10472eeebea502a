import type { ModuleTree } from './moduleTree.js';
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
  for (let node = tree.size - 1; node >= 0; node--) {
    const own = tree.rowsOf(node).map((row) => tensorForms.numberOf([table.dtypeNumberOf(row), ...table.shapeOf(row)]));
    // One number, so that they sort as numbers do: there are fewer than 2^26 of either.
    const below = tree.childrenOf(node).map((child) => tree.segmentOf(child) * 2 ** 26 + (formOf[child] as number));
    formOf[node] = forms.numberOf([own.length].concat(sorted(own), sorted(below)));
  }
  return formOf;
}

/** What is sorted already, as nearly all is, stays as it is. */
function sorted(values: number[]): number[] {
  return values.every((value, index) => index === 0 || (values[index - 1] as number) <= value)
    ? values
    : values.sort((a, b) => a - b);
}
