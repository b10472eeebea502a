import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tickText, valueText } from '../../../../src/core/pages/charts/axisText.js';
import { axisScale } from '../../../../src/core/pages/charts/axisScale.js';
import { ticksAcross } from '../../../../src/core/pages/charts/drawnTicks.js';
import type { AxisFormat, ChartAxis } from '../../../../src/core/pages/chart.js';
import { runs } from '../../../builders/seed.js';

const formats: AxisFormat[] = ['bytes', 'bytesPerSecond', 'seconds', 'share', 'count', 'dollars'];

function textsOf(axis: Pick<ChartAxis, 'scale' | 'domain' | 'format'>, width: number): string[] {
  const whole = { label: '', ...axis };
  return ticksAcross(whole, axisScale(whole, 0, width)).map(({ text }) => text);
}

describe('ticks of an axis', () => {
  it('are durations that people name, on a log axis', () => {
    expect(textsOf({ scale: 'log', domain: [30, 14_400], format: 'seconds' }, 660)).toEqual([
      '1 min',
      '5 min',
      '15 min',
      '1 h',
      '4 h',
    ]);
  });

  it('are 1, 2 and 5 of each power of ten with their unit, on a log axis', () => {
    expect(textsOf({ scale: 'log', domain: [10e9, 2e12], format: 'bytesPerSecond' }, 660)).toEqual([
      '10 GB/s',
      '20 GB/s',
      '50 GB/s',
      '100 GB/s',
      '200 GB/s',
      '500 GB/s',
      '1 TB/s',
      '2 TB/s',
    ]);
  });

  it('are fewer where there is less room', () => {
    expect(textsOf({ scale: 'log', domain: [10e9, 2e12], format: 'bytesPerSecond' }, 240)).toEqual([
      '10 GB/s',
      '100 GB/s',
      '1 TB/s',
    ]);
    expect(textsOf({ scale: 'log', domain: [1, 100 * 31_557_600], format: 'seconds' }, 480)).toEqual([
      '1 s',
      '1 min',
      '1 h',
      '1 d',
      '30 d',
      '1 y',
      '100 y',
    ]);
  });

  it('are whole days, percents and dollars on a linear axis', () => {
    expect(textsOf({ scale: 'linear', domain: [0, 54 * 86_400], format: 'seconds' }, 500)).toEqual([
      '0 s',
      '7 d',
      '14 d',
      '21 d',
      '28 d',
      '35 d',
      '42 d',
      '49 d',
    ]);
    expect(textsOf({ scale: 'linear', domain: [0.6, 1], format: 'share' }, 400)).toEqual([
      '60 %',
      '65 %',
      '70 %',
      '75 %',
      '80 %',
      '85 %',
      '90 %',
      '95 %',
      '100 %',
    ]);
    expect(textsOf({ scale: 'linear', domain: [-100_000, 150_000], format: 'dollars' }, 400)).toEqual([
      '−$100 k',
      '−$50 k',
      '$0',
      '$50 k',
      '$100 k',
      '$150 k',
    ]);
  });

  it('are there for a log axis that is shorter than a decade', () => {
    expect(textsOf({ scale: 'log', domain: [2.2e9, 4.8e9], format: 'bytes' }, 400)).toEqual([
      '2.5 GB',
      '3 GB',
      '3.5 GB',
      '4 GB',
      '4.5 GB',
    ]);
    expect(textsOf({ scale: 'log', domain: [70, 200], format: 'seconds' }, 400)).toEqual([
      '1.5 min',
      '2 min',
      '2.5 min',
      '3 min',
    ]);
  });

  it('never repeat a text, never leave the axis and are never NaN, whatever the domain', () => {
    const bound = fc.oneof(fc.double(), fc.double({ min: 1e-6, max: 1e16, noNaN: true }), fc.constant(0));
    fc.assert(
      fc.property(fc.constantFrom(...formats), fc.constantFrom('linear', 'log'), bound, bound, (format, scale, from, to) => {
        const axis: ChartAxis = { label: '', scale, domain: [from, to], format };
        const ticks = ticksAcross(axis, axisScale(axis, 40, 640));
        expect(new Set(ticks.map(({ text }) => text)).size).toBe(ticks.length);
        for (const { position, text } of ticks) {
          expect(text).not.toContain('NaN');
          expect(position).toBeGreaterThanOrEqual(39.9);
          expect(position).toBeLessThanOrEqual(640.1);
        }
      }),
      runs(100),
    );
  });
});

describe('texts of values', () => {
  it('have three digits and a unit', () => {
    expect(valueText(172.2e9, 'bytesPerSecond')).toBe('172 GB/s');
    expect(valueText(330.6, 'seconds')).toBe('5.51 min');
    expect(valueText(0.9432, 'share')).toBe('94.3 %');
    expect(valueText(5.682e12, 'bytes')).toBe('5.68 TB');
    expect(valueText(16_384, 'count')).toBe('16.4 k');
    expect(valueText(151_200, 'dollars')).toBe('$151 k');
    expect(valueText(-12.5, 'dollars')).toBe('−$12.5');
    expect(valueText(Infinity, 'seconds')).toBe('never');
    expect(valueText(31_557_600 * 4000, 'seconds')).toBe('4,000 y');
  });

  it('go to the next unit before they would round to 1,000 of the smaller', () => {
    expect(tickText(999.9e9, 'bytes')).toBe('0.9999 TB');
    expect(valueText(999.96e9, 'bytes')).toBe('1 TB');
    expect(valueText(0, 'seconds')).toBe('0 s');
    expect(valueText(0, 'share')).toBe('0 %');
    expect(valueText(2e-7, 'seconds')).toBe('0.2 µs');
  });
});
