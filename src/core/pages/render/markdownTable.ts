/** Tables and charts in Markdown. Text from files is escaped. */
import { markdownText } from '../../text/displayText.js';
import type { PageChart } from '../chart.js';
import type { PageTable } from '../table.js';

/** A table with its caption and its note; empty without rows. */
export function tableLines({ caption, columns, rows, note }: PageTable): string[] {
  if (rows.length === 0) return [];
  const row = (cells: readonly string[]): string => `| ${cells.map(markdownText).join(' | ')} |`;
  return [
    `${markdownText(caption)}:`,
    '',
    row(columns.map(({ label }) => label)),
    `| ${columns.map(({ isNumber }) => (isNumber ? '---:' : '---')).join(' | ')} |`,
    ...rows.map(row),
    '',
    ...(note === '' ? [] : [markdownText(note), '']),
  ];
}

/** A chart that lies as `ID.svg` in a folder beside the Markdown. */
export function chartLink({ id, summary }: Pick<PageChart, 'id' | 'summary'>, chartFolder: string): string[] {
  // A folder of spaces or brackets must not end the link.
  const folder = encodeURIComponent(chartFolder).replaceAll('(', '%28').replaceAll(')', '%29');
  return [`![${markdownText(summary)}](${folder}/${id}.svg)`, ''];
}
