import { encodeText } from '../../bytes/text.js';
import { NameIndex } from '../../tensors/nameIndex.js';
import type { TensorTable } from '../../tensors/tensorTable.js';
import type { FindRow } from './scaling.js';

/** Finds rows by their names, which are looked at once the first is asked for: most checkpoints have nothing packed. */
export function rowFinder(table: TensorTable): FindRow {
  let index: NameIndex | undefined;
  return (name) => {
    index ??= new NameIndex(table, () => 0);
    const bytes = encodeText(name);
    const row = index.find(bytes, 0, bytes.byteLength, 0);
    // Of several checkpoints the names are there several times.
    return row !== -1 && index.next(row) === -1 ? row : -1;
  };
}
