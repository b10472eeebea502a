import { describe, expect, it } from 'vitest';
import { cellText } from '../../../../src/core/pages/values/cellText.js';
import { heatLevels, heatMap, oddLevel } from '../../../../src/core/pages/values/heatMap.js';
import { heatPaths } from '../../../../webview/checkpoint/heatPaths.js';

describe('a cell of a grid', () => {
  it.each<[dtype: string, numbers: number[], text: string]>([
    ['bf16', [0.0302734375], '0.03027'],
    ['f16', [-65504], '−65504'],
    ['f32', [Math.fround(0.1)], '0.1'],
    ['f32', [Math.fround(1 / 3)], '0.3333333'],
    ['f64', [1 / 3], '0.333333333'],
    ['i64', [1234567890123], '1234567890123'],
    ['u8', [255], '255'],
    ['bool', [1], '1'],
    ['f8_e4m3', [448], '448'],
    ['c64', [1, -2], '1 − 2i'],
    ['scaled', [0.5, NaN], '0.5, NaN'],
    ['bf16', [-Infinity], '−Inf'],
  ])('of %s %j is %s', (dtype, numbers, text) => {
    expect(cellText(numbers, dtype)).toBe(text);
  });
});

describe('a heat map', () => {
  const axis = (count: number, step: number) => ({ start: 0, count, step });
  const sliceOf = (numbers: number[], parts = 1) => ({
    numbers: Float64Array.from(numbers),
    parts,
    isScaled: false,
    reads: 1,
    bytesRead: 1,
  });

  it('says which values it has, and where one is not finite', () => {
    const map = heatMap(sliceOf([1, -2, 0, NaN]), [axis(2, 3), axis(2, 1)], [5, 2], 'f32');
    expect(map.levels).toEqual([4, -heatLevels, 0, oddLevel]);
    expect(map.coverage).toBe('Drawn is every 3rd row and every column: 4 of 10 values.');
    expect(map.summary).toContain('They are from −2 to 1. 1 are NaN or infinite, the first at row 3, column 1.');
  });

  it('is not paled by one outlier', () => {
    const map = heatMap(sliceOf([1e30, ...Array.from({ length: 199 }, () => 1)]), [axis(1, 1), axis(200, 1)], [1, 200], 'f32');
    expect(new Set(map.levels)).toEqual(new Set([heatLevels]));
    expect(map.scale).toBe('Full colour from ±1 on.');
  });

  it('has no colour where all is 0, or nothing finite', () => {
    expect(heatMap(sliceOf([0, -0]), [axis(1, 1), axis(2, 1)], [1, 2], 'f32')).toMatchObject({
      levels: [0, 0],
      scale: 'All that are finite are 0.',
    });
    const { summary } = heatMap(sliceOf([NaN]), [axis(1, 1), axis(1, 1)], [1, 1], 'f32');
    expect(summary).toContain('None of them is finite.');
  });

  it('draws one number for two', () => {
    const axes: [ReturnType<typeof axis>, ReturnType<typeof axis>] = [axis(1, 1), axis(1, 1)];
    expect(heatMap(sliceOf([3, -4], 2), axes, [1, 1], 'c64').scale).toBe('Full colour from ±5 on.');
    expect(heatMap(sliceOf([3, -4], 2), axes, [1, 1], 'u8').levels).toEqual([-heatLevels]);
  });

  it('is a path for each level, with a rectangle for cells beside each other', () => {
    expect(heatPaths([1, 1, 0, -2, 1, 1], 3)).toEqual([
      { level: -2, path: 'M0 1h1v1h-1z' },
      { level: 1, path: 'M0 0h2v1h-2zM1 1h2v1h-2z' },
    ]);
  });
});
