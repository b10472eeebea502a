import { csvCell } from '../../text/csvCell.js';
import { jobColumns, type Job } from './job.js';

/** Jobs as CSV (RFC 4180) with a header line; what is not known is an empty cell. */
export function jobsCsv(jobs: readonly Job[]): string {
  const rows = jobs.map((job) => jobColumns.map((column) => csvCell(job[column] === null ? '' : String(job[column]))));
  return `${[jobColumns, ...rows].map((cells) => cells.join(',')).join('\r\n')}\r\n`;
}
