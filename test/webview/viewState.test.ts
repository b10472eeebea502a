import { describe, expect, it } from 'vitest';
import { isFiltered } from '../../src/core/tensors/tensorQuery.js';
import { toggleFilter, withoutFilters, withSearch, withSort } from '../../webview/panel/tensorFilter.js';
import { initialGridState } from '../../webview/shared/gridState.js';
import { initialViewState, restoreViewState } from '../../webview/panel/viewState.js';

describe('restoreViewState', () => {
  it('restores what was saved', () => {
    const state = {
      ...initialViewState('/runs/a'),
      tab: 'tensors' as const,
      query: { search: 'norm', components: ['weights' as const], sort: { column: 'bytes' as const, descending: true } },
      tensorsAs: 'modules' as const,
      toggledModules: ['module model'],
      openTensor: 7,
      expanded: ['0', '0/1'],
      tables: {
        files: {
          sort: { column: 'bytes', descending: false },
          widthsPx: { path: 320 },
          shown: { role: false },
          search: 'model',
          position: { topPx: 52, active: 3, selected: [[1, 4] as [number, number], [7, 8] as [number, number]] },
        },
      },
    };
    expect(restoreViewState(JSON.parse(JSON.stringify(state)))).toEqual(state);
  });

  it.each([
    undefined,
    null,
    7,
    'text',
    [],
    {
      tab: 'other',
      query: { components: ['nonsense'], sort: { column: 'evil' } },
      expanded: [1],
      toggledModules: 7,
      openTensor: -1,
      tensorsAs: 'other',
      tables: 'none',
    },
  ])('starts afresh with %j', (saved) => {
    expect(restoreViewState(saved)).toEqual(initialViewState(''));
  });

  it('leaves out what no table can be in', () => {
    const files = {
      sort: { column: 7 },
      widthsPx: { path: 1e9, bytes: -4, role: 'wide', format: 90 },
      shown: { path: 'yes', role: true },
      position: { topPx: -1, active: NaN, selected: [[4, 2], [1, 3], 'all', [0, 2]] },
    };
    expect(restoreViewState({ tables: { files } }).tables['files']).toEqual({
      ...initialGridState,
      widthsPx: { format: 90 },
      shown: { role: true },
    });
  });
});

describe('filters', () => {
  it('adds and takes out values, and leaves no empty filter behind', () => {
    const once = toggleFilter({ search: 'x' }, 'dtypes', 'bf16');
    expect(once).toEqual({ search: 'x', dtypes: ['bf16'] });
    expect(toggleFilter(once, 'dtypes', 'f32').dtypes).toEqual(['bf16', 'f32']);
    expect(toggleFilter(once, 'dtypes', 'bf16')).toEqual({ search: 'x' });
    expect(toggleFilter({}, 'layers', '')).toEqual({ layers: [''] });
  });

  it('tells whether anything is left out', () => {
    expect(isFiltered({})).toBe(false);
    expect(isFiltered({ search: '  ' })).toBe(false);
    expect(isFiltered({ sort: { column: 'name', descending: false } })).toBe(false);
    expect(isFiltered(withSearch({}, 'a'))).toBe(true);
    expect(withoutFilters({ search: 'a', files: ['b'], sort: { column: 'name', descending: false } })).toEqual({
      sort: { column: 'name', descending: false },
    });
  });

  it('keeps the filters in another order', () => {
    const sort = { column: 'bytes', descending: true };
    expect(withSort({ search: 'a' }, sort)).toEqual({ search: 'a', sort });
    expect(withSort({ search: 'a', sort: { column: 'name', descending: false } }, null)).toEqual({ search: 'a' });
  });
});
