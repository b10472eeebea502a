/** The headings of a table: each sorts, and its edge is dragged. */
import { html, type TemplateResult } from 'lit';
import type { GridColumn, GridSort } from './gridColumn.js';

export interface HeaderActs<Row> {
  sort(column: GridColumn<Row>): void;
  focus(index: number): void;
  key(event: KeyboardEvent, index: number): void;
  drag(event: PointerEvent, column: GridColumn<Row>): void;
  fit(column: GridColumn<Row>): void;
}

/** @param place which of the columns it is, and whether the Tab key stops at it */
export function renderHeading<Row>(
  column: GridColumn<Row>,
  { index, isStop }: { index: number; isStop: boolean },
  sort: GridSort | null,
  acts: HeaderActs<Row>,
): TemplateResult {
  const sorted = sort?.column === column.id ? (sort.descending ? 'descending' : 'ascending') : 'none';
  return html`<div
    class="cell ${column.isNumber === true ? 'end' : ''}"
    role="columnheader"
    aria-sort=${sorted}
    data-column=${column.id}
  >
    <button
      class="sort ${sorted}"
      tabindex=${isStop ? 0 : -1}
      title=${`${column.label}: Enter sorts, arrow keys move, Shift and arrow keys resize`}
      @click=${() => acts.sort(column)}
      @focus=${() => acts.focus(index)}
      @keydown=${(event: KeyboardEvent) => acts.key(event, index)}
    >
      <span class="clip">${column.label}</span
      ><span class="arrow" aria-hidden="true">${sorted === 'none' ? '' : sorted === 'descending' ? '↓' : '↑'}</span>
    </button>
    <span
      class="grip"
      aria-hidden="true"
      @pointerdown=${(event: PointerEvent) => acts.drag(event, column)}
      @dblclick=${() => acts.fit(column)}
    ></span>
  </div>`;
}
