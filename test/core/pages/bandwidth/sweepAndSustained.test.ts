import { describe, expect, it } from 'vitest';
import { renderBandwidthMarkdown } from '../../../../src/core/pages/bandwidth/bandwidthMarkdown.js';
import { renderBandwidthTerminal } from '../../../../src/core/pages/bandwidth/bandwidthTerminal.js';
import { bandwidthCharts, progressChart } from '../../../../src/core/pages/bandwidth/bandwidthCharts.js';
import { sustainedChart, sustainedTable } from '../../../../src/core/pages/bandwidth/sustainedPage.js';
import { sweepChart, sweepSentences, sweepTable } from '../../../../src/core/pages/bandwidth/sweepPage.js';
import { chartLayout } from '../../../../src/core/pages/charts/chartLayout.js';
import { limits } from '../../../../src/core/bytes/limits.js';
import type { BandwidthReport } from '../../../../src/core/bandwidth/bandwidthReport.js';
import { bandwidthReport, checkProgress, sustainedMeasurement, sweepMeasurement } from '../../../builders/bandwidthCheck.js';

const swept = (rates: Record<number, number>): NonNullable<BandwidthReport['sweep']> => {
  const report = bandwidthReport({ sweepStreams: [1, 2] }, {}, { sweep: sweepMeasurement(rates) });
  return report.sweep ?? expect.fail('there is no sweep');
};
const sustainedOf = (rates: number[]): NonNullable<BandwidthReport['sustained']> => {
  const report = bandwidthReport({ isSustained: true }, {}, { sustained: sustainedMeasurement(rates) });
  return report.sustained ?? expect.fail('there is no sustained rate');
};
const seconds = (length: number, rate: number): number[] => Array.from({ length }, () => rate);

describe('a sweep', () => {
  const sweep = swept({ 1: 0.6e9, 2: 1.2e9, 4: 2e9, 8: 2.1e9, 16: 1.9e9 });

  it('begins with the number of streams to use', () => {
    expect(sweepSentences(sweep)).toEqual([
      'Use 4 streams: 2 GB/s past the cache, 95.2 % of the 2.1 GB/s with 8.',
      'Through the cache and synced 4 streams are enough, of at best 1.68 GB/s.',
    ]);
  });

  it('says how far the repeats leave it open, and that more streams may be faster', () => {
    const { modes } = sweep;
    const open = { ...sweep, modes: modes.map((mode) => ({ ...mode, range: [2, 8] as [number, number] })) };
    expect(sweepSentences(open)[0]).toMatch(/ \(2 to 8 by the range of the repeats\)\.$/);
    const rising = sweepSentences(swept({ 1: 1e9, 2: 2e9 }));
    expect(rising.slice(0, 2)).toEqual([
      'Use 2 streams: 2 GB/s past the cache, the best of those tried.',
      'The rate still rises with the most streams: sweep more of them.',
    ]);
  });

  it('says that its runs were too short to be sure', () => {
    const { runs, seconds: whole } = sweepMeasurement({ 1: 1e9, 2: 2e9 });
    const short = { runs: runs.map((run) => ({ ...run, bytes: run.bytes / 10, seconds: run.seconds / 10 })), seconds: whole };
    const { sweep: report } = bandwidthReport({ sweepStreams: [1, 2] }, {}, { sweep: short });
    expect(report && sweepSentences(report)[1]).toBe('Runs took 100 ms each: allow more time or space for a surer answer.');
  });

  it('has a row and a place in the chart for each point, and names the knees', () => {
    const { rows } = sweepTable(sweep);
    expect(rows).toHaveLength(10);
    expect(rows[2]).toEqual(['4', 'past the cache, knee', '2 GB/s', '1.96 GB/s', '2.06 GB/s', '95.2 %', '3']);
    expect(rows[5]?.[1]).toBe('through the cache and synced');
    const { lines, marks, x } = sweepChart(sweep);
    expect(lines.map(({ points }) => points.map((point) => point.x))).toEqual([
      [1, 2, 4, 8, 16],
      [1, 2, 4, 8, 16],
    ]);
    expect(marks.map(({ label, x: at, isMain }) => [label, at, isMain])).toEqual([
      ['4 streams', 4, true],
      ['4 streams', 4, false],
    ]);
    expect(x).toMatchObject({ scale: 'log', domain: [1, 16] });
    const ticks = chartLayout(sweepChart(sweep), 600).texts.filter(({ role }) => role === 'tick');
    expect(ticks.slice(0, 5).map(({ text }) => text)).toEqual(['1', '2', '4', '8', '16']);
  });
});

describe('a sustained rate', () => {
  it('has its course, the burst as a band and what stays as a line', () => {
    const sustained = sustainedOf([...seconds(40, 2e9), ...seconds(60, 0.5e9)]);
    const { lines, bands, x } = sustainedChart(sustained);
    expect(lines[0]?.points).toHaveLength(100);
    expect(lines[1]?.points.map(({ x: at, y }) => [at, Math.round(y / 1e6)])).toEqual([
      [40, 500],
      [100, 500],
    ]);
    expect(bands).toEqual([{ label: 'burst', tone: 'muted', from: 0, to: 40 }]);
    expect(x.domain).toEqual([0, 100]);
  });

  it('has no band where nothing fell', () => {
    expect(sustainedChart(sustainedOf(seconds(30, 2e9))).bands).toEqual([]);
    expect(sustainedChart(sustainedOf(seconds(30, 0.2e9))).bands).toEqual([]);
  });

  it('has some rows, the last one among them', () => {
    const { rows, note } = sustainedTable(sustainedOf(seconds(199, 2e9)));
    expect(rows.length).toBeLessThanOrEqual(12);
    expect(rows.at(-1)).toEqual(['3.3 minutes', '2 GB/s']);
    expect(note).toBe(
      '398 GB in 3.3 minutes by 8 streams, never more than 4.29 GB at once; ended as the rate had fallen and settled.',
    );
  });

  it('keeps a long course short', () => {
    const { curve } = sustainedOf(seconds(4000, 2e9));
    expect(curve.length).toBeLessThanOrEqual(limits.sustainedCurvePoints);
    expect(curve.at(-1)?.seconds).toBe(4000);
  });
});

describe('a report with both', () => {
  const report = bandwidthReport(
    { replayOf: '/runs/step-1', sweepStreams: [1, 4], isSustained: true },
    {},
    {
      sweep: sweepMeasurement({ 1: 1e9, 4: 2e9 }),
      sustained: sustainedMeasurement([...seconds(40, 2e9), ...seconds(60, 0.5e9)]),
    },
  );

  it('is shown in a terminal', () => {
    const text = renderBandwidthTerminal(report, { width: 100, color: false });
    for (const part of [
      'Use 4 streams',
      'Sustained: falls from 2 GB/s to 500 MB/s after 80 GB',
      'past the cache, knee',
      '110 GB in 100 s by 8 streams',
    ])
      expect(text).toContain(part);
  });

  it('is exported with its charts beside it, or with their numbers alone', () => {
    expect(bandwidthCharts(report).map(({ id }) => id)).toEqual(['repeats', 'sweep', 'sustained']);
    const linked = renderBandwidthMarkdown(report, 'my charts');
    for (const id of ['repeats', 'sweep', 'sustained']) expect(linked).toContain(`](my%20charts/${id}.svg)`);
    const alone = renderBandwidthMarkdown(report);
    expect(alone).not.toContain('.svg');
    // A burst that was spent leaves no caveat.
    expect(alone).not.toContain('## Caveats');
    expect(alone).toContain('Write rate over time:');
  });

  it('is drawn while it runs: what a sweep and a sustained rate write belongs to the line of writes', () => {
    const steps = (['write', 'read', 'sweep', 'sustained', 'removing'] as const).map((phase, index) =>
      checkProgress({ phase, elapsedSeconds: index + 1 }),
    );
    const [write, read] = progressChart(steps, 60).lines;
    expect(write?.points.map(({ y }) => y)).toEqual([2e9, NaN, 2e9, 2e9, NaN]);
    expect(read?.points.filter(({ y }) => !Number.isNaN(y))).toHaveLength(1);
  });
});
