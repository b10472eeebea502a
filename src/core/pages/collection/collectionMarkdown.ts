import { placeName } from '../../files/paths.js';
import type { CollectionReport } from '../../inspection/collection/collectionReport.js';
import type { CacheReport } from '../../inspection/hubCache/cacheReport.js';
import { markdownCode, markdownText } from '../../text/displayText.js';
import { ioSentence } from '../checkpoint/reportLines.js';
import { findingsSection, MAX_ROWS } from '../render/markdownParts.js';
import { usageHeads, usageRowsOf } from './cachePage.js';
import {
  collectionHeadlineOf,
  collectionSubtitle,
  partCells,
  partFindings,
  partHeads,
  shownPartRows,
  loadLines,
  passedLines,
  uncheckedLines,
} from './collectionPage.js';

/** A collection as Markdown. */
export function renderCollectionMarkdown(report: CollectionReport): string {
  const { size, binarySize, what, more } = collectionHeadlineOf(report);
  return [
    `## ${markdownText(placeName(report.path))}`,
    '',
    collectionSubtitle(report),
    '',
    `**${size}** (${binarySize}): ${markdownText(what)} ${markdownText(more)}`,
    '',
    ...(report.parts.length === 0 ? [] : [partFindings(report), '']),
    ...(report.findings.length === 0 ? [] : findingsSection(report)),
    ...partsTable(report),
    ...(report.cache === undefined ? [] : usageTable(report.cache)),
    ...[...loadLines(report), ...passedLines(report), ...uncheckedLines(report)].flatMap((line) => [markdownText(line), '']),
    `${ioSentence(report)}.`,
    '',
  ].join('\n');
}

/** Only a cache has a column for what no other revision has. */
function partsTable(report: CollectionReport): string[] {
  if (report.parts.length === 0) return [];
  const isShown = (_: string, column: number): boolean => report.cache !== undefined || partHeads[column] !== 'only here';
  const heads = partHeads.filter(isShown);
  const { rows, rest } = shownPartRows(report, MAX_ROWS);
  const aligned = heads.map((head) => (numeric.has(head) ? '---:' : '---'));
  return [
    `| ${heads.join(' | ')} |`,
    `| ${aligned.join(' | ')} |`,
    ...rows.map((row) => {
      const [name = '', ...cells] = partCells(row);
      const shown = [
        row.label === undefined ? markdownCode(name) : markdownText(name),
        ...cells.map((cell) => markdownText(cell)),
      ];
      return `| ${shown.filter(isShown).join(' | ')} |`;
    }),
    ...(rest === '' ? [] : ['', `${rest}.`]),
    '',
  ];
}

/** Columns that hold numbers. */
const numeric: ReadonlySet<string> = new Set(['size', 'only here', 'holds', 'step']);

function usageTable(cache: CacheReport): string[] {
  return [
    `| ${usageHeads.join(' | ')} |`,
    '| --- | ---: | ---: |',
    ...usageRowsOf(cache).map(({ label, size, files }) => `| ${label} | ${size} | ${files} |`),
    '',
  ];
}
