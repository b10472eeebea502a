import { baseName } from '../../files/paths.js';
import type { CollectionReport } from '../../inspection/collection/collectionReport.js';
import { markdownCode, markdownText } from '../../text/displayText.js';
import { ioSentence } from '../checkpoint/reportLines.js';
import { capped, findingsSection } from '../render/markdownParts.js';
import { collectionHeadlineOf, partCells, partFindings, partHeads, partRowsOf } from './collectionPage.js';

/** A collection as Markdown. */
export function renderCollectionMarkdown(report: CollectionReport): string {
  const { size, binarySize, what, more } = collectionHeadlineOf(report);
  return [
    `## ${markdownText(baseName(report.path) || report.path)}`,
    '',
    `**${size}** (${binarySize}): ${markdownText(what)} ${markdownText(more)}`,
    '',
    `| ${partHeads.join(' | ')} |`,
    '| --- | --- | ---: | ---: | ---: | --- | --- | --- | --- |',
    ...capped(partRowsOf(report), (row) => {
      const [, ...cells] = partCells(row);
      return `| ${[markdownCode(row.path), ...cells.map((cell) => markdownText(cell))].join(' | ')} |`;
    }),
    '',
    partFindings(report),
    '',
    ...(report.findings.length === 0 ? [] : findingsSection(report)),
    `${ioSentence(report)}.`,
    '',
  ].join('\n');
}
