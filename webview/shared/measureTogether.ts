/**
 * Reads the layout for all parts at once, before the next frame: each read between two writes would lay the whole page out anew, which for the
 * twenty tables of a plan took longer than the plan itself.
 */
const waiting = new Set<() => () => void>();

/** @param read reads the layout, and gives back what is written once all others have read. The same function waits once. */
export function measureTogether(read: () => () => void): void {
  if (waiting.size === 0) requestAnimationFrame(flush);
  waiting.add(read);
}

function flush(): void {
  const reads = [...waiting];
  waiting.clear();
  const writes = reads.map((read) => read());
  for (const write of writes) write();
}
