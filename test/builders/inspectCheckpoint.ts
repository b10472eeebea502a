import { inspect, type InspectOptions } from '../../src/core/inspection/inspect.js';
import type { FileTree } from '../../src/core/files/fileTree.js';
import type { CheckpointReport } from '../../src/core/checkpoints/checkpointReport.js';
import type { Report } from '../../src/core/inspection/report.js';
import type { TensorTable } from '../../src/core/tensors/tensorTable.js';

/** A report that has to be a checkpoint's. */
export function checkpointOf(report: Report): CheckpointReport {
  if (report.kind !== 'checkpoint') throw new Error(`this is a ${report.kind}`);
  return report;
}

/** Inspects what has to be a checkpoint. */
export async function inspectCheckpoint(
  tree: FileTree,
  options: InspectOptions,
): Promise<{ report: CheckpointReport; tensors: TensorTable }> {
  const { report, tensors } = await inspect(tree, options);
  return { report: checkpointOf(report), tensors };
}
