/** The files that checkpoints of a run have in common: what one has not is missing, what it alone has was put there later. */
import { stepOfName } from '../checkpoints/runs/stepOfName.js';
import type { FileEntry } from '../files/fileTree.js';
import { median } from '../bytes/median.js';

/** Of the checkpoints of a run, to count as usual. */
const usualShare = 0.5;
/** Of what a file usually takes: a smaller one was not written to its end. */
const leastSizeShare = 0.5;
/** Only of files that carry data: the sizes of others follow from texts in them. */
const leastDataBytes = 1024 * 1024;

export interface UsualFiles {
  /** By their names without the step: how large each usually is, in bytes. */
  sizes: ReadonlyMap<string, number>;
}

/** @param checkpoints of one run, with their entries below the checkpoint */
export function usualFiles(checkpoints: readonly { step: number | null; entries: readonly FileEntry[] }[]): UsualFiles {
  const seen = new Map<string, number[]>();
  for (const { step, entries } of checkpoints)
    for (const { path, sizeBytes } of entries) {
      const name = nameWithoutStep(path, step);
      const sizes = seen.get(name) ?? [];
      seen.set(name, sizes);
      sizes.push(sizeBytes);
    }
  const usual = [...seen].filter(([, sizes]) => sizes.length > 1 && sizes.length >= usualShare * checkpoints.length);
  return { sizes: new Map(usual.map(([name, sizes]) => [name, median(sizes)])) };
}

/** Files that the save put there, and not somebody later; all of them where nothing is usual. */
export function ownFiles(entries: readonly FileEntry[], step: number | null, { sizes }: UsualFiles): FileEntry[] {
  const own = entries.filter(({ path }) => sizes.has(nameWithoutStep(path, step)));
  return own.length === 0 ? [...entries] : own;
}

/** How many usual files are not there or far too small. */
export function missingFiles(entries: readonly FileEntry[], step: number | null, { sizes }: UsualFiles): number {
  const there = new Map(entries.map(({ path, sizeBytes }) => [nameWithoutStep(path, step), sizeBytes]));
  return [...sizes].filter(([name, usual]) => {
    const size = there.get(name);
    return size === undefined || (usual >= leastDataBytes && size < leastSizeShare * usual);
  }).length;
}

/** `global_step300/mp_rank_00.pt` of step 300 is `#/mp_rank_00.pt`: parts of a path that are called after the step. */
function nameWithoutStep(path: string, step: number | null): string {
  // Most names have no step: looking for its digits takes less than to divide the path.
  if (step === null || !path.includes(String(step))) return path;
  return path
    .split('/')
    .map((part) => (stepOfName(part) === step ? '#' : part))
    .join('/');
}
