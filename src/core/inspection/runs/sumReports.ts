/** What several reports of files amount to. */
import type { CheckpointReport, ComponentTotals } from '../../checkpoints/checkpointReport.js';
import { componentIds } from '../../tensors/component.js';

/** The sums of components over the reports. */
export function sumComponents(reports: readonly Pick<CheckpointReport, 'components'>[]): CheckpointReport['components'] {
  const sums: CheckpointReport['components'] = {};
  for (const component of componentIds) {
    for (const report of reports) {
      const totals = report.components[component];
      if (totals !== undefined) sums[component] = addTotals(sums[component], totals);
    }
  }
  return sums;
}

/** Each check of any report once. */
export function sumChecks(reports: readonly Pick<CheckpointReport, 'checks'>[]): CheckpointReport['checks'] {
  return {
    done: [...new Set(reports.flatMap(({ checks }) => checks.done))],
    notDone: [...new Set(reports.flatMap(({ checks }) => checks.notDone))],
  };
}

function addTotals(sum: ComponentTotals | undefined, totals: ComponentTotals): ComponentTotals {
  if (sum === undefined) return { ...totals, ...(totals.parts === undefined ? {} : { parts: { ...totals.parts } }) };
  const parts = { ...sum.parts };
  for (const [part, bytes] of Object.entries(totals.parts ?? {}))
    parts[part as keyof typeof parts] = (parts[part as keyof typeof parts] ?? 0) + bytes;
  return {
    tensorBytes: sum.tensorBytes + totals.tensorBytes,
    otherBytes: sum.otherBytes + totals.otherBytes,
    logicalBytes: sum.logicalBytes + totals.logicalBytes,
    tensors: sum.tensors + totals.tensors,
    files: sum.files + totals.files,
    ...(Object.keys(parts).length === 0 ? {} : { parts }),
  };
}
