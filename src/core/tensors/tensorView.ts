import { grownColumn } from '../bytes/grownColumn.js';
import { compareNatural } from '../files/naturalOrder.js';
import type { ComponentId } from './component.js';
import { ModuleEntries } from './moduleEntries.js';
import { ModuleList } from './moduleRows.js';
import { ModuleTree } from './moduleTree.js';
import { selectTensors } from './selectTensors.js';
import { rowsToArrow } from './tensorArrow.js';
import { rowsToCsv } from './tensorCsv.js';
import { TensorLayers } from './tensorLayers.js';
import {
  isFiltered,
  type Facet,
  type ModulePage,
  type TensorDetail,
  type TensorFacets,
  type TensorPage,
  type TensorPiece,
  type TensorQuery,
  type TensorRow,
} from './tensorQuery.js';
import { groupAt, type TensorTable } from './tensorTable.js';

const MAX_SHARING = 50;
const MAX_PAGE_ROWS = 2_000;

/** Answers questions about a finished table: pages of a query, facets, one tensor's detail, exports. Keeps the last query's rows. */
export class TensorView {
  private readonly layers: TensorLayers;
  private lastQuery = '';
  private lastRows = new Uint32Array(0);
  private lastBytes = 0;
  private lastModules:
    { filterKey: string; tree: ModuleTree; entries: ModuleEntries; listKey: string; list: ModuleList | undefined } | undefined;

  constructor(
    private readonly table: TensorTable,
    private readonly files: readonly { path: string }[],
  ) {
    this.layers = new TensorLayers(table);
  }

  /** Rows [from, from + count) of the query; at most 2,000 at once. */
  page(query: TensorQuery, from: number, count: number): TensorPage {
    const rows = this.rowsOf(query);
    const start = Math.min(Math.max(0, Math.floor(from)), rows.length);
    const shown = rows.subarray(start, start + Math.min(Math.max(0, Math.floor(count)), MAX_PAGE_ROWS));
    return {
      from: start,
      rows: Array.from(shown, (row) => this.rowAt(row)),
      matching: rows.length,
      matchingBytes: this.lastBytes,
    };
  }

  /**
   * Lines [from, from + count) of the tree of modules of the tensors that match; at most 2,000 at once.
   * @param toggled ids of modules that are expanded or collapsed otherwise than at first
   */
  modulePage(query: TensorQuery, toggled: readonly string[], from: number, count: number): ModulePage {
    const list = this.modulesOf(query, toggled);
    const start = Math.min(Math.max(0, Math.floor(from)), list.size);
    const rows = list.rows(start, start + Math.min(Math.max(0, Math.floor(count)), MAX_PAGE_ROWS));
    return { from: start, rows, lines: list.size, matching: list.tensors, matchingBytes: list.bytes };
  }

  facets(): TensorFacets {
    const { table } = this;
    const groups = new NumberedSums();
    const dtypes = new NumberedSums();
    const files = new NumberedSums();
    const layers = new NumberedSums();
    for (let row = 0; row < table.size; row++) {
      const bytes = table.bytesOf(row);
      groups.add(table.groupOf(row), bytes);
      dtypes.add(table.dtypeNumberOf(row), bytes);
      files.add(this.fileNumberOf(row) + 1, bytes);
      layers.add(this.layers.numberOf(row), bytes);
    }
    return {
      components: byBytes(
        groups.facets((group) => {
          const { component, part } = groupAt(group);
          return part === 'whole' ? [component] : [component, `${component}:${part}`];
        }),
      ),
      dtypes: byBytes(dtypes.facets((dtype) => [table.dtypeName(dtype)])),
      files: byBytes(files.facets((file) => [this.pathOf(file - 1)])),
      layers: layers.facets((layer) => [this.layers.labelAt(layer)]).sort((a, b) => compareNatural(a.value, b.value)),
    };
  }

  /** @throws RangeError for a row that the table does not have */
  detail(row: number): TensorDetail {
    const { table } = this;
    if (!Number.isInteger(row) || row < 0 || row >= table.size) throw new RangeError(`there is no tensor ${row}`);
    const extra = table.extraOf(row);
    const component: ComponentId = table.componentOf(row);
    return {
      row,
      name: table.nameOf(row),
      dtype: table.dtypeOf(row),
      shape: table.shapeOf(row),
      elements: table.elementsOf(row),
      bytes: table.bytesOf(row),
      component,
      part: table.partOf(row),
      strides: extra?.strides ?? null,
      wrapper: extra?.wrapper ?? null,
      inner: extra?.inner ?? [],
      pieces: this.piecesOf(row),
      sharesStorageWith: this.sharing(row),
      parameter: extra?.parameter ?? null,
    };
  }

  exportCsv(query: TensorQuery): string {
    return rowsToCsv(this.table, this.files, this.layers, this.rowsOf(query));
  }

  exportArrow(query: TensorQuery): Uint8Array {
    return rowsToArrow(this.table, this.files, this.layers, this.rowsOf(query));
  }

  /** The tree is made again for other filters, its lines for another order or other modules that are expanded. */
  private modulesOf({ sort, ...filters }: TensorQuery, toggled: readonly string[]): ModuleList {
    const filterKey = JSON.stringify(filters);
    if (this.lastModules?.filterKey !== filterKey) {
      const rows = selectTensors(this.table, this.files, this.layers, filters);
      const tree = new ModuleTree(this.table, rows, this.layers);
      this.lastModules = { filterKey, tree, entries: new ModuleEntries(this.table, tree), listKey: '', list: undefined };
    }
    const last = this.lastModules;
    const listKey = JSON.stringify([sort, toggled]);
    if (last.list === undefined || last.listKey !== listKey) {
      last.list = new ModuleList(last.tree, last.entries, (row) => this.rowAt(row), {
        sort,
        toggled,
        isFiltered: isFiltered(filters),
      });
      last.listKey = listKey;
    }
    return last.list;
  }

  private rowAt(row: number): TensorRow {
    const { table } = this;
    return {
      row,
      name: table.nameOf(row),
      dtype: table.dtypeOf(row),
      shape: `[${table.shapeOf(row).join(', ')}]`,
      elements: table.elementsOf(row),
      bytes: table.bytesOf(row),
      component: table.componentOf(row),
      part: table.partOf(row),
      file: this.fileOf(row),
      files: table.endPieceOf(row) - table.firstPieceOf(row),
      layer: this.layers.labelOf(row),
    };
  }

  private rowsOf(query: TensorQuery): Uint32Array {
    const key = JSON.stringify(query);
    if (key !== this.lastQuery || this.lastRows.length === 0) {
      this.lastRows = selectTensors(this.table, this.files, this.layers, query);
      this.lastBytes = this.lastRows.reduce((sum, row) => sum + this.table.bytesOf(row), 0);
      this.lastQuery = key;
    }
    return this.lastRows;
  }

  private fileOf(row: number): string {
    return this.pathOf(this.fileNumberOf(row));
  }

  /** -1 for a tensor that is in no file. */
  private fileNumberOf(row: number): number {
    const piece = this.table.firstPieceOf(row);
    return piece < this.table.endPieceOf(row) ? this.table.pieceFile(piece) : -1;
  }

  private pathOf(file: number): string {
    return this.files[file]?.path ?? '';
  }

  private piecesOf(row: number): TensorPiece[] {
    const pieces: TensorPiece[] = [];
    for (let piece = this.table.firstPieceOf(row); piece < this.table.endPieceOf(row); piece++) {
      pieces.push({
        file: this.files[this.table.pieceFile(piece)]?.path ?? '',
        offsetBytes: this.table.pieceOffset(piece),
        bytes: this.table.pieceSize(piece),
      });
    }
    return pieces;
  }

  private sharing(row: number): string[] {
    const { table } = this;
    const piece = table.firstPieceOf(row);
    if (piece === table.endPieceOf(row)) return [];
    const names: string[] = [];
    for (let other = 0; other < table.size && names.length < MAX_SHARING; other++) {
      const first = table.firstPieceOf(other);
      if (other === row || first === table.endPieceOf(other)) continue;
      const isSame =
        table.pieceFile(first) === table.pieceFile(piece) &&
        table.pieceOffset(first) === table.pieceOffset(piece) &&
        table.pieceSize(first) > 0;
      if (isSame) names.push(table.nameOf(other));
    }
    return names;
  }
}

/** Tensors and bytes of each value of a fact, by the number that the value has in the table: no text is made or looked up for a tensor. */
class NumberedSums {
  private tensors = new Float64Array(64);
  private bytes = new Float64Array(64);

  add(number: number, bytes: number): void {
    if (number >= this.tensors.length) {
      this.tensors = grownColumn(this.tensors, number + 1);
      this.bytes = grownColumn(this.bytes, number + 1);
    }
    this.tensors[number] = (this.tensors[number] as number) + 1;
    this.bytes[number] = (this.bytes[number] as number) + bytes;
  }

  /** Sums of those that occur; numbers with the same value are one. */
  facets(valuesOf: (number: number) => readonly string[]): Facet[] {
    const facets = new Map<string, Facet>();
    this.tensors.forEach((tensors, number) => {
      if (tensors === 0) return;
      for (const value of valuesOf(number)) {
        const facet = facets.get(value) ?? { value, tensors: 0, bytes: 0 };
        facets.set(value, facet);
        facet.tensors += tensors;
        facet.bytes += this.bytes[number] as number;
      }
    });
    return [...facets.values()];
  }
}

function byBytes(facets: Facet[]): Facet[] {
  return facets.sort((a, b) => b.bytes - a.bytes || compareNatural(a.value, b.value));
}
