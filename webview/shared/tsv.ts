import { visibleText } from '../../src/core/text/visibleText.js';

/** Rows as tab-separated text with a header line. Cells stay on one line, and no cell can act as a spreadsheet formula. */
export function toTsv(header: string[], rows: (string | number)[][]): string {
  return [header, ...rows].map(tsvLine).join('\n');
}

/** One row of it. */
export function tsvLine(cells: (string | number)[]): string {
  return cells.map(cellOf).join('\t');
}

function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = visibleText(value);
  return /^[=+\-@]/.test(text) ? `'${text}` : text;
}
