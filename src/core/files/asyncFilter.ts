import { limits } from '../bytes/limits.js';

/** The items for which `test` holds, in their order; up to `limits.concurrentReads` are tested at once. */
export async function asyncFilter<T>(items: readonly T[], test: (item: T) => Promise<boolean>): Promise<T[]> {
  if (items.length === 0) return [];
  const holds = new Uint8Array(items.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) holds[at] = (await test(items[at] as T)) ? 1 : 0;
  };
  await Promise.all(Array.from({ length: Math.min(limits.concurrentReads, items.length) }, worker));
  return items.filter((_, at) => holds[at] === 1);
}
