import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TensorPage, TensorQuery, TensorRow } from '../../src/core/tensors/tensorQuery.js';
import { rowsPerPage, TensorPages } from '../../webview/checkpoint/tensorPages.js';
import { manyTensors } from './page/sampleTensors.js';
import { TensorStore } from './page/tensorStore.js';

interface Asked {
  query: TensorQuery;
  from: number;
  signal: AbortSignal;
  answer(): void;
  fail(error: Error): void;
}

/** Pages over a host whose answers the test gives by hand. */
function pagesOf(rows: number): {
  pages: TensorPages<TensorQuery, TensorRow>;
  asked: Asked[];
  changes: () => number;
} {
  const store = new TensorStore(manyTensors(rows));
  const asked: Asked[] = [];
  let changes = 0;
  const pages = new TensorPages<TensorQuery, TensorRow>(
    (query, from, count, signal) =>
      new Promise<TensorPage>((resolve, reject) => {
        asked.push({ query, from, signal, answer: () => resolve(store.page(query, from, count)), fail: reject });
      }),
    () => (changes += 1),
  );
  return { pages, asked, changes: () => changes };
}

async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(100);
}

describe('TensorPages', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('asks for the first page at once and for others when they come into view', async () => {
    const { pages, asked } = pagesOf(2000);
    pages.setQuery({});
    asked[0]?.answer();
    await settle();
    expect(pages.matching).toBe(2000);
    expect(pages.rowAt(3)?.name).toContain('experts.000003');
    expect(pages.rowAt(600)).toBeUndefined();
    pages.show(590, 640);
    await settle();
    expect(asked.map(({ from }) => from)).toEqual([0, 2 * rowsPerPage]);
    asked[1]?.answer();
    await settle();
    expect(pages.rowAt(600)?.name).toContain('experts.000600');
  });

  it('cancels what has left the view and asks once for what is in it', async () => {
    const { pages, asked } = pagesOf(200_000);
    pages.setQuery({});
    asked[0]?.answer();
    await settle();
    pages.show(50_000, 50_040);
    await settle();
    pages.show(150_020, 150_060);
    await settle();
    pages.show(150_020, 150_070);
    await settle();
    expect(asked).toHaveLength(3);
    expect(asked[1]?.signal.aborted).toBe(true);
    expect(asked[2]?.signal.aborted).toBe(false);
  });

  it('keeps the old rows until the first of a new query are here, and ignores late answers', async () => {
    const { pages, asked } = pagesOf(2000);
    pages.setQuery({});
    asked[0]?.answer();
    await settle();
    pages.setQuery({ search: 'nothing matches' });
    pages.setQuery({ search: '000042' });
    expect(pages.rowAt(0)?.name).toContain('000000');
    asked[1]?.answer();
    await settle();
    expect(pages.rowAt(0)?.name).toContain('000000');
    asked[2]?.answer();
    await settle();
    expect(pages.matching).toBe(1);
    expect(pages.rowAt(0)?.name).toContain('000042');
    expect(asked[1]?.signal.aborted).toBe(true);
  });

  it('says what failed, and recovers with the next query', async () => {
    const { pages, asked, changes } = pagesOf(10);
    pages.setQuery({});
    asked[0]?.fail(new Error('the worker has gone'));
    await settle();
    expect(pages.failure).toBe('the worker has gone');
    expect(changes()).toBe(1);
    pages.setQuery({});
    asked[1]?.answer();
    await settle();
    expect(pages.failure).toBeNull();
    expect(pages.matching).toBe(10);
  });

  it('asks for the rows in view first where the reader stays', async () => {
    const { pages, asked } = pagesOf(2000);
    pages.setQuery({});
    asked[0]?.answer();
    await settle();
    pages.show(600, 640);
    await settle();
    asked[1]?.answer();
    await settle();
    pages.setQuery({ search: 'weight' }, pages.firstShown);
    expect(asked[2]?.from).toBe(2 * rowsPerPage);
    asked[2]?.answer();
    await settle();
    expect(pages.rowAt(600)?.name).toContain('experts.000600');
  });

  it('fetches rows to copy until there are no more, however few come at once', async () => {
    const store = new TensorStore(manyTensors(7000));
    const pages = new TensorPages<TensorQuery, TensorRow>(
      (query, from, count) => Promise.resolve(store.page(query, from, Math.min(count, 2000))),
      () => undefined,
    );
    pages.setQuery({});
    const { signal } = new AbortController();
    const names = (await pages.rows(10, 6010, signal)).map(({ row }) => row);
    expect(names).toEqual(Array.from({ length: 6000 }, (_, index) => index + 10));
    expect(await pages.rows(6990, 9000, signal)).toHaveLength(10);
  });

  it('holds a bounded number of pages', async () => {
    const { pages, asked } = pagesOf(40_000);
    pages.setQuery({});
    asked.at(-1)?.answer();
    await settle();
    for (let page = 1; page < 80; page += 1) {
      pages.show(page * rowsPerPage, page * rowsPerPage + 10);
      await settle();
      asked.at(-1)?.answer();
      await settle();
    }
    const held = Array.from({ length: 80 }, (_, page) => pages.rowAt(page * rowsPerPage)).filter((row) => row !== undefined);
    expect(held.length).toBeLessThanOrEqual(48);
    expect(pages.rowAt(79 * rowsPerPage)).toBeDefined();
  });
});
