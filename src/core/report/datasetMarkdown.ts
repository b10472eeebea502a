import { datasetHeadlineOf } from './datasetHeadline.js';
import type { DatasetReport } from './datasetReport.js';
import { ioSentence } from './reportLines.js';

/** A dataset as Markdown. */
export function renderDatasetMarkdown(report: DatasetReport): string {
  const { size, binarySize, what, how } = datasetHeadlineOf(report);
  return [`**${size}** (${binarySize}): ${what} ${how}`, '', `${ioSentence(report)}.`, ''].join('\n');
}
