/**
 * Runs `work` over items with bounded concurrency. Reads overlap, results do not: `turn()` resolves when all items before are
 * done, so that what a worker does after awaiting it happens in the order of the items, whatever the disk does.
 */
export async function runOrdered<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, index: number, turn: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const finished: Promise<void>[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const previous = finished[index - 1] ?? Promise.resolve();
      const run = work(items[index] as T, index, () => previous);
      // Later items wait for this one and those before it; a failure reaches the caller below, not them.
      finished[index] = Promise.all([previous, run.catch(() => undefined)]).then(() => undefined);
      await run;
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(concurrency, items.length)) }, worker));
}
