import { baseName } from '../../files/paths.js';
import type { CollectionReport } from '../../inspection/collection/collectionReport.js';
import { markdownCode, markdownText } from '../../text/displayText.js';
import { ioSentence } from '../checkpoint/reportLines.js';
import { capped, findingsSection } from '../render/markdownParts.js';
import { collectionHeadlineOf, partCells, partFindings, partHeads, partRowsOf, uncheckedLines } from './collectionPage.js';

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
      const [part = '', ...cells] = partCells(row);
      return `| ${[markdownCode(part), ...cells.map((cell) => markdownText(cell))].join(' | ')} |`;
    }),
    '',
    partFindings(report),
    '',
    ...(report.findings.length === 0 ? [] : findingsSection(report)),
    ...uncheckedLines(report).flatMap((line) => [markdownText(line), '']),
    `${ioSentence(report)}.`,
    '',
  ].join('\n');
}
