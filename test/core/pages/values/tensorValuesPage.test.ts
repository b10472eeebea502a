import { describe, expect, it } from 'vitest';
import { chartLayout } from '../../../../src/core/pages/charts/chartLayout.js';
import { chartStops, stopInWords } from '../../../../src/core/pages/charts/chartStops.js';
import { notReadSentence, tensorValuesPage } from '../../../../src/core/pages/values/tensorValuesPage.js';
import { valueText } from '../../../../src/core/pages/values/valueText.js';
import { damagedValues, tensorValues } from '../../../builders/valuesReport.js';

describe('values of a tensor in words', () => {
  it('say first whether all is finite', () => {
    expect(tensorValuesPage(damagedValues())).toMatchObject({
      decision: '3 NaN and 1 Inf among 16,777,216 values.',
      isDamaged: true,
    });
    const decisionOf = (more: Parameters<typeof tensorValues>[0]) => tensorValuesPage(tensorValues(more)).decision;
    expect(decisionOf({ basis: 'codes' })).toBe('No NaN and no Inf among 16,777,216 stored codes.');
    expect(decisionOf({ allZero: true, allEqual: true })).toBe('All 16,777,216 values are 0.');
    expect(decisionOf({ allEqual: true, min: 0.5, max: 0.5 })).toBe('All 16,777,216 values are 0.5.');
    expect(decisionOf({ count: 0 })).toBe('It has no values.');
  });

  it('have the numbers, and all of their digits beside', () => {
    const { facts } = tensorValuesPage(damagedValues());
    expect(facts.map(({ label, text }) => `${label}: ${text}`)).toEqual([
      'values: 16,777,216',
      'NaN: 3',
      '+Inf: 0',
      '−Inf: 1',
      'zeros: 1,204 (< 0.1 %)',
      'min: −0.28711',
      'max: 0.29102',
      'mean: −1.2043e-7',
      'std: 0.030273',
      'first not finite: [17, 2044] (model-00001-of-00004.safetensors, byte 152,536)',
    ]);
    expect(facts[5]?.exact).toBe('-0.287109375');
    expect([NaN, Infinity, -Infinity, -0, 1e300].map((value) => valueText(value))).toEqual([
      'NaN',
      '+Inf',
      '−Inf',
      '0',
      '1e+300',
    ]);
  });

  it('are a histogram, where there is more than one value', () => {
    const { chart } = tensorValuesPage(tensorValues());
    if (chart === null) throw new Error('no chart');
    expect(chart.table.rows).toHaveLength(64);
    expect(chart.summary).toMatch(
      /^Histogram of 16,777,216 finite values from −0\.28711 to 0\.29102 in 64 bins\. Most are from /,
    );
    const layout = chartLayout(chart, 340);
    expect(layout.areas).toHaveLength(64);
    for (const { x, y, width, height } of layout.areas) {
      expect(x).toBeGreaterThanOrEqual(layout.plot.left - 0.01);
      expect(x + width).toBeLessThanOrEqual(layout.plot.right + 0.01);
      expect(y + height).toBeCloseTo(layout.plot.bottom, 6);
    }
    const stops = chartStops(chart, layout);
    expect(stops).toHaveLength(64);
    expect(stopInWords(stops[63] ?? { title: '', values: [], dots: [], position: 0 })).toMatch(/^0\.282 to 0\.291: /);
    const one = { edges: [2, 2], counts: [5] };
    expect(tensorValuesPage(tensorValues({ histogram: one })).chart).toBeNull();
    expect(tensorValuesPage(tensorValues({ histogram: null })).chart).toBeNull();
  });

  it('draw bins without values nowhere, and one value so that it is seen', () => {
    const histogram = { edges: [0, 1, 2, 1e300], counts: [0, 1_000_000_000, 1] };
    const { chart } = tensorValuesPage(tensorValues({ histogram }));
    if (chart === null) throw new Error('no chart');
    const { areas } = chartLayout(chart, 340);
    expect(areas).toHaveLength(2);
    expect(areas.every(({ width, height }) => width >= 1 && height >= 2)).toBe(true);
  });

  it('say why there are none', () => {
    const missing = { name: 'w', dtype: 'f32', bytes: 4, detail: '' };
    expect(notReadSentence({ ...missing, code: 'wrapper' })).toBe('Not read: it consists of several tensors.');
    expect(notReadSentence({ ...missing, code: 'unreadable', detail: 'EIO\u202e' })).toBe(
      'Not read: its file cannot be read (EIO\\u202e).',
    );
  });
});

it('says of a narrow range far from 0 why it has few bins', () => {
  const histogram = { edges: [999.99, 1_000, 1_000.01], counts: [5, 5] };
  const summaryOf = (more: Parameters<typeof tensorValues>[0]) => tensorValuesPage(tensorValues(more)).chart?.summary;
  expect(summaryOf({ count: 10, histogram })).toContain('there are no finer bins');
  expect(summaryOf({})).not.toContain('finer');
});
