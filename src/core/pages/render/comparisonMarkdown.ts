/** Several things side by side, in Markdown: what decides, and the table. */
import { markdownText } from '../../text/displayText.js';
import type { PageChart } from '../chart.js';
import type { PageTable } from '../table.js';
import { chartLink, tableLines } from './markdownTable.js';

/**
 * @param charts below the table, which lie as `ID.svg` in a folder beside the Markdown
 * @returns text that ends with a line break
 */
export function comparisonMarkdown(
  {
    decision,
    reasons,
    table,
    tables = [],
  }: { decision: string; reasons: readonly string[]; table: PageTable; tables?: readonly PageTable[] },
  { charts, chartFolder }: { charts: readonly PageChart[]; chartFolder: string } = { charts: [], chartFolder: '' },
): string {
  const pictures = charts.flatMap((chart) => [...chartLink(chart, chartFolder), ...tableLines(chart.table)]);
  return [markdownText([decision, ...reasons].join(' ')), '', ...[table, ...tables].flatMap(tableLines), ...pictures, ''].join(
    '\n',
  );
}
