import type {
  Facet,
  ModulePage,
  TensorDetail,
  TensorFacets,
  TensorPage,
  TensorQuery,
  TensorRow,
} from '../../../src/core/tensors/tensorQuery.js';
import { TensorTable } from '../../../src/core/tensors/tensorTable.js';
import { TensorView } from '../../../src/core/tensors/tensorView.js';

/** Answers tensor queries from rows in memory, as the inspection worker does from its table. */
export class TensorStore {
  private view: TensorView | undefined;

  constructor(private readonly rows: TensorRow[]) {}

  page(query: TensorQuery, from: number, count: number): TensorPage {
    const matching = this.select(query);
    const shown = matching.slice(from, from + count);
    const matchingBytes = matching.reduce((sum, { bytes }) => sum + bytes, 0);
    return { from, rows: shown, matching: matching.length, matchingBytes };
  }

  /** As the worker makes it: of a table of the same tensors. */
  modulePage(query: TensorQuery, toggled: readonly string[], from: number, count: number): ModulePage {
    return (this.view ??= this.tableView()).modulePage(query, toggled, from, count);
  }

  facets(): TensorFacets {
    return {
      components: this.facet('component'),
      dtypes: this.facet('dtype'),
      files: this.facet('file'),
      layers: this.facet('layer'),
    };
  }

  detail(row: number): TensorDetail {
    const found = this.rows[row];
    if (found === undefined) throw new RangeError(`there is no row ${row}`);
    const { name, dtype, elements, bytes, component, part, file } = found;
    const shape = found.shape.split(' × ').map(Number);
    const parameter = component === 'optimizer' ? name.replace(/^exp_avg(_sq)?\./, '') : null;
    const pieces = [{ file, offsetBytes: 9_184 + row * 4096, bytes }];
    return {
      row,
      name,
      dtype,
      shape,
      elements,
      bytes,
      component,
      part,
      strides: null,
      wrapper: null,
      inner: [],
      pieces,
      sharesStorageWith: [],
      parameter,
    };
  }

  private tableView(): TensorView {
    const table = new TensorTable();
    const files = [...new Set(this.rows.map(({ file }) => file))];
    for (const { name, dtype, shape, bytes, component, part, file } of this.rows) {
      table.add({ name, dtype, shape: shape.split(' × ').map(Number), bytes, component, part });
      table.addPiece(files.indexOf(file), 0, bytes);
    }
    return new TensorView(
      table,
      files.map((path) => ({ path })),
    );
  }

  private select({ search, components, dtypes, files, layers, sort }: TensorQuery): TensorRow[] {
    const words = (search ?? '')
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const passes = (values: readonly string[] | undefined, value: string): boolean =>
      values === undefined || values.length === 0 || values.includes(value);
    const found = this.rows.filter(
      (row) =>
        words.every((word) => row.name.toLowerCase().includes(word)) &&
        (passes(components, row.component) || passes(components, `${row.component}:${row.part}`)) &&
        passes(dtypes, row.dtype) &&
        passes(files, row.file) &&
        passes(layers, row.layer),
    );
    if (sort === undefined) return found;
    const sign = sort.descending ? -1 : 1;
    const { column } = sort;
    return found.sort((a, b) => sign * (a[column] < b[column] ? -1 : a[column] > b[column] ? 1 : 0) || a.row - b.row);
  }

  private facet(key: 'component' | 'dtype' | 'file' | 'layer'): Facet[] {
    const facets = new Map<string, Facet>();
    for (const row of this.rows) {
      const facet = facets.get(row[key]) ?? { value: row[key], tensors: 0, bytes: 0 };
      facet.tensors += 1;
      facet.bytes += row.bytes;
      facets.set(row[key], facet);
    }
    return [...facets.values()].sort((a, b) => b.bytes - a.bytes);
  }
}
