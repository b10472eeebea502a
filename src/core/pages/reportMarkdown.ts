import type { Report } from '../inspection/report.js';
import { renderCheckpointMarkdown } from './checkpoint/checkpointMarkdown.js';
import { renderDatasetMarkdown } from './dataset/datasetMarkdown.js';

/** The report as Markdown. Text from files is escaped, so that it stays text wherever it is pasted. */
export function renderMarkdown(report: Report): string {
  return report.kind === 'dataset' ? renderDatasetMarkdown(report) : renderCheckpointMarkdown(report);
}
