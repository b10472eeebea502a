import type { CheckpointReport } from '../../src/core/checkpoints/checkpointReport.js';
import type { DatasetReport } from '../../src/core/datasets/datasetReport.js';
import type { FileTree } from '../../src/core/files/fileTree.js';
import { inspect, type InspectOptions } from '../../src/core/inspection/inspect.js';
import type { Report } from '../../src/core/inspection/report.js';
import type { TensorTable } from '../../src/core/tensors/tensorTable.js';

/** A report that has to be of one checkpoint, run or data set. */
export function oneOf(report: Report): CheckpointReport | DatasetReport {
  if (report.kind === 'collection') throw new Error(`this is a collection of ${report.parts.map(({ path }) => path).join(', ')}`);
  return report;
}

/** Inspects what has to be one thing. */
export async function inspectOne(
  tree: FileTree,
  options: InspectOptions,
): Promise<{ report: CheckpointReport | DatasetReport; tensors: TensorTable }> {
  const { report, tensors } = await inspect(tree, options);
  return { report: oneOf(report), tensors };
}
