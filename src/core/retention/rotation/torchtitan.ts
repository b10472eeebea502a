/** `keep_latest_k` of torchtitan (torchtitan/components/checkpointer/dcp.py: _purge_stale_checkpoints; version 0.3). */

/** What goes once a save is done, the lowest step first: of everything in the folder with `step-` and a number in its name. 0 keeps all. */
export function removedByTorchtitan(names: readonly string[], keepLatest: number): string[] {
  if (keepLatest <= 0) return [];
  const steps = names.flatMap((name) => {
    const step = /step-(\d+)/.exec(name)?.[1];
    return step === undefined ? [] : [{ name, step: Number(step) }];
  });
  steps.sort((a, b) => a.step - b.step || (a.name < b.name ? -1 : 1));
  return steps.slice(0, Math.max(0, steps.length - keepLatest)).map(({ name }) => name);
}
