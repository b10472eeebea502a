import type { FindingReport } from '../../core/findings/finding.js';
import type { TensorTable } from '../../core/tensors/tensorTable.js';
import { buildValuesReport } from '../../core/values/buildValuesReport.js';
import { planValues, type ValuesChoice } from '../../core/values/planValues.js';
import type { ReadingHooks, StoredSummary } from '../../core/values/readTask.js';
import type { ValuesProgress, ValuesReport } from '../../core/values/valuesReport.js';
import type { ValueTask } from '../../core/values/valueTask.js';
import type { Hooks } from '../platform.js';

/** Reads tasks over the files of an inspected path. @throws FormatError `cancelled`, `io` */
export type ReadValues = (tasks: readonly ValueTask[], hooks: ReadingHooks) => Promise<StoredSummary[]>;

/** The tensors of an inspection, and what reads the files that they are in. */
export interface InspectedTensors {
  path: string;
  table: TensorTable;
  files: readonly { path: string }[];
  /** What the inspection found. */
  findings: readonly FindingReport[];
  readValues: ReadValues;
}

/**
 * Values of the tensors that are chosen.
 * @throws FormatError `cancelled`, `io`
 */
export async function valuesOfTable(
  { path, table, files, findings, readValues }: InspectedTensors,
  choice: ValuesChoice,
  { signal, onProgress }: Hooks<ValuesProgress> = {},
): Promise<ValuesReport> {
  const plan = planValues(table, files, choice);
  const totalBytes = bytesOf(plan.tasks);
  let bytesRead = 0;
  const onBytes = (bytes: number): void => {
    bytesRead += bytes;
    onProgress?.({ bytesRead, totalBytes });
  };
  const results = await readValues(plan.tasks, { signal, onBytes });
  // Of one tensor it is beside the point what is wrong with others.
  const inspected = choice.row === undefined ? findings : [];
  return buildValuesReport({ path, table, files, plan, results, sample: choice.sample, inspected });
}

/** Of all stretches, whole. */
function bytesOf(tasks: readonly ValueTask[]): number {
  return tasks
    .flatMap(({ stored }) => stored)
    .flatMap(({ extents }) => extents)
    .reduce((sum, { bytes }) => sum + bytes, 0);
}
