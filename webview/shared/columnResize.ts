import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { GridColumn } from './gridColumn.js';

/** Follows a pointer that drags the edge of a column. */
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
}
