import { describe, expect, it } from 'vitest';
import { chartSvg } from '../../../../src/core/pages/charts/chartSvg.js';
import {
  bandwidthChart,
  intervalChart,
  memoryChart,
  repeatsChart,
  residentChart,
  tornadoChart,
} from '../../../builders/planCharts.js';

describe('chartSvg', () => {
  it('is one picture with a title, a description, and each text', () => {
    const svg = chartSvg(bandwidthChart());
    expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true);
    expect(svg).toContain('<title>Time in which a save is being written, by bandwidth</title>');
    expect(svg).toContain('<desc>Below 17 GB/s saves pile up');
    for (const text of ['competes with training', '172 GB/s · 10 %', '100 GB/s', 'sustained write bandwidth'])
      expect(svg).toContain(`>${text}</text>`);
    expect(svg.endsWith('</svg>\n')).toBe(true);
  });

  it('refers to nothing outside of itself and runs nothing', () => {
    for (const chart of [intervalChart(), bandwidthChart(), residentChart(), tornadoChart(), memoryChart(), repeatsChart()]) {
      const svg = chartSvg(chart);
      expect(svg).not.toMatch(/href|<script|<style|<image|foreignObject|on\w+=/);
      expect(svg).not.toContain('NaN');
      for (const [, id] of svg.matchAll(/url\(#(\w+)\)/g)) expect(svg).toContain(`<pattern id="${id}"`);
    }
  });

  it('escapes every text', () => {
    const hostile = '</text><script>alert("1")</script>&\u202e';
    const chart = bandwidthChart();
    const svg = chartSvg({
      ...chart,
      title: hostile,
      summary: hostile,
      x: { ...chart.x, label: hostile },
      bands: [{ label: hostile, tone: 'bad', from: 10e9, to: 2e12 }],
      marks: [{ x: 1e11, y: 0.1, label: hostile, isMain: true }],
    });
    expect(svg).not.toContain('<script');
    expect(svg).not.toContain('\u202e');
    expect(svg).toContain('&lt;/text&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;\\u202e');
  });
});
