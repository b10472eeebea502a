import type { Report } from '../inspection/report.js';
import { renderCheckpointMarkdown } from './checkpoint/checkpointMarkdown.js';
import { renderCollectionMarkdown } from './collection/collectionMarkdown.js';
import { renderDatasetMarkdown } from './dataset/datasetMarkdown.js';

/** The report as Markdown. Text from files is escaped, so that it stays text wherever it is pasted. */
export function renderMarkdown(report: Report): string {
  switch (report.kind) {
    case 'checkpoint':
      return renderCheckpointMarkdown(report);
    case 'dataset':
      return renderDatasetMarkdown(report);
    case 'collection':
      return renderCollectionMarkdown(report);
  }
}
