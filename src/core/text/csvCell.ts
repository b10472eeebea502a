/**
 * A cell of CSV (RFC 4180). One that a spreadsheet would take for a formula gets an apostrophe: names come from files that anybody may
 * have written.
 */
export function csvCell(cell: string): string {
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
