/** The four pictures of a study of jobs: interval, bandwidth, bandwidth of a rank and overlap, each by the size of a save (after Lockwood, 2025). */
import { medianOrNull } from '../../bytes/median.js';
import type { Job } from '../../runs/jobs/job.js';
import { shortRate, shortShare, shortTime } from '../../text/quantities.js';
import { formatCount } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';
import type { AxisFormat, DotChart } from '../chart.js';

/** By what a save has, which is known; the parameters are those of mixed precision with Adam, at 14 bytes each (Rajbhandari et al., 2020). */
const sizes = [
  { label: 'below 100 GB (7 B)', fromBytes: 0 },
  { label: '100 GB to 1 TB (7 to 70 B)', fromBytes: 1e11 },
  { label: '1 to 10 TB (70 to 700 B)', fromBytes: 1e12 },
  { label: '10 TB and more (700 B)', fromBytes: 1e13 },
] as const;

interface Measure {
  id: string;
  title: string;
  /** What the numbers of the axis are. */
  axis: string;
  summary: string;
  format: AxisFormat;
  valueOf(job: Job): number | null;
  words(value: number): string;
}

const by = 'of each job, by the bytes of a save, in brackets the parameters at 14 bytes each.';
const measures: readonly Measure[] = [
  {
    id: 'jobs-interval',
    title: 'Interval by size',
    axis: 'between two saves',
    summary: `Time between two saves ${by}`,
    format: 'seconds',
    valueOf: (job) => job.intervalSeconds,
    words: shortTime,
  },
  {
    id: 'jobs-bandwidth',
    title: 'Bandwidth by size',
    axis: 'of a save',
    summary: `Bytes a second of a save ${by}`,
    format: 'bytesPerSecond',
    valueOf: (job) => job.bytesPerSecond,
    words: shortRate,
  },
  {
    id: 'jobs-bandwidth-of-rank',
    title: 'Bandwidth of a rank by size',
    axis: 'of a save, for each rank that writes',
    summary: `Bytes a second of a save and of a rank that writes, ${by}`,
    format: 'bytesPerSecond',
    valueOf: (job) => job.bytesPerSecondPerRank,
    words: shortRate,
  },
  {
    id: 'jobs-overlap',
    title: 'Overlap by size',
    axis: 'of the time with a save under way',
    summary: `Share of the time in which a save is under way ${by}`,
    format: 'share',
    valueOf: (job) => job.overlap,
    words: shortShare,
  },
];

/** Those of which something is known. */
export function jobCharts(jobs: readonly Job[]): DotChart[] {
  return measures.map((measure) => chartOf(measure, jobs)).filter(({ rows }) => rows.length > 0);
}

function chartOf(measure: Measure, jobs: readonly Job[]): DotChart {
  const { id, title, summary, format } = measure;
  const known = jobs.flatMap((job) => {
    const [x, bytes] = [measure.valueOf(job), job.saveBytes];
    return x === null || bytes === null || x <= 0 ? [] : [{ label: visibleText(job.name), x, bytes }];
  });
  const rows = sizes.flatMap(({ label, fromBytes }, index) => {
    const endBytes = sizes[index + 1]?.fromBytes ?? Infinity;
    const dots = known.filter(({ bytes }) => bytes >= fromBytes && bytes < endBytes);
    const middle = medianOrNull(dots.map(({ x }) => x));
    return middle === null ? [] : [{ label, tone: 'line' as const, dots, middle }];
  });
  const values = known.map(({ x }) => x);
  const most = values.reduce((largest, x) => Math.max(largest, x), 0);
  const least = values.reduce((smallest, x) => Math.min(smallest, x), most);
  return {
    kind: 'dots',
    id,
    title,
    summary,
    x: { label: measure.axis, scale: 'log', domain: [least / 1.5, most * 1.5], format },
    rows,
    marks: [],
    table: {
      id,
      caption: title,
      columns: ['size of a save', 'jobs', 'least', 'median', 'most'].map((label, index) => ({ label, isNumber: index > 0 })),
      rows: rows.map(({ label, dots, middle }) => {
        const inOrder = dots.map(({ x }) => x).sort((a, b) => a - b);
        const [first = middle, last = middle] = [inOrder[0], inOrder.at(-1)];
        return [label, formatCount(dots.length), ...[first, middle, last].map((value) => measure.words(value))];
      }),
      note: '',
    },
  };
}
