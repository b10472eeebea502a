import type { CollectionReport } from '../../inspection/collection/collectionReport.js';
import type { CacheReport } from '../../inspection/hubCache/cacheReport.js';
import { visibleText } from '../../text/visibleText.js';
import { ioSentence } from '../checkpoint/reportLines.js';
import { findingsBlock, painter, type TerminalOptions } from '../render/terminalText.js';
import { usageRowsOf } from './cachePage.js';
import {
  collectionHeadlineOf,
  collectionSubtitle,
  loadLines,
  partCells,
  partFindings,
  partHeads,
  shownPartRows,
  passedLines,
  uncheckedLines,
} from './collectionPage.js';

/** Rows that are shown before the rest is counted. */
const MAX_ROWS = 60;
/** Columns that hold numbers. */
const numeric = new Set<string>(['size', 'only here', 'holds', 'step']);

/** A collection as a summary for a terminal. */
export function renderCollectionTerminal(report: CollectionReport, options: TerminalOptions): string {
  const paint = painter(options.color);
  const { size, binarySize, what, more } = collectionHeadlineOf(report);
  const { rows, rest } = shownPartRows(report, MAX_ROWS);
  return [
    paint('bold', visibleText(report.path)),
    collectionSubtitle(report),
    '',
    `${paint('bold', size)} (${binarySize}): ${what}`,
    more,
    '',
    ...(rows.length === 0 ? [] : tableLines(rows.map(partCells))),
    ...(rest === '' ? [] : [`  ${rest}: see --json`]),
    '',
    ...(report.cache === undefined ? [] : [...usageLines(report.cache), '']),
    ...(report.parts.length === 0 ? [] : [partFindings(report)]),
    ...loadLines(report),
    ...(report.findings.length === 0 ? [] : findingsBlock(report, paint)),
    '',
    ...passedLines(report),
    ...uncheckedLines(report),
    paint('dim', ioSentence(report)),
    '',
  ].join('\n');
}

function usageLines(cache: CacheReport): string[] {
  const rows = usageRowsOf(cache);
  const widest = rows.reduce((width, { label }) => Math.max(width, label.length), 0);
  return rows.map(
    ({ label, size, files }) => `  ${label.padEnd(widest)}${size.padStart(10)}  ${files} ${files === '1' ? 'file' : 'files'}`,
  );
}

/** Columns without any cell are left out. */
function tableLines(rows: readonly string[][]): string[] {
  const shown = partHeads.map((_, column) => column).filter((column) => rows.some((row) => row[column] !== ''));
  const lines = [[...partHeads], ...rows];
  const widths = shown.map((column) => lines.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0));
  return lines.map((row) =>
    `  ${shown
      .map((column, at) => {
        const cell = row[column] ?? '';
        const width = widths[at] ?? 0;
        return numeric.has(partHeads[column] ?? '') ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')}`.trimEnd(),
  );
}
