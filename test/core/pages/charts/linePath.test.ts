import { describe, expect, it } from 'vitest';
import { areaPath, linePath } from '../../../../src/core/pages/charts/linePath.js';

const points = [{ x: 0, y: 10 }, { x: 5, y: 20.12345 }, null, { x: 15, y: 30 }];

describe('a path', () => {
  it('goes through all points, and begins again after a gap', () => {
    expect(linePath(points)).toBe('M0,10L5,20.123M15,30Z');
  });

  it('of an area goes back along its base', () => {
    expect(areaPath(points, 100)).toBe('M0,10L5,20.123L5,100L0,100ZM15,30L15,100Z');
  });

  it('through nothing is empty', () => {
    expect([linePath([]), linePath([null, null]), areaPath([null], 1)]).toEqual(['', '', '']);
  });
});
