/**
 * `save_retain_interval` of Megatron-LM (megatron/training/checkpointing.py: iter_finalize_fn of save_checkpoint), and the newest that `most_recent_k` of
 * Megatron-Bridge and checkpoints that are not persistent keep (cleanup_old_non_persistent_checkpoint).
 */

/**
 * What goes once the save of an iteration is done: the one before, unless it is a multiple of the interval.
 * @param previous iteration in the tracker file before this save; 0 without one
 */
export function removedByRetainInterval(iteration: number, previous: number, interval: number | null): number | null {
  if (interval === null || previous <= 0 || previous === iteration) return null;
  return previous % interval === 0 ? null : previous;
}

/** What goes, the lowest iteration first: of directories that are called `iter_` and a number. At least one stays. */
export function removedByMostRecent(names: readonly string[], keep: number): string[] {
  const iterations = names.flatMap((name) => {
    const iteration = /^iter_(\d+)$/.exec(name)?.[1];
    return iteration === undefined ? [] : [{ name, iteration: Number(iteration) }];
  });
  iterations.sort((a, b) => a.iteration - b.iteration);
  return iterations.slice(0, Math.max(0, iterations.length - Math.max(1, keep))).map(({ name }) => name);
}
