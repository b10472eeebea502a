/** A sweep over numbers of streams: what to write with, as a sentence, a table and a chart. */
import { shortRepeatSeconds } from '../../bandwidth/shortRepeats.js';
import { kneeShare } from '../../bandwidth/sweep/knee.js';
import type { SweepMode, SweepPoint, SweepReport } from '../../bandwidth/sweep/sweepReport.js';
import { median } from '../../bytes/median.js';
import { capitalized } from '../../text/capitalized.js';
import { counted, shortRate, shortShare, shortTime } from '../../text/quantities.js';
import type { ChartTone, LineChart } from '../chart.js';
import type { PageTable } from '../table.js';

/** The number of streams first, then how sure it is, and the other mode. */
export function sweepSentences({ points, modes, recommended }: SweepReport): string[] {
  const chosen = modes.find(({ isDirect }) => isDirect === recommended.isDirect);
  const other = modes.find(({ isDirect }) => isDirect !== recommended.isDirect);
  if (chosen === undefined) return [];
  return [
    `Use ${counted(recommended.streams, 'stream')}: ${shortRate(recommended.medianBytesPerSecond)} ${modeWords(chosen)}, ${ofBest(recommended.medianBytesPerSecond, chosen)}${rangeWords(chosen)}.`,
    ...shortRuns(points),
    ...(chosen.isStillRising ? ['The rate still rises with the most streams: sweep more of them.'] : []),
    ...(other === undefined
      ? []
      : [
          `${capitalized(modeWords(other))} ${counted(other.streams, 'stream')} are enough, of at best ${shortRate(other.bestBytesPerSecond)}.`,
        ]),
  ];
}

/** Runs so short that starting and syncing weigh in them as much as the storage does. */
function shortRuns(points: readonly SweepPoint[]): string[] {
  const seconds = points.flatMap(({ runs }) => runs.map((run) => run.seconds));
  const usual = seconds.length === 0 ? 0 : median(seconds);
  return usual >= shortRepeatSeconds ? [] : [`Runs took ${shortTime(usual)} each: allow more time or space for a surer answer.`];
}

function ofBest(bytesPerSecond: number, { streams, bestStreams, bestBytesPerSecond }: SweepMode): string {
  if (streams === bestStreams || bestBytesPerSecond === 0) return 'the best of those tried';
  return `${shortShare(bytesPerSecond / bestBytesPerSecond)} of the ${shortRate(bestBytesPerSecond)} with ${bestStreams}`;
}

/** Where the repeats leave the knee open. */
function rangeWords({ range: [fewest, most] }: SweepMode): string {
  return fewest === most ? '' : ` (${fewest} to ${most} by the range of the repeats)`;
}

function modeWords({ isDirect }: Pick<SweepMode, 'isDirect'>): string {
  return isDirect ? 'past the cache' : 'through the cache and synced';
}

export function sweepTable({ points, modes }: SweepReport): PageTable {
  return {
    id: 'sweep',
    caption: 'Streams',
    columns: [
      { label: 'streams', isNumber: true },
      { label: 'how', isNumber: false },
      { label: 'write', isNumber: true },
      { label: 'from', isNumber: true },
      { label: 'to', isNumber: true },
      { label: 'of the best', isNumber: true },
      { label: 'repeats', isNumber: true },
    ],
    rows: points.map((point) =>
      rowOf(
        point,
        modes.find(({ isDirect }) => isDirect === point.isDirect),
      ),
    ),
    note: `The knee is the fewest streams whose median reaches ${shortShare(kneeShare)} of the best median.`,
  };
}

function rowOf(point: SweepPoint, mode: SweepMode | undefined): string[] {
  const { streams, medianBytesPerSecond, minimumBytesPerSecond, maximumBytesPerSecond, runs } = point;
  const best = mode?.bestBytesPerSecond ?? 0;
  return [
    String(streams),
    `${modeWords(point)}${mode?.streams === streams ? ', knee' : ''}`,
    shortRate(medianBytesPerSecond),
    shortRate(minimumBytesPerSecond),
    shortRate(maximumBytesPerSecond),
    best === 0 ? '' : shortShare(medianBytesPerSecond / best),
    String(runs.length),
  ];
}

const tones: Readonly<Record<'direct' | 'cached', ChartTone>> = { direct: 'line', cached: 'second' };

/** Medians over the number of streams, each mode a line, its knee named. */
export function sweepChart(sweep: SweepReport): LineChart {
  const { points, modes, recommended } = sweep;
  const fewest = points.reduce((least, { streams }) => Math.min(least, streams), Infinity);
  const most = points.reduce((largest, { streams }) => Math.max(largest, streams), 0);
  const highest = points.reduce((most, { medianBytesPerSecond }) => Math.max(most, medianBytesPerSecond), 0);
  const ofMode = (direct: boolean): SweepPoint[] => points.filter(({ isDirect }) => isDirect === direct);
  return {
    kind: 'lines',
    id: 'sweep',
    title: 'Write rate by number of streams',
    summary: sweepSentences(sweep).join(' '),
    x: {
      label: 'streams',
      scale: 'log',
      domain: [Math.max(1, fewest), Math.max(2, most)],
      format: 'count',
      ticks: [...new Set(points.map(({ streams }) => streams))].sort((a, b) => a - b),
    },
    y: { label: '', scale: 'linear', domain: [0, highest * 1.15 || 1], format: 'bytesPerSecond' },
    lines: modes.map(({ isDirect }) => ({
      label: modeWords({ isDirect }),
      tone: tones[isDirect ? 'direct' : 'cached'],
      isFilled: false,
      points: ofMode(isDirect).map(({ streams, medianBytesPerSecond }) => ({ x: streams, y: medianBytesPerSecond })),
    })),
    bands: [],
    marks: modes.flatMap(({ isDirect, streams }) => {
      const knee = ofMode(isDirect).find((point) => point.streams === streams);
      if (knee === undefined) return [];
      const label = counted(streams, 'stream');
      return [{ label, x: streams, y: knee.medianBytesPerSecond, isMain: isDirect === recommended.isDirect }];
    }),
    table: sweepTable(sweep),
  };
}
