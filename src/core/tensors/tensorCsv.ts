import { csvCell } from '../text/csvCell.js';
import type { TensorLayers } from './tensorLayers.js';
import type { TensorTable } from './tensorTable.js';

/** Rows as CSV (RFC 4180) with a header line. */
export function rowsToCsv(
  table: TensorTable,
  files: readonly { path: string }[],
  layers: TensorLayers,
  rows: Uint32Array,
): string {
  const lines = ['name,dtype,shape,elements,bytes,component,part,layer,files'];
  for (const row of rows) {
    const paths = new Set<string>();
    for (let piece = table.firstPieceOf(row); piece < table.endPieceOf(row); piece++)
      paths.add(files[table.pieceFile(piece)]?.path ?? '');
    const cells = [
      table.nameOf(row),
      table.dtypeOf(row),
      `[${table.shapeOf(row).join(', ')}]`,
      String(table.elementsOf(row)),
      String(table.bytesOf(row)),
      table.componentOf(row),
      table.partOf(row),
      layers.labelOf(row),
      [...paths].join(' '),
    ];
    lines.push(cells.map(csvCell).join(','));
  }
  return `${lines.join('\r\n')}\r\n`;
}
