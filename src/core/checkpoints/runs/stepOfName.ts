/** What the name of a directory or a file says about the step at which it was saved. */

/** Words that trainers put before the number; the last match decides, so that `epoch=0-step=20` is step 20. */
const steps = /(?:^|[^a-z])(?:global_?step|step|iter|iteration|checkpoint|ckpt|ba|batch)s?[-_=]?0*(\d{1,15})(?!\d)/gi;
/** Commits and hashes of files, whose digits may happen to follow `ba`. */
const hash = /^[0-9a-f]{32,64}$/i;
const temporary = /^(?:tmp-)|(?:[.-](?:orbax-checkpoint-tmp|tmp|temp|incomplete|unfinished))(?:[.-]\d+)*$/gi;

/** `step-1000`, `iter_0000005`, `global_step20`, `epoch=0-step=4.ckpt`, `ep1-ba100`, `1000`; null for a name without a step. */
export function stepOfName(name: string): number | null {
  const bare = name.replace(temporary, '');
  if (/^0*\d{1,15}$/.test(bare)) return Number(bare);
  if (hash.test(bare)) return null;
  const digits = [...bare.matchAll(steps)].at(-1)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** True for a directory that a save writes into before it is renamed to its final name. */
export function isTemporaryName(name: string): boolean {
  return name.replace(temporary, '') !== name;
}
