import { datasetHeadlineOf } from './datasetHeadline.js';
import { byteKinds, type DatasetReport } from './datasetReport.js';
import { ioSentence } from './reportLines.js';
import { findingsBlock, painter } from './terminalText.js';
import type { TerminalOptions } from './terminal.js';
import { formatBytes, formatShare } from './units.js';
import { visibleText } from './visibleText.js';

/** A dataset as a summary for a terminal. */
export function renderDatasetTerminal(report: DatasetReport, { color }: TerminalOptions): string {
  const paint = painter(color);
  const headline = datasetHeadlineOf(report);
  return [
    paint('bold', visibleText(report.path)),
    report.layout,
    '',
    `${paint('bold', headline.size)} (${headline.binarySize}): ${headline.what}`,
    headline.how,
    '',
    ...byteKinds.flatMap((kind) => {
      const bytes = report.bytes[kind];
      return bytes === undefined
        ? []
        : [`  ${kind.padEnd(14)}${formatBytes(bytes).padStart(10)}${formatShare(bytes / report.totalBytes).padStart(9)}`];
    }),
    '',
    ...findingsBlock(report.findings, paint),
    '',
    paint('dim', ioSentence(report)),
    '',
  ].join('\n');
}
