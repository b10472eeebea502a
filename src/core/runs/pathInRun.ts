/** The path of a checkpoint relative to its run, where both are relative to the same directory; empty for a model in the run's own directory. */
export function pathInRun({ path: run }: { path: string }, path: string): string {
  if (path === run) return '';
  return run === '' ? path : path.slice(run.length + 1);
}
