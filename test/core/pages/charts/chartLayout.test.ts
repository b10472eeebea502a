import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chartLayout } from '../../../../src/core/pages/charts/chartLayout.js';
import type { ChartLayout, ChartText } from '../../../../src/core/pages/charts/chartShapes.js';
import { chartStops, nearestStop, stopInWords } from '../../../../src/core/pages/charts/chartStops.js';
import { overlaps, type Box } from '../../../../src/core/pages/charts/labelPlaces.js';
import { textWidth } from '../../../../src/core/pages/charts/textWidth.js';
import { histogramChart } from '../../../../src/core/pages/values/histogramChart.js';
import type { LineChart, PageChart } from '../../../../src/core/pages/chart.js';
import {
  bandwidthChart,
  intervalChart,
  memoryChart,
  repeatsChart,
  residentChart,
  tornadoChart,
} from '../../../builders/planCharts.js';
import { runs } from '../../../builders/seed.js';
import { tensorValues } from '../../../builders/valuesReport.js';

const histogram = histogramChart(tensorValues());
if (histogram === null) throw new Error('there is no histogram');
const all: PageChart[] = [
  intervalChart(),
  bandwidthChart(),
  residentChart(),
  tornadoChart(),
  memoryChart(),
  repeatsChart(),
  histogram,
];

function boxOf({ text, x, y, anchor, role }: ChartText): Box {
  const width = textWidth(text, role === 'main');
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
  return { left, right: left + width, top: y - 10, bottom: y + 2 };
}

function touching({ texts }: ChartLayout): string[] {
  return texts.flatMap((a, index) =>
    texts.slice(index + 1).flatMap((b) => (overlaps(boxOf(a), boxOf(b)) ? [`${a.text} / ${b.text}`] : [])),
  );
}

describe('chartLayout', () => {
  for (const chart of all)
    for (const width of [280, 360, 480, 760, 1100])
      it(`has texts that neither touch nor leave the picture: ${chart.id} at ${width}`, () => {
        const layout = chartLayout(chart, width);
        expect(touching(layout)).toEqual([]);
        for (const text of layout.texts) {
          expect(boxOf(text).left, text.text).toBeGreaterThanOrEqual(-1);
          expect(boxOf(text).right, text.text).toBeLessThanOrEqual(layout.width + 1);
          expect(boxOf(text).bottom, text.text).toBeLessThanOrEqual(layout.height);
        }
      });

  it('names the main place, and each band: in it, in two lines where it is narrow, above the plot where it is too narrow', () => {
    for (const width of [300, 500, 760]) {
      const texts = chartLayout(bandwidthChart(), width).texts.filter(({ role }) => role !== 'tick' && role !== 'axis');
      const words = texts.map(({ text }) => text).join(' ');
      for (const name of ['172 GB/s · 10 %', 'saves pile up', 'competes with training', 'enough', 'paid for nothing'])
        expect(words).toContain(name);
    }
  });

  it('names a place beside a line, not on it, where only its ends are points', () => {
    const line: LineChart = {
      ...bandwidthChart(),
      bands: [],
      lines: [
        {
          label: 'goodput',
          tone: 'line',
          isFilled: false,
          points: [
            { x: 11e9, y: 0.01 },
            { x: 30e9, y: 1 },
            { x: 1e12, y: 1.5 },
          ],
        },
      ],
      marks: [{ x: 11e9, y: 0.01, label: '11 GB/s · a text that is long enough', isMain: false }],
    };
    const { texts, paths, plot } = chartLayout(line, 760);
    const box = boxOf(texts.find(({ role }) => role === 'mark') ?? expect.fail('no name'));
    const corners = [...(paths[0]?.path ?? '').matchAll(/[ML]([\d.]+),([\d.]+)/g)].map(([, px, py]) => ({
      x: Number(px) + plot.left,
      y: Number(py) + plot.top,
    }));
    const [from, to] = [corners[0] ?? expect.fail(), corners[1] ?? expect.fail()];
    for (let share = 0; share <= 1; share += 0.01) {
      const [px, py] = [from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share];
      expect(px > box.left && px < box.right && py > box.top && py < box.bottom, `${px}, ${py}`).toBe(false);
    }
  });

  it('puts a bar where its numbers are', () => {
    const { areas, plot } = chartLayout(memoryChart(), 760);
    const bars = areas.filter(({ role }) => role === 'bar');
    expect(bars[0]).toMatchObject({ x: plot.left, tone: 'line' });
    expect(bars[0]?.width).toBeCloseTo(((plot.right - plot.left) * 16) / 130, 6);
    expect(bars[1]?.x).toBeCloseTo(plot.left + ((plot.right - plot.left) * 16) / 130, 6);
    // A tenth of a gigabyte of 130 is still seen; what is not there has no bar.
    expect(bars.filter(({ width }) => width < 1)).toEqual([]);
    expect(bars).toHaveLength(11);
  });

  it('puts a dot where each value is, and the median across its row', () => {
    const { dots, paths, plot, rules } = chartLayout(repeatsChart(), 760);
    const width = plot.right - plot.left;
    expect(dots.map(({ tone }) => tone)).toEqual(['line', 'line', 'line', 'second', 'second', 'second']);
    expect(dots[0]?.x).toBeCloseTo(plot.left + (width * 1.9) / 4, 6);
    expect(dots[0]?.y).toBeLessThan(dots[3]?.y ?? 0);
    expect(paths.map(({ tone }) => tone)).toEqual(['line', 'second']);
    expect(paths[0]?.path.startsWith(`M${(width * 2.1) / 4},`)).toBe(true);
    expect(rules.filter(({ role }) => role === 'limit')).toHaveLength(1);
  });

  it('draws no dot that has no place', () => {
    const chart = repeatsChart();
    const rows = [
      { label: 'write', tone: 'line' as const, dots: [NaN, Infinity, 9e9].map((x) => ({ label: '', x })), middle: NaN },
    ];
    expect(chartLayout({ ...chart, rows }, 760)).toMatchObject({ dots: [], paths: [] });
  });

  it('draws numbers for any numbers, without NaN', () => {
    const number = fc.oneof(fc.double(), fc.integer().map(Number), fc.constantFrom(0, Infinity, -Infinity, NaN, 1e308, 1e-308));
    fc.assert(
      fc.property(
        fc.array(fc.record({ x: number, y: number }), { maxLength: 12 }),
        fc.tuple(number, number),
        fc.tuple(number, number),
        fc.constantFrom('linear' as const, 'log' as const),
        (points, xDomain, yDomain, scale) => {
          const chart: LineChart = {
            ...intervalChart(),
            x: { label: 'x', scale, domain: xDomain, format: 'seconds' },
            y: { label: 'y', scale, domain: yDomain, format: 'bytes' },
            lines: [{ label: 'a', tone: 'line', isFilled: true, points }],
            bands: points.map(({ x, y }) => ({ label: 'band', tone: 'bad' as const, from: x, to: y })),
            marks: points.map((point) => ({ ...point, label: 'here', isMain: false })),
          };
          const layout = chartLayout(chart, 600);
          const written = JSON.stringify(layout);
          expect(written).not.toContain('NaN');
          expect(written).not.toContain('null,"y');
          for (const { x, y, width } of layout.areas) expect([x, y, width].every(Number.isFinite)).toBe(true);
          for (const { x, y } of layout.texts) expect([x, y].every(Number.isFinite)).toBe(true);
          for (const stop of chartStops(chart, layout)) expect(stopInWords(stop)).not.toContain('NaN');
        },
      ),
      runs(100),
    );
  });
});

describe('chartStops', () => {
  it('tells the value, the band and the dot of each place, the named ones among them', () => {
    const chart = bandwidthChart();
    const layout = chartLayout(chart, 760);
    const stops = chartStops(chart, layout);
    const main = stops.find(({ title }) => title === '172 GB/s');
    expect(main && stopInWords(main)).toBe('172 GB/s: 10 %, competes with training');
    expect(main?.dots[0]?.y).toBeCloseTo(layout.dots[0]?.y ?? 0, 0);
    expect(nearestStop(stops, -100)).toBe(0);
    expect(nearestStop(stops, 10_000)).toBe(stops.length - 1);
    expect(stops[nearestStop(stops, layout.dots[0]?.x ?? 0)]?.title).toBe('172 GB/s');
  });

  it('names the line where there are several, and leaves out one that has ended', () => {
    const chart = residentChart();
    const stops = chartStops(chart, chartLayout(chart, 760));
    expect(stopInWords(stops[10] ?? stops[0]!)).toBe(
      '10 d: shared storage 136 TB, object store 50 TB, without deletion 600 TB, exports 10 TB',
    );
    expect(stopInWords(stops.at(-1)!)).toBe('54 d: shared storage 136 TB, object store 270 TB, exports 54 TB');
  });

  it('says nothing in the gap of a line', () => {
    const points = [1, 2, NaN, 4].map((y, x) => ({ x, y: y * 1e9 }));
    const line = { label: 'write', tone: 'line' as const, isFilled: false, points };
    const other = {
      label: 'read',
      tone: 'second' as const,
      isFilled: false,
      points: [3, NaN, 3, 3].map((y, x) => ({ x, y: y * 1e9 })),
    };
    const chart: LineChart = {
      ...bandwidthChart(),
      x: { label: 'since the start', scale: 'linear', domain: [0, 3], format: 'seconds' },
      y: { label: '', scale: 'linear', domain: [0, 5e9], format: 'bytesPerSecond' },
      lines: [line, other],
      bands: [],
      marks: [],
    };
    expect(chartStops(chart, chartLayout(chart, 760)).map(stopInWords)).toEqual([
      '0 s: write 1 GB/s, read 3 GB/s',
      '1 s: write 2 GB/s',
      '2 s: read 3 GB/s',
      '3 s: write 4 GB/s, read 3 GB/s',
    ]);
  });

  it('goes through rows of dots', () => {
    const stops = chartStops(repeatsChart(), chartLayout(repeatsChart(), 760));
    expect(stops.map(stopInWords)).toEqual([
      'write: repeat 1 1.9 GB/s, repeat 2 2.1 GB/s, repeat 3 2.3 GB/s',
      'read: repeat 1 3.1 GB/s, repeat 2 3.4 GB/s, repeat 3 3.6 GB/s',
    ]);
  });

  it('goes through rows of bars: parts of a stack, ends of a range', () => {
    const inWords = (chart: PageChart): string => stopInWords(chartStops(chart, chartLayout(chart, 760))[0]!);
    expect(inWords(memoryChart())).toBe('ZeRO 1: weights 16 GB, gradients 16 GB, optimizer 90 GB');
    expect(inWords(tornadoChart())).toBe('Mean time between failures: half 91.4 %, double 96.3 %');
  });
});
