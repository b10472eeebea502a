import { describe, expect, it } from 'vitest';
import { rowAfterKey } from '../../webview/shared/gridKeys.js';
import { RowSelection } from '../../webview/shared/rowSelection.js';

describe('RowSelection', () => {
  it('extends from where it began, in both directions', () => {
    const selection = new RowSelection();
    selection.selectOnly(5);
    selection.extendTo(8);
    expect(selection.toRanges()).toEqual([[5, 9]]);
    selection.extendTo(3);
    expect(selection.toRanges()).toEqual([[3, 6]]);
    expect(selection.count).toBe(3);
  });

  it('joins toggled rows that touch, and splits ranges that lose a row', () => {
    const selection = new RowSelection();
    for (const row of [1, 3, 2]) selection.toggle(row);
    expect(selection.toRanges()).toEqual([[1, 4]]);
    selection.toggle(2);
    expect(selection.toRanges()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(selection.has(2)).toBe(false);
    expect(selection.has(3)).toBe(true);
  });

  it('selects a million rows in one range, and none of nothing', () => {
    const selection = new RowSelection();
    selection.selectAll(1_000_000);
    expect(selection.toRanges()).toEqual([[0, 1_000_000]]);
    selection.selectAll(0);
    expect(selection.count).toBe(0);
  });
});

describe('rowAfterKey', () => {
  it.each([
    ['ArrowDown', 3, 4],
    ['ArrowDown', 9, 9],
    ['ArrowUp', 0, 0],
    ['PageDown', 3, 8],
    ['PageUp', 3, 0],
    ['Home', 7, 0],
    ['End', 2, 9],
    ['x', 2, null],
  ])('%s at %d of 10 goes to %s', (key, active, expected) => {
    expect(rowAfterKey(key, active, 10, 5)).toBe(expected);
  });

  it('goes nowhere in an empty table', () => {
    expect(rowAfterKey('End', 0, 0, 5)).toBeNull();
  });
});
