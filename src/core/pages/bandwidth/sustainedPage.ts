/** The rate over time while files were written without a pause, as a chart and a table. */
import type { SustainedReport } from '../../bandwidth/sustained/sustainedReport.js';
import { sustainedSentence } from '../../bandwidth/sustained/sustainedWords.js';
import { shortRate, shortTime } from '../../text/quantities.js';
import { formatBytes } from '../../text/units.js';
import type { LineChart } from '../chart.js';
import type { PageTable } from '../table.js';

export function sustainedChart(sustained: SustainedReport): LineChart {
  const { curve, burst, outcome, bytesPerSecond, seconds } = sustained;
  const highest = curve.reduce((most, point) => Math.max(most, point.bytesPerSecond), 0);
  const end = Math.max(seconds, curve.at(-1)?.seconds ?? 0);
  const isFallen = burst !== null && outcome !== 'spent-before';
  return {
    kind: 'lines',
    id: 'sustained',
    title: 'Write rate over time',
    summary: sustainedSentence(sustained),
    x: { label: 'since the first byte', scale: 'linear', domain: [0, end || 1], format: 'seconds' },
    y: { label: '', scale: 'linear', domain: [0, highest * 1.15 || 1], format: 'bytesPerSecond' },
    lines: [
      {
        label: 'rate',
        tone: 'line',
        isFilled: true,
        points: curve.map((point) => ({ x: point.seconds, y: point.bytesPerSecond })),
      },
      {
        label: outcome === 'unsettled' ? 'at the end' : 'sustained',
        tone: 'second',
        isFilled: false,
        points: [
          { x: isFallen ? burst.seconds : 0, y: bytesPerSecond },
          { x: end, y: bytesPerSecond },
        ],
      },
    ],
    bands: isFallen ? [{ label: 'burst', tone: 'muted', from: 0, to: burst.seconds }] : [],
    marks: [],
    table: sustainedTable(sustained),
  };
}

/** Rows of the course: enough to see a fall, few enough to read in a terminal. */
const mostRows = 12;

export function sustainedTable({ curve, bytes, seconds, endedBy, roomBytes, streams }: SustainedReport): PageTable {
  const step = Math.max(1, Math.ceil(curve.length / mostRows));
  const last = curve.length - 1;
  return {
    id: 'sustained',
    caption: 'Write rate over time',
    columns: [
      { label: 'since the first byte', isNumber: true },
      { label: 'write', isNumber: true },
    ],
    rows: curve
      // Counted from the end, so that the last rate is always there.
      .filter((_point, index) => (last - index) % step === 0)
      .map((point) => [shortTime(point.seconds), shortRate(point.bytesPerSecond)]),
    note: `${formatBytes(bytes)} in ${shortTime(seconds)} by ${streams === 1 ? '1 stream' : `${streams} streams`}, never more than ${formatBytes(roomBytes)} at once; ended ${endWords[endedBy]}.`,
  };
}

const endWords: Readonly<Record<SustainedReport['endedBy'], string>> = {
  settled: 'as the rate had fallen and settled',
  bytes: 'at the bound of bytes',
  seconds: 'at the bound of time',
};
