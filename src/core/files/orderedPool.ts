/**
 * Runs `work` over items with bounded concurrency. Reads overlap, results do not: `turn()` resolves when all items before are
 * done, so that what a worker does after awaiting it happens in the order of the items, whatever the disk does.
 */
export async function runOrdered<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, index: number, turn: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const turns = new Turns(items.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const own = index;
      try {
        await work(items[own] as T, own, () => turns.of(own));
      } finally {
        // A failure reaches the caller below, not the items that wait.
        turns.end(own);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(concurrency, items.length)) }, worker));
}

/** Which items are done, and what waits for those before it: a promise for what waits alone, as most of 100,000 items do not. */
class Turns {
  private readonly ended: Uint8Array;
  private readonly waiting = new Map<number, () => void>();
  private readonly promises = new Map<number, Promise<void>>();
  /** The first item that is not done. */
  private front = 0;

  constructor(count: number) {
    this.ended = new Uint8Array(count);
  }

  of(index: number): Promise<void> {
    if (this.front >= index) return Promise.resolve();
    const known = this.promises.get(index);
    if (known !== undefined) return known;
    const promise = new Promise<void>((resolve) => this.waiting.set(index, resolve));
    this.promises.set(index, promise);
    return promise;
  }

  end(index: number): void {
    this.ended[index] = 1;
    while (this.ended[this.front] === 1) {
      this.front += 1;
      this.waiting.get(this.front)?.();
      this.waiting.delete(this.front);
      this.promises.delete(this.front);
    }
  }
}
