/** What several reports of files amount to. */
import { sizesNotCompared, unreadNotDone } from '../../checkpoints/checks.js';
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
    notDone: joinNotDone(reports.flatMap(({ checks }) => checks.notDone)),
  };
}

const unreadContents = /^the contents of ([\d,]+) files? that could not be read$/;

/** Each once: where no size of a config was compared somewhere, that says it for all; files that could not be read are added up. */
function joinNotDone(all: readonly string[]): string[] {
  const known = new Set(all);
  const unread = all.reduce((sum, text) => sum + Number((unreadContents.exec(text)?.[1] ?? '0').replaceAll(',', '')), 0);
  if (known.has(sizesNotCompared(''))) known.delete(sizesNotCompared('other '));
  const joined = [...known].filter((text) => !unreadContents.test(text));
  return unread === 0 ? joined : [unreadNotDone(unread), ...joined];
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
