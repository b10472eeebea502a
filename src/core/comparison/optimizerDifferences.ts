/** What is known of both optimizers, and which parameters only one of them has state of. */
import { appendAll } from '../bytes/appendAll.js';
import { limits } from '../bytes/limits.js';
import type { CheckpointReport, ObjectNode } from '../checkpoints/checkpointReport.js';
import type { TensorPart } from '../tensors/component.js';
import type { TensorTable } from '../tensors/tensorTable.js';
import { canonicalName } from './canonicalName.js';
import type { ComparedCheckpoint } from './comparedCheckpoint.js';
import type { OptimizerDifferences, OptimizerSide } from './comparisonReport.js';

export function compareOptimizers(a: ComparedCheckpoint, b: ComparedCheckpoint): OptimizerDifferences {
  const [namesA, namesB] = [namedParameters(a), namedParameters(b)];
  const found: OptimizerDifferences = {
    a: optimizerOf(a, namesA),
    b: optimizerOf(b, namesB),
    onlyA: [],
    onlyB: [],
    counts: { onlyA: 0, onlyB: 0 },
  };
  if (namesA === null || namesB === null) return found;
  found.counts.onlyA = addMissing(found.onlyA, namesA, namesB);
  found.counts.onlyB = addMissing(found.onlyB, namesB, namesA);
  return found;
}

function optimizerOf({ report, table }: ComparedCheckpoint, names: ReadonlySet<string> | null): OptimizerSide | null {
  const own = report.components.optimizer;
  if (own === undefined) return null;
  return {
    kind: report.facts.find(({ id }) => id === 'optimizer')?.value ?? null,
    bytes: own.tensorBytes + own.otherBytes,
    tensors: own.tensors,
    parts: partsOf(table),
    groups: groupsOf(report),
    namedParameters: names?.size ?? null,
  };
}

function partsOf(table: TensorTable): OptimizerSide['parts'] {
  const parts: Partial<Record<TensorPart, number>> = {};
  for (let row = 0; row < table.size; row++) {
    if (table.componentOf(row) !== 'optimizer') continue;
    const part = table.partOf(row);
    parts[part] = (parts[part] ?? 0) + 1;
  }
  return parts;
}

/** Parameters that state is stored of by name; null where it is stored by numbers, and where only its order tells. */
function namedParameters({ report, table }: ComparedCheckpoint): Set<string> | null {
  if (report.optimizerMatch?.method !== 'by-name') return null;
  const names = new Set<string>();
  for (let row = 0; row < table.size; row++) {
    const parameter = table.componentOf(row) === 'optimizer' ? table.extraOf(row)?.parameter : undefined;
    if (parameter !== undefined) names.add(canonicalName(parameter));
  }
  return names;
}

function addMissing(list: string[], names: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let count = 0;
  for (const name of names) {
    if (others.has(name)) continue;
    count += 1;
    if (count <= limits.comparedDifferences) list.push(name);
  }
  return count;
}

/** Entries of the first `param_groups` of the objects. */
function groupsOf({ objects }: CheckpointReport): number | null {
  const open: ObjectNode[] = objects.map(({ root }) => root);
  for (let at = 0; at < open.length && at < limits.comparedNodes; at++) {
    const node = open[at] as ObjectNode;
    if (node.key === 'param_groups' && node.kind === 'list') return node.count ?? node.children?.length ?? null;
    if (open.length < limits.comparedNodes) appendAll(open, node.children ?? []);
  }
  return null;
}
