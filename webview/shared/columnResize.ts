import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { GridColumn } from './gridColumn.js';
import { columnWidthsPx } from './gridState.js';

/** Columns are made wider or narrower by this much with each key. */
const resizeStepPx = 16;

/** Widths of columns as the reader makes them: by dragging an edge, and by keys. */
export class ColumnResize<Row> implements ReactiveController {
  private stop: (() => void) | undefined;

  constructor(
    host: ReactiveControllerHost,
    private readonly setWidth: (column: string, widthPx: number) => void,
  ) {
    host.addController(this);
  }

  hostDisconnected(): void {
    this.stop?.();
  }

  begin(event: PointerEvent, column: GridColumn<Row>): void {
    const grip = event.currentTarget as HTMLElement;
    const startPx = event.clientX;
    const widthPx = grip.parentElement?.getBoundingClientRect().width ?? column.widthPx;
    const move = ({ clientX }: PointerEvent): void => this.setWidth(column.id, widthPx + clientX - startPx);
    this.stop?.();
    this.stop = () => {
      grip.removeEventListener('pointermove', move);
      this.stop = undefined;
    };
    event.preventDefault();
    grip.setPointerCapture(event.pointerId);
    grip.addEventListener('pointermove', move);
    for (const end of ['pointerup', 'pointercancel']) grip.addEventListener(end, () => this.stop?.(), { once: true });
  }

  /** One step wider, or narrower. */
  step(event: KeyboardEvent, column: GridColumn<Row>, by: 1 | -1): void {
    const header = (event.currentTarget as HTMLElement).closest('.cell');
    this.setWidth(column.id, (header?.getBoundingClientRect().width ?? column.widthPx) + by * resizeStepPx);
  }
}

/** The nearest width that a column is made. */
export function allowedWidthPx(widthPx: number): number {
  const { least, most } = columnWidthsPx;
  return Math.round(Math.min(most, Math.max(least, widthPx)));
}

/** What the widest cell of each column needs, its header included, of the rows that are in the document. */
export function contentWidthsPx(table: HTMLElement, columns: number): number[] {
  const tracks = table.style.getPropertyValue('--tracks');
  table.style.setProperty('--tracks', Array<string>(columns).fill('max-content').join(' '));
  const rows = [...table.querySelectorAll('.row')];
  const widths = Array.from({ length: columns }, (_none, at) => {
    const widest = rows.reduce((most, { children }) => Math.max(most, children[at]?.getBoundingClientRect().width ?? 0), 0);
    return Math.ceil(widest);
  });
  table.style.setProperty('--tracks', tracks);
  return widths;
}
