/** Pictures of a run over its steps: how large each save was, how long it took, at what rate, and the time between two. */
import { labelOfComponent } from '../../checkpoints/segments.js';
import { pairsOf, saveSeconds, timedSaves } from '../../runs/gaps.js';
import type { SavedCheckpoint } from '../../runs/savedCheckpoint.js';
import type { TrainingRun } from '../../runs/trainingRun.js';
import { componentIds, type ComponentId } from '../../tensors/component.js';
import { shortRate, shortTime } from '../../text/quantities.js';
import { formatBytes, formatCount } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';
import type { AxisFormat, ChartPoint, ChartTone, LineChart } from '../chart.js';

/** A save that has a step, by which the charts go. */
type Stepped = SavedCheckpoint & { step: number };

/** Fewer saves are no picture. */
const leastSaves = 3;

/** Empty of a run that is too short. */
export function runCharts(run: TrainingRun): LineChart[] {
  const saves = run.checkpoints.filter((save): save is Stepped => save.step !== null);
  const charts = [sizeChart(saves), durationChart(saves), rateChart(saves), intervalChart(run)];
  return charts.filter(({ lines }) =>
    lines.some(({ points }) => points.filter(({ y }) => Number.isFinite(y)).length >= leastSaves),
  );
}

interface Series {
  label: string;
  points: ChartPoint[];
}

const tones: readonly ChartTone[] = ['line', 'second', 'third', 'fourth'];

function chartOf(
  { id, title, summary }: Pick<LineChart, 'id' | 'title' | 'summary'>,
  format: AxisFormat,
  series: readonly Series[],
  marks: LineChart['marks'] = [],
): LineChart {
  const points = series.flatMap((one) => one.points).filter(({ y }) => Number.isFinite(y));
  const steps = points.map(({ x }) => x);
  const highest = points.reduce((most, { y }) => Math.max(most, y), 0);
  const least = steps.reduce((first, step) => Math.min(first, step), Infinity);
  const most = steps.reduce((last, step) => Math.max(last, step), 0);
  return {
    kind: 'lines',
    id,
    title,
    summary,
    x: {
      label: 'step',
      scale: 'linear',
      domain: points.length === 0 ? [0, 1] : [least, Math.max(most, least + 1)],
      format: 'count',
    },
    y: { label: '', scale: 'linear', domain: [0, highest * 1.15 || 1], format },
    lines: series.map((one, index) => ({ ...one, tone: tones[index] ?? 'muted', isFilled: series.length === 1 })),
    bands: [],
    marks,
    table: {
      id,
      caption: title,
      columns: ['step', ...series.map(({ label }) => label)].map((label) => ({ label, isNumber: true })),
      rows: (series[0]?.points ?? []).map(({ x }, row) => [
        formatCount(x),
        ...series.map((one) => valueText(one.points[row]?.y ?? NaN, format)),
      ]),
      note: '',
    },
  };
}

function valueText(value: number, format: AxisFormat): string {
  if (!Number.isFinite(value)) return '–';
  if (format === 'seconds') return shortTime(value);
  return format === 'bytes' ? formatBytes(Math.round(value)) : shortRate(value);
}

/** A smaller component is a line on the axis. */
const leastShare = 0.01;

/** All of it, and the components that are most of the run's bytes. */
function sizeChart(saves: readonly Stepped[]): LineChart {
  const bytesOf = (component: ComponentId): number =>
    saves.reduce((sum, { components }) => sum + (components[component] ?? 0), 0);
  const all = saves.reduce((sum, { bytes }) => sum + bytes, 0);
  const largest = componentIds
    .filter((component) => bytesOf(component) >= leastShare * all)
    .sort((a, b) => bytesOf(b) - bytesOf(a))
    .slice(0, tones.length - 1);
  const whole: Series = { label: 'all', points: saves.map(({ step, bytes }) => ({ x: step, y: bytes })) };
  const parts = largest.map((component) => ({
    label: labelOfComponent(component),
    points: saves.map(({ step, components }) => ({ x: step, y: components[component] ?? 0 })),
  }));
  const words = {
    id: 'run-size',
    title: 'Size of each save',
    summary: 'Bytes of each save, and of its largest components, over the steps.',
  };
  return chartOf(words, 'bytes', parts.length < 2 ? [whole] : [whole, ...parts]);
}

/** NaN is a gap in a line. */
function secondsOf(save: SavedCheckpoint): number {
  return saveSeconds(save) ?? NaN;
}

function durationChart(saves: readonly Stepped[]): LineChart {
  const whole = saves.filter(({ complete }) => complete);
  const points = whole.map((save) => ({ x: save.step, y: secondsOf(save) }));
  const marks = whole.flatMap((save) => {
    const [worst] = save.lateRanks;
    return worst === undefined
      ? []
      : [{ label: `rank ${visibleText(worst.rank)} late`, x: save.step, y: secondsOf(save), isMain: false }];
  });
  const words = {
    id: 'run-duration',
    title: 'How long each save took',
    summary: 'Seconds from the first file to the last of each whole save, over the steps.',
  };
  return chartOf(
    words,
    'seconds',
    [{ label: 'took', points }],
    marks.filter(({ y }) => Number.isFinite(y)),
  );
}

function rateChart(saves: readonly Stepped[]): LineChart {
  const points = saves
    .filter(({ complete }) => complete)
    .map((save) => ({ x: save.step, y: save.writtenBytes / secondsOf(save) }));
  const words = {
    id: 'run-rate',
    title: 'Bandwidth of each save',
    summary: 'Bytes a second of each whole save, over the steps.',
  };
  return chartOf(words, 'bytesPerSecond', [{ label: 'rate', points }]);
}

/** In the order of their times, so that a step to which training went back is a point of its own. */
function intervalChart({ checkpoints, gaps, timesLost }: TrainingRun): LineChart {
  const saves = timesLost === null ? timedSaves(checkpoints) : [];
  const points = pairsOf(saves)
    .map(([before, after]) => ({ x: after.step, y: (after.finishedMs - before.finishedMs) / 1000 }))
    .sort((a, b) => a.x - b.x);
  const marks = gaps.flatMap(({ beforeStep, kind }) => {
    const point = points.find(({ x }) => x === beforeStep);
    return point === undefined ? [] : [{ ...point, label: gapLabels[kind], isMain: false }];
  });
  const words = {
    id: 'run-interval',
    title: 'Time between two saves',
    summary: 'Seconds from the end of one save to the end of the next, over the steps.',
  };
  return chartOf(words, 'seconds', [{ label: 'interval', points }], marks);
}

const gapLabels = { restart: 'lost time', pause: 'stood still', rewind: 'went back' } as const;
