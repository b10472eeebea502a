import { elementScroll, observeElementOffset, observeElementRect, Virtualizer, type VirtualItem } from '@tanstack/virtual-core';
import type { ReactiveController, ReactiveControllerHost } from 'lit';

export interface VirtualRowsOptions {
  rowHeight: number;
  /** Height of the header that sticks to the top of the scroller and covers rows there. */
  headerHeight: number;
  scroller(): HTMLElement | null;
}

/**
 * Browsers stop laying out elements at about 33 million pixels; this many rows of 26 pixels stay below. A table with more says so and
 * shows the first ones.
 */
export const maximumVirtualRows = 1_000_000;

/** Keeps only the rows in view in the document. Re-renders its host when another stretch of rows comes into view. */
export class VirtualRows implements ReactiveController {
  private readonly virtualizer: Virtualizer<HTMLElement, HTMLElement>;
  private unmount: (() => void) | undefined;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly options: VirtualRowsOptions,
  ) {
    this.virtualizer = new Virtualizer<HTMLElement, HTMLElement>(this.virtualizerOptions(0));
    host.addController(this);
  }

  hostConnected(): void {
    this.unmount = this.virtualizer._didMount();
  }

  hostUpdated(): void {
    this.virtualizer._willUpdate();
  }

  hostDisconnected(): void {
    this.unmount?.();
    this.unmount = undefined;
  }

  /** Call it before `items` in every render. */
  setCount(count: number): void {
    const shown = Math.min(count, maximumVirtualRows);
    if (shown !== this.virtualizer.options.count) this.virtualizer.setOptions(this.virtualizerOptions(shown));
  }

  get items(): VirtualItem[] {
    return this.virtualizer.getVirtualItems();
  }

  get totalHeight(): number {
    return this.virtualizer.getTotalSize();
  }

  /** Rows that fit between the header and the lower edge; what Page Up and Page Down move by. */
  get rowsPerPage(): number {
    const height = this.virtualizer.scrollRect?.height ?? 0;
    return Math.max(1, Math.floor((height - this.options.headerHeight) / this.options.rowHeight) - 1);
  }

  scrollToRow(index: number): void {
    const scroller = this.options.scroller();
    if (scroller === null) return;
    // Rows have one height, so the offset is known without asking; at once, as an animation over 200,000 rows shows nothing.
    const { rowHeight, headerHeight } = this.options;
    const top = index * rowHeight;
    const view = scroller.clientHeight - headerHeight;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (top + rowHeight > scroller.scrollTop + view) scroller.scrollTop = top + rowHeight - view;
  }

  scrollToTop(): void {
    const scroller = this.options.scroller();
    if (scroller !== null) scroller.scrollTop = 0;
  }

  private virtualizerOptions(count: number): ConstructorParameters<typeof Virtualizer<HTMLElement, HTMLElement>>[0] {
    return {
      count,
      getScrollElement: () => this.options.scroller(),
      estimateSize: () => this.options.rowHeight,
      overscan: 8,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      onChange: () => this.host.requestUpdate(),
    };
  }
}
