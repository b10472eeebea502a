import { expect } from 'vitest';
import { inspect } from '../../src/core/inspection/inspect.js';
import type { FileTree } from '../../src/core/files/fileTree.js';
import type { CheckpointReport } from '../../src/core/checkpoints/checkpointReport.js';
import type { Report } from '../../src/core/inspection/report.js';
import { checkpointOf } from '../builders/inspectCheckpoint.js';
import { inconsistenciesOf } from './accounts.js';

export { isNoticed } from './accounts.js';

/**
 * Inspects damaged or hostile files: there is always a report, its sums are exact, and nothing went wrong in an unforeseen way.
 * Throws what is not a FormatError, so that a test fails on it.
 */
export async function inspectHostile(tree: FileTree): Promise<CheckpointReport> {
  return checkpointOf(await inspectAnyHostile(tree));
}

/** The same where damage may turn a dataset into a checkpoint, or the reverse. */
export async function inspectAnyHostile(tree: FileTree): Promise<Report> {
  const { report } = await inspect(tree, { path: tree.rootName });
  const inconsistencies = inconsistenciesOf(report);
  if (inconsistencies.length > 0) expect(inconsistencies).toEqual([]);
  return report;
}
