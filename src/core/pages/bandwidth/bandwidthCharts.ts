/** A check's numbers as pictures: while it runs, when it is done, and over time. */
import type { CheckPhase, CheckProgress } from '../../bandwidth/measurement.js';
import { counted, shortRate, shortTime } from '../../text/quantities.js';
import type { ChartPoint, DotChart, LineChart, PageChart } from '../chart.js';
import type { PageTable } from '../table.js';
import type { BandwidthReport, RateSummary } from '../../bandwidth/bandwidthReport.js';
import { samplesTable } from './bandwidthTables.js';
import { historyTable } from './historyTable.js';
import { sustainedChart } from './sustainedPage.js';
import { sweepChart } from './sweepPage.js';

/** What a check measured, as pictures. */
export function bandwidthCharts(report: BandwidthReport): PageChart[] {
  const { sweep, sustained } = report;
  return [
    repeatsChart(report),
    ...(sweep === null ? [] : [sweepChart(sweep)]),
    ...(sustained === null ? [] : [sustainedChart(sustained)]),
  ];
}

/** Above this multiple of what was measured, what is needed would press all dots together; the verdict says it anyhow. */
const mostOfMeasured = 4;

/** Each repeat as a dot, with the median of each row and what is needed. */
export function repeatsChart(report: BandwidthReport): DotChart {
  const { write, read, verdict } = report;
  const highest = Math.max(write.maximumBytesPerSecond, read.maximumBytesPerSecond);
  const needed = verdict.neededBytesPerSecond;
  const marks =
    needed !== null && needed <= highest * mostOfMeasured ? [{ label: `needed ${shortRate(needed)}`, x: needed }] : [];
  return {
    kind: 'dots',
    id: 'repeats',
    title: 'Each repeat',
    summary: `Writes ${rangeInWords(write)}; reads ${rangeInWords(read)}. A line marks the median.`,
    x: {
      label: 'bytes a second; the line is the median',
      scale: 'linear',
      domain: [0, 1.06 * marks.reduce((most, { x }) => Math.max(most, x), highest)],
      format: 'bytesPerSecond',
    },
    rows: [
      { label: 'write', tone: 'line', dots: dotsOf(write), middle: write.medianBytesPerSecond },
      { label: 'read', tone: 'second', dots: dotsOf(read), middle: read.medianBytesPerSecond },
    ],
    marks,
    table: samplesTable(report),
  };
}

function dotsOf({ samples }: RateSummary): { label: string; x: number }[] {
  return samples.map(({ bytesPerSecond }, index) => ({ label: `repeat ${index + 1}`, x: bytesPerSecond }));
}

function rangeInWords({ medianBytesPerSecond, minimumBytesPerSecond, maximumBytesPerSecond }: RateSummary): string {
  return `${shortRate(medianBytesPerSecond)} in the median, from ${shortRate(minimumBytesPerSecond)} to ${shortRate(maximumBytesPerSecond)}`;
}

/**
 * The rates of a check that runs.
 * @param seconds that it may take
 */
export function progressChart(progress: readonly CheckProgress[], seconds: number): LineChart {
  const moved = progress.filter(({ phase }) => lineOf(phase) !== null);
  const elapsed = progress.at(-1)?.elapsedSeconds ?? 0;
  const highest = moved.reduce((most, { bytesPerSecond }) => Math.max(most, bytesPerSecond ?? 0), 0);
  return {
    kind: 'lines',
    id: 'progress',
    title: 'Bytes a second',
    summary: `Written and read bytes a second over the ${shortTime(elapsed)} since the start.`,
    x: { label: 'since the start', scale: 'linear', domain: [0, Math.max(seconds, elapsed)], format: 'seconds' },
    y: { label: '', scale: 'linear', domain: [0, highest === 0 ? 1e9 : highest * 1.1], format: 'bytesPerSecond' },
    lines: [
      { label: 'write', tone: 'line', isFilled: true, points: pointsOf(progress, 'write') },
      { label: 'read', tone: 'second', isFilled: true, points: pointsOf(progress, 'read') },
    ],
    bands: [],
    marks: [],
    table: progressTable(moved),
  };
}

/** With a gap wherever another phase was on. */
function pointsOf(progress: readonly CheckProgress[], wanted: 'write' | 'read'): ChartPoint[] {
  return progress.map(({ phase, elapsedSeconds, bytesPerSecond }) => ({
    x: elapsedSeconds,
    y: lineOf(phase) === wanted && bytesPerSecond !== null ? bytesPerSecond : NaN,
  }));
}

/** The line that a phase belongs to; null for one that moves no bytes worth a rate. */
function lineOf(phase: CheckPhase): 'write' | 'read' | null {
  if (phase === 'read') return 'read';
  return phase === 'write' || phase === 'sweep' || phase === 'sustained' ? 'write' : null;
}

/** Rows of the table behind the curve: enough to read its course, few enough to read. */
const mostRows = 40;

function progressTable(moved: readonly CheckProgress[]): PageTable {
  const step = Math.max(1, Math.ceil(moved.length / mostRows));
  return {
    id: 'progress',
    caption: 'Bytes a second',
    columns: [
      { label: 'since the start', isNumber: true },
      { label: 'what', isNumber: false },
      { label: 'bandwidth', isNumber: true },
    ],
    rows: moved
      .filter((_progress, index) => index % step === 0)
      .map(({ elapsedSeconds, phase, repeat, bytesPerSecond }) => [
        shortTime(elapsedSeconds),
        `${phase} ${repeat}`,
        shortRate(bytesPerSecond ?? 0),
      ]),
    note: '',
  };
}

/**
 * Medians of a directory's checks over time.
 * @param reports the newest last
 * @returns null for fewer than two, which are no course
 */
export function historyChart(reports: readonly BandwidthReport[]): LineChart | null {
  const [first, last] = [reports[0], reports.at(-1)];
  if (first === undefined || last === undefined || reports.length < 2) return null;
  const since = (report: BandwidthReport): number => (Date.parse(report.measuredAt) - Date.parse(first.measuredAt)) / 1000;
  const points = (of: (report: BandwidthReport) => number): ChartPoint[] =>
    reports.map((report) => ({ x: since(report), y: of(report) })).sort((a, b) => a.x - b.x);
  const write = points((report) => report.write.medianBytesPerSecond);
  const read = points((report) => report.read.medianBytesPerSecond);
  const highest = [...write, ...read].reduce((most, { y }) => Math.max(most, y), 0);
  const span = write.reduce((most, { x }) => Math.max(most, x), 0);
  return {
    kind: 'lines',
    id: 'history',
    title: 'Over time',
    summary: `${counted(reports.length, 'check')} of this directory over ${shortTime(span)}: the last one writes ${shortRate(last.write.medianBytesPerSecond)} and reads ${shortRate(last.read.medianBytesPerSecond)}.`,
    x: { label: 'since the first check', scale: 'linear', domain: [Math.min(0, write[0]?.x ?? 0), span || 1], format: 'seconds' },
    y: { label: '', scale: 'linear', domain: [0, highest * 1.1 || 1], format: 'bytesPerSecond' },
    lines: [
      { label: 'write', tone: 'line', isFilled: false, points: write },
      { label: 'read', tone: 'second', isFilled: false, points: read },
    ],
    bands: [],
    marks: [],
    table: historyTable(reports),
  };
}
