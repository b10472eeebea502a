import {
  Float64,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Field,
  Struct,
  Uint32,
  Utf8,
  type Data,
  type DataType,
} from 'apache-arrow';
import type { Facet, TensorDetail, TensorFacets, TensorPage, TensorQuery } from '../../../src/core/tensors/tensorQuery.js';
import type { TensorRow } from '../../../webview/checkpoint/tensorRow.js';

/** Answers tensor queries from rows in memory, as the inspection worker does from its table. */
export class TensorStore {
  constructor(private readonly rows: TensorRow[]) {}

  page(query: TensorQuery, from: number, count: number): TensorPage {
    const matching = this.select(query);
    const shown = matching.slice(from, from + count);
    const matchingBytes = matching.reduce((sum, { bytes }) => sum + bytes, 0);
    return { from, rows: shown.length, matching: matching.length, matchingBytes, arrow: encode(shown) };
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

/** Builds the columns from buffers: the builders of apache-arrow compile functions, which the page's policy forbids. */
function encode(rows: TensorRow[]): Uint8Array {
  const length = rows.length;
  const text = (values: string[]): Data<Utf8> => {
    const encoded = values.map((value) => new TextEncoder().encode(value));
    const valueOffsets = new Int32Array(length + 1);
    encoded.forEach((bytes, index) => (valueOffsets[index + 1] = (valueOffsets[index] ?? 0) + bytes.length));
    const data = new Uint8Array(valueOffsets[length] ?? 0);
    encoded.forEach((bytes, index) => data.set(bytes, valueOffsets[index]));
    return makeData({ type: new Utf8(), length, nullCount: 0, valueOffsets, data });
  };
  const whole = (values: number[]): Data<Uint32> =>
    makeData({ type: new Uint32(), length, nullCount: 0, data: Uint32Array.from(values) });
  const real = (values: number[]): Data<Float64> =>
    makeData({ type: new Float64(), length, nullCount: 0, data: Float64Array.from(values) });
  const columns: Record<string, Data<DataType>> = {
    row: whole(rows.map(({ row }) => row)),
    name: text(rows.map(({ name }) => name)),
    dtype: text(rows.map(({ dtype }) => dtype)),
    shape: text(rows.map(({ shape }) => shape)),
    elements: real(rows.map(({ elements }) => elements)),
    bytes: real(rows.map(({ bytes }) => bytes)),
    component: text(rows.map(({ component }) => component)),
    part: text(rows.map(({ part }) => part)),
    file: text(rows.map(({ file }) => file)),
    files: whole(rows.map(({ files }) => files)),
    layer: text(rows.map(({ layer }) => layer)),
  };
  const schema = new Schema(Object.entries(columns).map(([name, data]) => new Field(name, data.type, false)));
  const batch = new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length, nullCount: 0, children: Object.values(columns) }),
  );
  return RecordBatchStreamWriter.writeAll([batch]).toUint8Array(true);
}
