import type { ReactiveController, ReactiveControllerHost } from 'lit';

export interface VirtualRowsOptions {
  /** All rows have the same, so that where one is follows from its number. */
  rowHeightPx: number;
  /** Height of the header above the rows; it sticks to the top of a table that scrolls by itself. */
  headerHeightPx: number;
  /** Around the header and the rows. */
  table(): HTMLElement | null;
  /** Whether the table scrolls by itself; else the page scrolls. */
  scrolls(): boolean;
}

/**
 * Browsers stop laying out elements at about 33 million pixels; this many rows of 26 pixels stay below. A table with more says so and
 * shows the first ones.
 */
export const maximumVirtualRows = 1_000_000;

/** Rows that are rendered beyond either edge, so that a short way of scrolling shows no gap. */
const overscanRows = 8;
/** What the page's own header covers when rows are brought into view, in pixels. */
const pageHeaderPx = 64;

/** Keeps only the rows in view in the document. Re-renders its host when another stretch of rows comes into view. */
export class VirtualRows implements ReactiveController {
  /** The rows to render, half-open. */
  from = 0;
  to = 0;
  private count = 0;
  private stop: (() => void) | undefined;
  private observed: HTMLElement | null = null;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly options: VirtualRowsOptions,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    const table = this.options.table();
    if (table !== this.observed) this.observe(table);
    this.measure();
  }

  hostDisconnected(): void {
    this.observe(null);
  }

  /** Call it before `from` and `to` in every render. */
  setCount(count: number): void {
    this.count = Math.min(count, maximumVirtualRows);
    this.to = Math.min(this.to, this.count);
    this.from = Math.min(this.from, this.to);
  }

  get totalHeightPx(): number {
    return this.count * this.options.rowHeightPx;
  }

  /** Rows that fit between the header and the lower edge; what Page Up and Page Down move by. */
  get rowsPerPage(): number {
    return Math.max(1, Math.floor(this.viewPx() / this.options.rowHeightPx) - 1);
  }

  /** How far the table is scrolled by itself, in pixels. */
  get topPx(): number {
    return this.options.scrolls() ? (this.options.table()?.scrollTop ?? 0) : 0;
  }

  set topPx(topPx: number) {
    const table = this.options.table();
    if (table !== null && this.options.scrolls()) table.scrollTop = topPx;
  }

  /** At once, as an animation over 200,000 rows shows nothing. */
  scrollToRow(index: number): void {
    const table = this.options.table();
    if (table === null) return;
    const { rowHeightPx } = this.options;
    const topPx = index * rowHeightPx;
    const isOwn = this.options.scrolls();
    const scrolledPx = this.scrolledPx();
    const coveredPx = isOwn ? 0 : pageHeaderPx;
    const beyondPx = topPx + rowHeightPx - scrolledPx - this.viewPx();
    const byPx = topPx - coveredPx < scrolledPx ? topPx - coveredPx - scrolledPx : Math.max(0, beyondPx);
    (isOwn ? table : document.documentElement).scrollTop += byPx;
  }

  private observe(table: HTMLElement | null): void {
    this.stop?.();
    this.stop = undefined;
    this.observed = table;
    if (table === null) return;
    const measure = (): void => this.measure();
    // Scrolling of the page does not bubble up from tables, so that each of the two is heard by itself.
    const scroller = this.options.scrolls() ? table : window;
    scroller.addEventListener('scroll', measure, { passive: true });
    window.addEventListener('resize', measure);
    const observer = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(measure);
    observer?.observe(table);
    this.stop = () => {
      scroller.removeEventListener('scroll', measure);
      window.removeEventListener('resize', measure);
      observer?.disconnect();
    };
  }

  private measure(): void {
    const { rowHeightPx } = this.options;
    const topPx = this.scrolledPx();
    const first = Math.floor(topPx / rowHeightPx) - overscanRows;
    const last = Math.ceil((topPx + this.viewPx()) / rowHeightPx) + overscanRows;
    const within = (row: number): number => Math.min(this.count, Math.max(0, row));
    const [from, to] = [within(first), within(last)];
    if (from === this.from && to === this.to) return;
    this.from = from;
    this.to = to;
    this.host.requestUpdate();
  }

  /** How much of the rows is above the view, in pixels; negative where the view begins above them. */
  private scrolledPx(): number {
    const table = this.options.table();
    if (table === null) return 0;
    if (this.options.scrolls()) return table.scrollTop;
    return -(table.getBoundingClientRect().top + this.options.headerHeightPx);
  }

  /** Height of what can be seen of rows, in pixels. */
  private viewPx(): number {
    const { headerHeightPx } = this.options;
    if (!this.options.scrolls()) return window.innerHeight;
    return (this.options.table()?.clientHeight ?? 0) - headerHeightPx;
  }
}
