/**
 * `save_retain_interval` of Megatron-LM (megatron/training/checkpointing.py: iter_finalize_fn of save_checkpoint), and `most_recent_k` of Megatron-Bridge
 * (megatron/bridge/training/checkpointing.py: cleanup_old_non_persistent_checkpoint).
 */

/**
 * What goes once the save of an iteration is done: the one before, unless it is a multiple of the interval.
 * @param previous iteration in the tracker file before this save; 0 without one
 */
export function removedByRetainInterval(iteration: number, previous: number, interval: number | null): number | null {
  if (interval === null || previous <= 0 || previous === iteration) return null;
  return previous % interval === 0 ? null : previous;
}

/** What goes, the lowest iteration first: of directories that are called `iter_` and a number. -1 keeps all, 0 none. */
export function removedByMostRecent(names: readonly string[], keep: number): string[] {
  if (keep < 0) return [];
  const iterations = names.flatMap((name) => {
    const iteration = /^iter_(\d+)$/.exec(name)?.[1];
    return iteration === undefined ? [] : [{ name, iteration: Number(iteration) }];
  });
  iterations.sort((a, b) => a.iteration - b.iteration);
  return iterations.slice(0, Math.max(0, iterations.length - keep)).map(({ name }) => name);
}
