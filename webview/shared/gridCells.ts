/** A row of a table with its cells. */
import { html, nothing, type TemplateResult } from 'lit';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { formatCount } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { cssProperties } from './cssProperties.js';
import type { GridColumn } from './gridColumn.js';

/** Where a row is in a tree; null for `isExpanded` has no rows below it. */
export interface TreePlace {
  level: number;
  position: number;
  siblings: number;
  /** Its parent's place among the rows; null at the top. */
  parent: number | null;
  isExpanded: boolean | null;
}

export interface ShownRow<Row> {
  index: number;
  /** Undefined until it has been fetched. */
  row: Row | undefined;
  columns: readonly GridColumn<Row>[];
  isActive: boolean;
  /** Of an active row: where the reader is in it. Null in a tree, whose rows are walked as a whole. */
  activeColumn: number | null;
  isSelected: boolean;
  /** In a tree. */
  place: TreePlace | undefined;
}

/** What a pointer does to a row. */
export interface RowActs {
  click(event: MouseEvent, index: number): void;
  open(index: number): void;
  /** Expands or collapses it. */
  toggle(index: number): void;
}

export function renderRow<Row>(shown: ShownRow<Row>, acts: RowActs): TemplateResult {
  const { index, isActive, isSelected, place, columns } = shown;
  return html`<div
    class="row ${isActive ? 'active' : ''} ${isSelected ? 'selected' : ''}"
    role="row"
    id=${`row-${index}`}
    aria-rowindex=${index + 2}
    aria-selected=${isSelected}
    aria-level=${place?.level ?? nothing}
    aria-posinset=${place?.position ?? nothing}
    aria-setsize=${place?.siblings ?? nothing}
    aria-expanded=${place?.isExpanded ?? nothing}
    @click=${(event: MouseEvent) => acts.click(event, index)}
    @dblclick=${() => acts.open(index)}
  >
    ${columns.map((column, at) => renderCell(column, at, shown, acts))}
  </div>`;
}

function renderCell<Row>(column: GridColumn<Row>, at: number, shown: ShownRow<Row>, acts: RowActs): TemplateResult {
  const { index, row, place, isActive, activeColumn } = shown;
  const isCurrent = isActive && at === activeColumn;
  const title = row === undefined ? undefined : column.title?.(row);
  return html`<div
    class="cell ${column.isNumber === true ? 'end num' : ''} ${isCurrent ? 'current' : ''} ${place === undefined || at > 0 ? '' : 'node'}"
    role=${at === 0 ? 'rowheader' : 'gridcell'}
    title=${title === undefined || title === '' ? nothing : title}
  >
    ${at > 0 || place === undefined ? nothing : renderTwist(place, () => acts.toggle(index))}${
      row === undefined
        ? html`<span class="muted" aria-label="not read yet">…</span>`
        : column.cell === undefined
          ? textOf(column.value(row))
          : column.cell(row)
    }
  </div>`;
}

function renderTwist({ level, isExpanded }: TreePlace, toggle: () => void): TemplateResult {
  return html`<span
    class="twist"
    aria-hidden="true"
    ${cssProperties({ '--level': String(level - 1) })}
    @click=${(event: Event) => {
      if (isExpanded === null) return;
      event.stopPropagation();
      toggle();
    }}
    >${
      isExpanded === null
        ? nothing
        : html`<vscode-icon name=${isExpanded ? 'chevron-down' : 'chevron-right'} size="14"></vscode-icon>`
    }</span
  >`;
}

function textOf(value: string | number | null): unknown {
  if (value === null) return nothing;
  return typeof value === 'number' ? formatCount(value) : html`<bdi>${visibleText(value)}</bdi>`;
}

/** The row and the column at which an event happened, within what is inside of the table; null outside of any row. */
export function placeOf(within: readonly EventTarget[]): { index: number; column: number } | null {
  const elements = within.filter((target) => target instanceof HTMLElement);
  const row = elements.find(({ id }) => id.startsWith('row-'));
  if (row === undefined) return null;
  const cell = elements.find(({ parentElement }) => parentElement === row);
  return {
    index: Number(row.id.slice('row-'.length)),
    column: cell === undefined ? 0 : Array.from(row.children).indexOf(cell),
  };
}
