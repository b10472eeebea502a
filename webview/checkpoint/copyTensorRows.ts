import { formatCount } from '../../src/core/text/units.js';
import { counted } from '../../src/core/text/quantities.js';
import { toTsv } from '../shared/tsv.js';
import type { TensorPages } from './tensorPages.js';
import type { TensorRow } from './tensorRow.js';

/** More than this does not belong on a clipboard. */
export const maximumCopiedRows = 50_000;

/** Rows as tab-separated text, fetched where they are not here; or why not. */
export async function copyTensorRows(
  pages: Pick<TensorPages, 'rows'>,
  ranges: [from: number, to: number][],
): Promise<{ text: string; what: string } | { refused: string }> {
  const count = ranges.reduce((sum, [from, to]) => sum + to - from, 0);
  if (count > maximumCopiedRows) {
    return { refused: `${formatCount(count)} rows are too many to copy. Use Export, Save tensors as CSV.` };
  }
  const { signal } = new AbortController();
  const rows: TensorRow[] = [];
  for (const [from, to] of ranges) {
    for (const row of await pages.rows(from, to, signal)) rows.push(row);
  }
  const text = toTsv(
    ['name', 'dtype', 'shape', 'elements', 'bytes', 'component', 'file', 'layer'],
    rows.map((row) => [row.name, row.dtype, row.shape, row.elements, row.bytes, row.component, row.file, row.layer]),
  );
  return { text, what: counted(rows.length, 'row') };
}
