import type { DatasetReport } from '../../src/core/datasets/datasetReport.js';
import type { DatasetTabId, TabId } from '../panel/viewState.js';
import type { TabItem } from '../shared/tabStrip.js';

/** Tabs of what there is. Every dataset that has bytes is a load on storage. A single fact stands below the columns. */
export function datasetTabs(report: DatasetReport): (TabItem & { id: DatasetTabId })[] {
  const { columns, shards, splits, lengths, files, findings, facts, totalBytes, pickleImports = [] } = report;
  const tab = (id: DatasetTabId, label: string, count?: number): TabItem & { id: DatasetTabId } => ({
    id,
    label,
    ...(count !== undefined && { count }),
  });
  return [
    tab('columns', 'Columns', columns.length),
    ...(shards.length === 0 ? [] : [tab('shards', 'Shards', shards.length)]),
    ...(splits.length === 0 ? [] : [tab('splits', 'Splits', splits.length)]),
    ...(lengths === null && !report.lengthsOnRequest ? [] : [tab('lengths', 'Lengths')]),
    ...(totalBytes === 0 ? [] : [tab('plan', 'Read load')]),
    tab('files', 'Files', files.length),
    tab('findings', 'Findings', findings.length),
    ...(pickleImports.length === 0 ? [] : [tab('imports', 'Imports', pickleImports.length)]),
    ...(facts.length < 2 ? [] : [tab('facts', 'Facts', facts.length)]),
    ...(totalBytes === 0 ? [] : [tab('integrity', 'Integrity')]),
  ];
}

/** Until one is chosen, or where the chosen one is not there: the first. */
export function shownDatasetTab(report: DatasetReport, chosen: TabId | null): DatasetTabId {
  const tabs = datasetTabs(report);
  return (tabs.find(({ id }) => id === chosen) ?? tabs[0])?.id ?? 'columns';
}
