/** Several things side by side, in Markdown: what decides, and the table. */
import { markdownText } from '../../text/displayText.js';
import type { PageTable } from '../table.js';
import { tableLines } from './markdownTable.js';

/** @returns text that ends with a line break */
export function comparisonMarkdown({
  decision,
  reasons,
  table,
}: {
  decision: string;
  reasons: readonly string[];
  table: PageTable;
}): string {
  return [markdownText([decision, ...reasons].join(' ')), '', ...tableLines(table), ''].join('\n');
}
