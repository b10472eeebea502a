/** Array tasks for each node: who is done early takes another one, so that no slow node holds the others up. */
const tasksPerNode = 4;

interface Share {
  bytes: number;
  items: number[];
}

/**
 * Deals items out to the tasks of an array so that all have about as many bytes: the largest first, each to the task with the fewest.
 * @returns the numbers of the items of each task, ascending; no task is empty
 */
export function sharesOf(sizesBytes: readonly number[], nodes: number): number[][] {
  const count = Math.min(sizesBytes.length, nodes * tasksPerNode);
  const shares = Array.from({ length: count }, (): Share => ({ bytes: 0, items: [] }));
  const sizeOf = (item: number): number => sizesBytes[item] ?? 0;
  for (const item of [...sizesBytes.keys()].sort((a, b) => sizeOf(b) - sizeOf(a) || a - b)) {
    // A heap, whose first share is the least.
    const least = shares[0] as Share;
    least.items.push(item);
    least.bytes += sizeOf(item);
    sink(shares);
  }
  // The largest begins first.
  return shares.sort((a, b) => b.bytes - a.bytes).map(({ items }) => items.sort((a, b) => a - b));
}

/** Puts the first share of a heap behind those that are less. */
function sink(heap: Share[]): void {
  for (let at = 0, next = 0; ; at = next) {
    for (const child of [2 * at + 1, 2 * at + 2])
      if (child < heap.length && isLess(heap[child] as Share, heap[next] as Share)) next = child;
    if (next === at) return;
    [heap[at], heap[next]] = [heap[next] as Share, heap[at] as Share];
  }
}

/** Of equal bytes the one with fewer items: files without bytes are dealt out, too. */
function isLess(a: Share, b: Share): boolean {
  return a.bytes < b.bytes || (a.bytes === b.bytes && a.items.length < b.items.length);
}
