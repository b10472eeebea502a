/** Some rows, and what is said of all of them. */
export interface RowPage<Row> {
  rows: Row[];
  matching: number;
  matchingBytes: number;
  /** Rows, where that is not the number of tensors. */
  lines?: number;
}

/** Asks the host for rows [from, from + count) of a query. */
export type FetchPage<Query, Row> = (query: Query, from: number, count: number, signal: AbortSignal) => Promise<RowPage<Row>>;

export const rowsPerPage = 256;
const cachedPages = 48;
/** While the user scrolls fast, only where they come to rest is asked for. */
const settleMs = 40;

/**
 * The rows of one query, fetched page by page as they come into view. Requests for rows that have left the view are cancelled. When
 * the query changes, the old rows stay until the first page of the new ones is here, so that the table never blinks.
 */
export class TensorPages<Query, Row> {
  /** Rows of the query. */
  count = 0;
  matching = 0;
  matchingBytes = 0;
  /** Grows whenever `rowAt` may answer differently. */
  version = 0;
  /** Whether the query's first page is here. */
  loaded = false;
  failure: string | null = null;

  private query: Query | undefined;
  private pages = new Map<number, Row[]>();
  private readonly running = new Map<number, AbortController>();
  private generation = 0;
  private wanted: [number, number] = [0, 0];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly fetchPage: FetchPage<Query, Row>,
    private readonly onChange: () => void,
  ) {}

  /**
   * Starts over with another query.
   * @param first the row whose page is asked for at once
   */
  setQuery(query: Query, first = 0): void {
    this.query = query;
    this.generation += 1;
    this.cancelAll();
    this.loaded = false;
    this.failure = null;
    void this.load(Math.floor(first / rowsPerPage));
  }

  /** Rows that are in view: what is missing of them is fetched. */
  show(from: number, to: number): void {
    this.wanted = [Math.floor(from / rowsPerPage), Math.floor(Math.max(from, to - 1) / rowsPerPage)];
    if (!this.loaded) return;
    clearTimeout(this.timer);
    if (this.missing().length > 0) this.timer = setTimeout(() => this.loadWanted(), settleMs);
  }

  /** The first row in view. */
  get firstShown(): number {
    return this.wanted[0] * rowsPerPage;
  }

  /** The row, or undefined while it is not here. */
  rowAt(index: number): Row | undefined {
    return this.pages.get(Math.floor(index / rowsPerPage))?.[index % rowsPerPage];
  }

  /** Fetches rows whether or not they are in view, e.g. to copy them. */
  async rows(from: number, to: number, signal: AbortSignal): Promise<Row[]> {
    const rows: Row[] = [];
    const { query } = this;
    if (query === undefined) return rows;
    while (rows.length < to - from) {
      const page = (await this.fetchPage(query, from + rows.length, to - from - rows.length, signal)).rows;
      if (page.length === 0) break;
      for (const row of page) rows.push(row);
    }
    return rows;
  }

  dispose(): void {
    this.generation += 1;
    this.cancelAll();
  }

  private cancelAll(): void {
    clearTimeout(this.timer);
    for (const controller of this.running.values()) controller.abort();
    this.running.clear();
  }

  private missing(): number[] {
    const [first, last] = this.wanted;
    return Array.from({ length: last - first + 1 }, (_, index) => first + index).filter((page) => !this.pages.has(page));
  }

  private loadWanted(): void {
    const [first, last] = this.wanted;
    for (const [page, controller] of this.running) {
      if (page >= first && page <= last) continue;
      controller.abort();
      this.running.delete(page);
    }
    for (const page of this.missing()) {
      if (!this.running.has(page)) void this.load(page);
    }
  }

  private async load(page: number): Promise<void> {
    const { generation, query } = this;
    if (query === undefined) return;
    const controller = new AbortController();
    this.running.set(page, controller);
    try {
      const answer = await this.fetchPage(query, page * rowsPerPage, rowsPerPage, controller.signal);
      if (generation !== this.generation) return;
      if (!this.loaded) this.pages = new Map();
      this.loaded = true;
      this.failure = null;
      this.count = answer.lines ?? answer.matching;
      this.matching = answer.matching;
      this.matchingBytes = answer.matchingBytes;
      this.keep(page, answer.rows);
    } catch (error) {
      if (generation !== this.generation || controller.signal.aborted) return;
      this.failure = error instanceof Error ? error.message : String(error);
    } finally {
      if (this.running.get(page) === controller) this.running.delete(page);
    }
    this.version += 1;
    this.onChange();
    if (this.failure === null) this.loadWanted();
  }

  /** Keeps the page and forgets those farthest from view. */
  private keep(page: number, rows: Row[]): void {
    this.pages.set(page, rows);
    if (this.pages.size <= cachedPages) return;
    const distance = (other: number): number => Math.abs(other - this.wanted[0]);
    const farthest = [...this.pages.keys()].reduce((a, b) => (distance(b) > distance(a) ? b : a));
    this.pages.delete(farthest);
  }
}
