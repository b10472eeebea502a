/** What tables of panels share: columns, order, search, copies, without a page. */
import { describe, expect, it } from 'vitest';
import { layoutColumns } from '../../webview/shared/columnLayout.js';
import { copyRows, rowText } from '../../webview/shared/copyRows.js';
import { constantColumns, nextSort, type GridColumn } from '../../webview/shared/gridColumn.js';
import { searchRows, sortRows } from '../../webview/shared/gridRows.js';

interface Row {
  name: string;
  dtype: string;
  bytes: number | null;
}

const columns: GridColumn<Row>[] = [
  { id: 'name', label: 'name', widthPx: 200, value: ({ name }) => name },
  { id: 'dtype', label: 'dtype', widthPx: 80, value: ({ dtype }) => dtype, constant: ({ dtype }) => `all ${dtype}` },
  { id: 'elements', label: 'elements', widthPx: 110, isNumber: true, value: () => null },
  { id: 'bytes', label: 'bytes', widthPx: 90, isNumber: true, worth: Infinity, value: ({ bytes }) => bytes },
  { id: 'file', label: 'file', widthPx: 190, value: () => 'a.safetensors' },
];

const rows: Row[] = [
  { name: 'layers.10.weight', dtype: 'bf16', bytes: 4 },
  { name: 'layers.9.weight', dtype: 'bf16', bytes: null },
  { name: 'norm', dtype: 'bf16', bytes: 16 },
];

const lay = (roomPx: number, state = {}, dropped = new Set<string>()) => {
  const layout = layoutColumns({
    columns,
    state: { widthsPx: {}, shown: {}, ...state },
    dropped,
    roomPx,
    labelPx: ({ label }) => label.length * 10,
  });
  return { ids: layout.columns.map(({ id }) => id), tracks: layout.tracks, leastPx: layout.leastPx };
};

describe('columns', () => {
  it('give names at least 45 % and all that is left over', () => {
    expect(lay(1400)).toEqual({
      ids: ['name', 'dtype', 'elements', 'bytes', 'file'],
      tracks: 'minmax(630px, 1fr) 80px 110px 90px 190px',
      leastPx: 630 + 80 + 110 + 90 + 190,
    });
  });

  it('leave where there is no room, the last first, but for those that are kept', () => {
    expect(lay(600).ids).toEqual(['name', 'dtype', 'elements', 'bytes']);
    expect(lay(400).ids).toEqual(['name', 'dtype', 'bytes']);
    expect(lay(200)).toMatchObject({ ids: ['name', 'bytes'], leastPx: 120 + 90 });
  });

  it('stay where the reader asks for them, and go where the reader hides them', () => {
    expect(lay(400, { shown: { file: true } }).ids).toEqual(['name', 'bytes', 'file']);
    expect(lay(1400, { shown: { bytes: false } }).ids).not.toContain('bytes');
    expect(lay(1400, {}, new Set(['dtype'])).ids).not.toContain('dtype');
    expect(lay(1400, { shown: { dtype: true } }, new Set(['dtype'])).ids).toContain('dtype');
  });

  it('have the widths that the reader set, and never less than their label unless it is set', () => {
    expect(lay(1400, { widthsPx: { name: 300, bytes: 50 } }).tracks).toBe('300px 80px 110px 50px 190px');
    const long = [...columns, { id: 'x', label: 'uncompressed bytes', widthPx: 60, value: () => 1 }];
    const { tracks } = layoutColumns({
      columns: long,
      state: { widthsPx: {}, shown: {} },
      dropped: new Set(),
      roomPx: 2000,
      labelPx: ({ label }) => label.length * 10,
    });
    expect(tracks.endsWith('180px')).toBe(true);
  });

  it('are said once where all rows are the same, and left out where no row has a value', () => {
    const { constant, empty } = constantColumns(columns, rows);
    expect([...constant]).toEqual(['dtype']);
    expect([...empty]).toEqual(['elements']);
    expect(constantColumns(columns, rows.slice(0, 1)).constant.size).toBe(0);
  });
});

describe('rows', () => {
  it('are sorted as people count, those without a value last either way', () => {
    const names = (sort: { column: string; descending: boolean } | null): string[] =>
      sortRows(rows, columns, sort).map(({ name }) => name);
    expect(names({ column: 'name', descending: false })).toEqual(['layers.9.weight', 'layers.10.weight', 'norm']);
    expect(names({ column: 'bytes', descending: true })).toEqual(['norm', 'layers.10.weight', 'layers.9.weight']);
    expect(names({ column: 'bytes', descending: false })).toEqual(['layers.10.weight', 'norm', 'layers.9.weight']);
    expect(names({ column: 'dtype', descending: true })).toEqual(rows.map(({ name }) => name));
    expect(names(null)).toEqual(rows.map(({ name }) => name));
    expect(names({ column: 'gone', descending: true })).toEqual(rows.map(({ name }) => name));
  });

  it('are sorted by the order behind words', () => {
    const words: GridColumn<number>[] = [{ id: 'n', label: 'n', widthPx: 50, value: (n) => `${n} errors`, order: (n) => n }];
    expect(sortRows([2, 10, 1], words, { column: 'n', descending: true })).toEqual([10, 2, 1]);
  });

  it('are found by all words, in any column and any case', () => {
    expect(searchRows(rows, columns, 'LAYERS 10')).toHaveLength(1);
    expect(searchRows(rows, columns, 'bf16 norm')).toHaveLength(1);
    expect(searchRows(rows, columns, 'norm layers')).toHaveLength(0);
    expect(searchRows(rows, columns, '  ')).toBe(rows);
  });

  it('turn their order with each click: natural, the other, their own', () => {
    const [name, , , bytes] = columns as [GridColumn<Row>, GridColumn<Row>, GridColumn<Row>, GridColumn<Row>];
    expect(nextSort(null, name)).toEqual({ column: 'name', descending: false });
    expect(nextSort({ column: 'name', descending: false }, name)).toEqual({ column: 'name', descending: true });
    expect(nextSort({ column: 'name', descending: true }, name)).toBeNull();
    expect(nextSort({ column: 'name', descending: true }, bytes)).toEqual({ column: 'bytes', descending: true });
  });
});

describe('copies', () => {
  const fetchRows = (from: number, to: number): readonly Row[] => rows.slice(from, to);

  it('have exact values below the labels, of the ranges in order', async () => {
    const copied = await copyRows(
      columns,
      [
        [0, 1],
        [2, 3],
      ],
      fetchRows,
    );
    expect(copied).toEqual({
      what: '2 rows',
      text: 'name\tdtype\telements\tbytes\tfile\nlayers.10.weight\tbf16\t\t4\ta.safetensors\nnorm\tbf16\t\t16\ta.safetensors',
    });
    expect(rowText(columns, rows[1] as Row)).toBe('layers.9.weight\tbf16\t\t\ta.safetensors');
  });

  it('are refused where there are more rows than belong on a clipboard', async () => {
    const refused = await copyRows(columns, [[0, 50_001]], fetchRows);
    expect(refused).toEqual({ refused: '50,001 rows are too many to copy. Narrow the table, or save it with Export.' });
  });
});
