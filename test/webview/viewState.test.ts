import { describe, expect, it } from 'vitest';
import { isFiltered, nextSort, toggleFilter, withoutFilters, withSearch } from '../../webview/panel/tensorFilter.js';
import { initialViewState, restoreViewState } from '../../webview/panel/viewState.js';

describe('restoreViewState', () => {
  it('restores what was saved', () => {
    const state = {
      ...initialViewState('/runs/a'),
      tab: 'tensors' as const,
      query: { search: 'norm', components: ['weights' as const], sort: { column: 'bytes' as const, descending: true } },
      expanded: ['0', '0/1'],
    };
    expect(restoreViewState(JSON.parse(JSON.stringify(state)))).toEqual(state);
  });

  it.each([
    undefined,
    null,
    7,
    'text',
    [],
    { tab: 'other', query: { components: ['nonsense'], sort: { column: 'evil' } }, expanded: [1] },
  ])('starts afresh with %j', (saved) => {
    expect(restoreViewState(saved)).toEqual(initialViewState(''));
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

  it('sorts numbers from the largest and names from a, then the other way, then not', () => {
    const first = nextSort({}, 'bytes');
    expect(first.sort).toEqual({ column: 'bytes', descending: true });
    const second = nextSort(first, 'bytes');
    expect(second.sort).toEqual({ column: 'bytes', descending: false });
    expect(nextSort(second, 'bytes')).toEqual({});
    expect(nextSort(first, 'name').sort).toEqual({ column: 'name', descending: false });
  });
});
