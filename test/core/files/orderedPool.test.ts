import { expect, it } from 'vitest';
import { runOrdered } from '../../../src/core/files/orderedPool.js';

const items = [0, 1, 2, 3, 4, 5];

it('lets results come in the order of the items, although the last read is done first', async () => {
  const done: (() => void)[] = [];
  const reads = items.map((item) => new Promise<void>((resolve) => (done[item] = resolve)));
  const read: number[] = [];
  const results: number[] = [];
  const run = runOrdered(items, items.length, async (item, _, turn) => {
    await reads[item];
    read.push(item);
    await turn();
    results.push(item);
  });
  for (const item of [...items].reverse()) {
    done[item]?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await run;
  expect(read).toEqual([...items].reverse());
  expect(results).toEqual(items);
});

it('never has more under way than it may', async () => {
  let underWay = 0;
  let most = 0;
  await runOrdered(items, 2, async () => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
  });
  expect(most).toBe(2);
});

it('lets those behind a failure have their turn, and fails itself', async () => {
  const results: number[] = [];
  const run = runOrdered(items, items.length, async (item, _, turn) => {
    if (item === 1) throw new Error('unreadable');
    await turn();
    results.push(item);
  });
  await expect(run).rejects.toThrow('unreadable');
  await new Promise((resolve) => setImmediate(resolve));
  expect(results).toEqual([0, 2, 3, 4, 5]);
});
