import type { ComponentChoice, TensorColumn, TensorQuery } from '../../src/core/tensors/tensorQuery.js';

/** What tensors can be filtered by besides a search. */
export const filterKeys = ['components', 'dtypes', 'files', 'layers'] as const;

export type FilterKey = (typeof filterKeys)[number];

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

/** The query in another order; without one in that of the files. */
export function withSort(query: TensorQuery, sort: { column: string; descending: boolean } | null): TensorQuery {
  const { sort: _replaced, ...rest } = query;
  return sort === null ? rest : { ...rest, sort: { column: sort.column as TensorColumn, descending: sort.descending } };
}
