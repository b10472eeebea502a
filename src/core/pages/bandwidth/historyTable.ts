/** Earlier checks of a directory, as they are compared. */
import { csvCell } from '../../text/csvCell.js';
import { shortRate } from '../../text/quantities.js';
import { formatBytes } from '../../text/units.js';
import type { PageTable } from '../table.js';
import type { BandwidthReport } from '../../bandwidth/bandwidthReport.js';

/** The newest first, each with the change to the one before it. */
export function historyTable(reports: readonly BandwidthReport[]): PageTable {
  return {
    id: 'history',
    caption: 'Checks of this directory',
    columns: [
      { label: 'measured', isNumber: false },
      { label: 'write', isNumber: true },
      { label: 'change', isNumber: true },
      { label: 'read', isNumber: true },
      { label: 'change', isNumber: true },
      { label: 'written', isNumber: true },
      { label: 'streams', isNumber: true },
    ],
    rows: reports.map((report, index) => rowOf(report, reports[index - 1])).reverse(),
    note: 'A change of the files, the streams or the blocks changes the bandwidth too: compare like with like.',
  };
}

function rowOf(report: BandwidthReport, before: BandwidthReport | undefined): string[] {
  const { measuredAt, write, read, shape } = report;
  return [
    momentInWords(measuredAt),
    shortRate(write.medianBytesPerSecond),
    changeInWords(before?.write.medianBytesPerSecond, write.medianBytesPerSecond),
    shortRate(read.medianBytesPerSecond),
    changeInWords(before?.read.medianBytesPerSecond, read.medianBytesPerSecond),
    formatBytes(shape.totalBytes),
    String(shape.streams),
  ];
}

/** `2026-03-04 15:16 UTC`: the same in every place that it is read. */
export function momentInWords(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

/** `+12 %`, `−40 %`; empty where there is nothing to compare with. */
export function changeInWords(before: number | undefined, after: number): string {
  if (before === undefined || before <= 0) return '';
  const percent = Math.round((after / before - 1) * 100);
  return percent === 0 ? '0 %' : `${percent > 0 ? '+' : '−'}${Math.abs(percent)} %`;
}

const csvColumns = [
  'measured_at',
  'path',
  'file_system',
  'write_median_bytes_per_second',
  'write_minimum_bytes_per_second',
  'write_spread',
  'read_median_bytes_per_second',
  'read_minimum_bytes_per_second',
  'read_spread',
  'written_bytes',
  'streams',
  'block_bytes',
] as const;

/** RFC 4180, the oldest first. */
export function historyCsv(reports: readonly BandwidthReport[]): string {
  const rows = reports.map(({ measuredAt, path, fileSystem, write, read, shape }) => [
    measuredAt,
    path,
    fileSystem.name,
    write.medianBytesPerSecond,
    write.minimumBytesPerSecond,
    write.spread,
    read.medianBytesPerSecond,
    read.minimumBytesPerSecond,
    read.spread,
    shape.totalBytes,
    shape.streams,
    shape.blockBytes,
  ]);
  return [csvColumns, ...rows].map((row) => `${row.map((cell) => csvCell(String(cell))).join(',')}\r\n`).join('');
}
