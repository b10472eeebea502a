/** Works on items, so many at the same time. All work that began has ended when it rejects. */
export async function forEachAtOnce<T>(items: Iterable<T>, atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const takeAndWork = async (): Promise<void> => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) await work(next.value);
  };
  const results = await Promise.allSettled(Array.from({ length: atOnce }, takeAndWork));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
