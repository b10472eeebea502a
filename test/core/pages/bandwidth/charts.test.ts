import { describe, expect, it } from 'vitest';
import { withProgress } from '../../../../src/core/bandwidth/progressCurve.js';
import type { CheckProgress } from '../../../../src/core/bandwidth/measurement.js';
import { limits } from '../../../../src/core/bytes/limits.js';
import { historyChart, progressChart, repeatsChart } from '../../../../src/core/pages/bandwidth/bandwidthCharts.js';
import { chartLayout } from '../../../../src/core/pages/charts/chartLayout.js';
import { bandwidthReport, checkProgress } from '../../../builders/bandwidthCheck.js';

const step = checkProgress;

describe('repeatsChart', () => {
  it('has a dot for each repeat, the medians, and what is needed', () => {
    const { rows, marks, summary } = repeatsChart(bandwidthReport({ intervalSeconds: 60 }));
    expect(rows.map(({ label, dots }) => [label, dots.length])).toEqual([
      ['write', 3],
      ['read', 3],
    ]);
    expect(rows[0]?.middle).toBeCloseTo(2.1e9, -3);
    expect(marks).toHaveLength(1);
    expect(summary).toBe(
      'Writes 2.1 GB/s in the median, from 2 GB/s to 2.2 GB/s; reads 3.4 GB/s in the median, from 3.3 GB/s to 3.5 GB/s. A line marks the median.',
    );
  });

  it('leaves out a need that would press all dots together', () => {
    const report = bandwidthReport();
    const verdict = { ...report.verdict, neededBytesPerSecond: 1e12 };
    const { marks, x } = repeatsChart({ ...report, verdict });
    expect(marks).toEqual([]);
    expect(x.domain[1]).toBeLessThan(4e9);
  });
});

describe('progressChart', () => {
  it('has a gap in each line while the other phase is on', () => {
    const chart = progressChart(
      [step(), step({ phase: 'read', elapsedSeconds: 2, bytesPerSecond: 3e9 }), step({ phase: 'metadata', elapsedSeconds: 3 })],
      30,
    );
    expect(chart.lines.map(({ points }) => points.map(({ y }) => y))).toEqual([
      [2e9, NaN, NaN],
      [NaN, 3e9, NaN],
    ]);
    expect(chart.x.domain).toEqual([0, 30]);
    expect(chart.table.rows).toEqual([
      ['1 s', 'write 1', '2 GB/s'],
      ['2 s', 'read 1', '3 GB/s'],
    ]);
    expect(JSON.stringify(chartLayout(chart, 400))).not.toContain('NaN');
  });

  it('draws before there is anything, and grows with a check that takes longer', () => {
    expect(JSON.stringify(chartLayout(progressChart([], 30), 400))).not.toContain('NaN');
    expect(progressChart([step({ elapsedSeconds: 41 })], 30).x.domain).toEqual([0, 41]);
  });
});

describe('withProgress', () => {
  it('keeps the course within its bound, from the first step to the last', () => {
    let course: CheckProgress[] = [];
    for (let index = 0; index < 10_000; index += 1) course = withProgress(course, step({ elapsedSeconds: index / 10 }));
    expect(course.length).toBeLessThanOrEqual(2 * limits.bandwidthCurvePoints);
    expect(course.length).toBeGreaterThan(limits.bandwidthCurvePoints);
    expect(course[0]?.elapsedSeconds).toBe(0);
    expect(course.at(-1)?.elapsedSeconds).toBe(999.9);
  });
});

describe('historyChart', () => {
  const at = (startedAt: string) => bandwidthReport({}, {}, { startedAt });

  it('needs two results', () => {
    expect(historyChart([])).toBeNull();
    expect(historyChart([at('2026-01-01T00:00:00.000Z')])).toBeNull();
  });

  it('places results by when they were measured, also where the clock has jumped back', () => {
    const chart = historyChart([at('2026-01-02T00:00:00.000Z'), at('2026-01-01T00:00:00.000Z'), at('2026-01-04T00:00:00.000Z')]);
    expect(chart?.lines[0]?.points.map(({ x }) => x / 86_400)).toEqual([-1, 0, 2]);
    expect(chart?.x.domain.map((x) => x / 86_400)).toEqual([-1, 2]);
  });
});
