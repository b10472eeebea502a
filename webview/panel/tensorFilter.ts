import type { ComponentChoice, TensorColumn, TensorQuery } from '../../src/core/tensors/tensorQuery.js';

/** What tensors can be filtered by besides a search. */
export const filterKeys = ['components', 'dtypes', 'files', 'layers'] as const;

export type FilterKey = (typeof filterKeys)[number];

/** Whether some tensors may be left out. */
export function isFiltered(query: TensorQuery): boolean {
  return (query.search ?? '').trim() !== '' || filterKeys.some((key) => (query[key]?.length ?? 0) > 0);
}

/** The query with one value of a filter added or taken out. A filter without values is left out altogether. */
export function toggleFilter(query: TensorQuery, key: FilterKey, value: string): TensorQuery {
  const values: string[] = query[key] ?? [];
  const next = values.includes(value) ? values.filter((other) => other !== value) : [...values, value];
  return withFilter(query, key, next);
}

/** The query with all values of a filter replaced. */
export function withFilter(query: TensorQuery, key: FilterKey, values: string[]): TensorQuery {
  const { [key]: _replaced, ...rest } = query;
  if (values.length === 0) return rest;
  return key === 'components' ? { ...rest, components: values as ComponentChoice[] } : { ...rest, [key]: values };
}

/** The query with another search; an empty one is left out. */
export function withSearch(query: TensorQuery, search: string): TensorQuery {
  const { search: _replaced, ...rest } = query;
  return search.trim() === '' ? rest : { ...rest, search };
}

/** Without any filter, in the same order. */
export function withoutFilters(query: TensorQuery): TensorQuery {
  return query.sort === undefined ? {} : { sort: query.sort };
}

const descendingFirst: readonly TensorColumn[] = ['bytes', 'elements'];

/** What a click on a column's header asks for: its natural direction, then the other, then the order of the files again. */
export function nextSort(query: TensorQuery, column: TensorColumn): TensorQuery {
  const natural = descendingFirst.includes(column);
  const { sort, ...rest } = query;
  if (sort?.column !== column) return { ...rest, sort: { column, descending: natural } };
  return sort.descending === natural ? { ...rest, sort: { column, descending: !natural } } : rest;
}
