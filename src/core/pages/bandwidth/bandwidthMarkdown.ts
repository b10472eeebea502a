import { markdownText } from '../../text/displayText.js';
import { chartLink, tableLines } from '../render/markdownTable.js';
import type { BandwidthReport } from '../../bandwidth/bandwidthReport.js';
import { answersOf } from './bandwidthAnswers.js';
import { bandwidthCharts } from './bandwidthCharts.js';
import { bandwidthFacts, bandwidthTables } from './bandwidthTables.js';

/**
 * A check as Markdown: for a ticket to those who run the storage. Text from files is escaped.
 * @param chartFolder where the charts lie as `ID.svg`, relative to the Markdown; null leaves them to the tables
 */
export function renderBandwidthMarkdown(report: BandwidthReport, chartFolder: string | null = null): string {
  const { verdict, fileSystem } = report;
  return [
    `# ${markdownText(`Bandwidth of ${report.path}`)}`,
    '',
    answersOf(report).map(markdownText).join(' '),
    '',
    markdownText(fileSystem.meaning),
    '',
    ...(chartFolder === null ? [] : bandwidthCharts(report).flatMap((chart) => chartLink(chart, chartFolder))),
    ...bandwidthTables(report).flatMap(tableLines),
    ...caveatLines(verdict.caveats),
    '## What was measured',
    '',
    `- Measured: ${markdownText(report.measuredAt)}`,
    ...bandwidthFacts(report).map(({ label, value }) => `- ${label}: ${markdownText(value)}`),
    '',
  ].join('\n');
}

function caveatLines(caveats: BandwidthReport['verdict']['caveats']): string[] {
  if (caveats.length === 0) return [];
  return ['## Caveats', '', ...caveats.map(({ text }) => `- ${markdownText(text)}`), ''];
}
