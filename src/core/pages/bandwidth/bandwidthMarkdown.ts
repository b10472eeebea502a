import { markdownText } from '../../text/displayText.js';
import { tableLines } from '../plan/planMarkdown.js';
import type { BandwidthReport } from '../../bandwidth/bandwidthReport.js';
import { bandwidthFacts, bandwidthTables } from './bandwidthTables.js';

/** A check as Markdown: for a ticket to those who run the storage. Text from files is escaped. */
export function renderBandwidthMarkdown(report: BandwidthReport): string {
  const { verdict, fileSystem } = report;
  return [
    `# ${markdownText(`Bandwidth of ${report.path}`)}`,
    '',
    verdict.sentences.map(markdownText).join(' '),
    '',
    markdownText(fileSystem.meaning),
    '',
    ...bandwidthTables(report).flatMap(tableLines),
    '## Caveats',
    '',
    ...verdict.caveats.map(({ text }) => `- ${markdownText(text)}`),
    '',
    '## What was measured',
    '',
    `- Measured: ${markdownText(report.measuredAt)}`,
    ...bandwidthFacts(report).map(({ label, value }) => `- ${label}: ${markdownText(value)}`),
    '',
  ].join('\n');
}
