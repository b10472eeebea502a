import { inspect } from '../../src/core/inspection/inspect.js';
import type { FileTree } from '../../src/core/files/fileTree.js';
import { buildValuesReport } from '../../src/core/values/buildValuesReport.js';
import { planValues, type ValuesChoice } from '../../src/core/values/planValues.js';
import { readTasks } from '../../src/core/values/readTasks.js';
import type { TensorValues, ValuesReport } from '../../src/core/values/valuesReport.js';

/** The report of values of a tree, as `stowage values` makes it. */
export async function scannedValues(tree: FileTree, choice: ValuesChoice = {}, signal?: AbortSignal): Promise<ValuesReport> {
  const { report, tensors: table } = await inspect(tree, { path: '/m' });
  if (report.kind !== 'checkpoint') throw new Error(`a ${report.kind} has no tensors`);
  const { files, findings: inspected } = report;
  const plan = planValues(table, files, choice);
  const results = await readTasks(tree, plan.tasks, { signal });
  return buildValuesReport({ path: '/m', table, files, plan, results, sample: choice.sample, inspected });
}

/** The values of one tensor of a report. */
export function valuesOf(report: ValuesReport, name: string): TensorValues {
  const found = report.tensors.find((tensor) => tensor.name === name);
  if (found === undefined) throw new Error(`${name} has no values: ${JSON.stringify(report.notRead)}`);
  return found;
}
