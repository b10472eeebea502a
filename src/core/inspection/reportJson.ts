import type { TensorTable } from '../tensors/tensorTable.js';
import type { TensorReport } from '../checkpoints/checkpointReport.js';
import { toJson } from '../text/json.js';
import type { Report } from './report.js';

/** The report as JSON text, with two spaces of indentation: the contract of `stowage inspect --json`. */
export function reportToJson(report: Report): string {
  return toJson(report);
}

/** All tensors as report objects, for `--tensors`. A million of them take about a gigabyte: the panel pages instead. */
export function listTensors(table: TensorTable, files: readonly { path: string }[]): TensorReport[] {
  const tensors: TensorReport[] = [];
  for (let row = 0; row < table.size; row++) {
    const paths = new Set<string>();
    for (let piece = table.firstPieceOf(row); piece < table.endPieceOf(row); piece++) {
      const path = files[table.pieceFile(piece)]?.path;
      if (path !== undefined) paths.add(path);
    }
    tensors.push({
      name: table.nameOf(row),
      dtype: table.dtypeOf(row),
      shape: table.shapeOf(row),
      bytes: table.bytesOf(row),
      component: table.componentOf(row),
      files: [...paths],
    });
  }
  return tensors;
}
