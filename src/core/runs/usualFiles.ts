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

/** A checkpoint as its files are compared with those of others. */
export interface ComparedCheckpoint {
  step: number | null;
  /** A checkpoint that is one file, which is called after the step, or `last.ckpt`. */
  isSingleFile: boolean;
}

export interface UsualFiles {
  /** By their names, those that are called after the step without it: how large each usually is, in bytes. */
  sizes: ReadonlyMap<string, number>;
  /** Those of them that have this size in at least half of the checkpoints, within what texts in them vary by. */
  constant: ReadonlySet<string>;
}

/** @param checkpoints of one run, with their entries below the checkpoint */
export function usualFiles(checkpoints: readonly (ComparedCheckpoint & { entries: readonly FileEntry[] })[]): UsualFiles {
  const isUsual = ({ sizes }: Seen): boolean => sizes.length > 1 && sizes.length >= usualShare * checkpoints.length;
  // `ocdbt.process_0` is in the checkpoints of all steps, and of step 0 called after it: names that several steps share have no step in them.
  const shared = new Map<string, Seen>();
  for (const checkpoint of checkpoints)
    if (!checkpoint.isSingleFile) for (const entry of checkpoint.entries) addSeen(shared, entry.path, entry, checkpoint);
  const sizes = sizesOf(shared, (seen) => isUsual(seen) && seen.isOfSeveralSteps);
  const stepless = new Map<string, Seen>();
  for (const checkpoint of checkpoints)
    for (const entry of checkpoint.entries)
      if (!sizes.has(entry.path)) addSeen(stepless, nameWithoutStep(entry.path, checkpoint), entry, checkpoint);
  const usual = new Map([...sizes, ...sizesOf(stepless, isUsual)]);
  const constant = [...usual].filter(([name, size]) => {
    const seen = (sizes.has(name) ? shared : stepless).get(name)?.sizes ?? [];
    return seen.filter((one) => isNear(one, size)).length > seen.length / 2;
  });
  return { sizes: usual, constant: new Set(constant.map(([name]) => name)) };
}

/** Of the size: texts and alignment in files of data vary by less. */
const nearShare = 0.001;

function isNear(size: number, usual: number): boolean {
  return Math.abs(size - usual) <= nearShare * usual;
}

/** A name in several checkpoints. */
interface Seen {
  sizes: number[];
  step: number | null;
  isOfSeveralSteps: boolean;
}

function addSeen(all: Map<string, Seen>, name: string, { sizeBytes }: FileEntry, { step }: ComparedCheckpoint): void {
  const seen = all.get(name) ?? { sizes: [], step, isOfSeveralSteps: false };
  all.set(name, seen);
  seen.sizes.push(sizeBytes);
  if (seen.step !== step) seen.isOfSeveralSteps = true;
}

function sizesOf(all: ReadonlyMap<string, Seen>, isUsual: (seen: Seen) => boolean): Map<string, number> {
  return new Map([...all].flatMap(([name, seen]) => (isUsual(seen) ? [[name, median(seen.sizes)]] : [])));
}

/** Files that the save put there, and not somebody later; all of them where nothing is usual. */
export function ownFiles(entries: readonly FileEntry[], checkpoint: ComparedCheckpoint, { sizes }: UsualFiles): FileEntry[] {
  const own = entries.filter(({ path }) => sizes.has(comparedName(path, checkpoint, sizes)));
  return own.length === 0 ? [...entries] : own;
}

/** How many usual files are not there or far too small. */
export function missingFiles(entries: readonly FileEntry[], checkpoint: ComparedCheckpoint, { sizes }: UsualFiles): number {
  const there = new Map(entries.map(({ path, sizeBytes }) => [comparedName(path, checkpoint, sizes), sizeBytes]));
  return [...sizes].filter(([name, usual]) => {
    const size = there.get(name);
    return size === undefined || (usual >= leastDataBytes && size < leastSizeShare * usual);
  }).length;
}

/** A file of data that is shorter than that of the others, which have all one size: it was cut off, or is another one. Null without one. */
export function shorterFile(
  entries: readonly FileEntry[],
  checkpoint: ComparedCheckpoint,
  { sizes, constant }: UsualFiles,
): string | null {
  const shorter = entries.find(({ path, sizeBytes, link }) => {
    const name = comparedName(path, checkpoint, sizes);
    const usual = sizes.get(name) ?? 0;
    return link === undefined && constant.has(name) && usual >= leastDataBytes && sizeBytes < usual && !isNear(sizeBytes, usual);
  });
  return shorter?.path ?? null;
}

function comparedName(path: string, checkpoint: ComparedCheckpoint, sizes: UsualFiles['sizes']): string {
  return sizes.has(path) && !checkpoint.isSingleFile ? path : nameWithoutStep(path, checkpoint);
}

/** `global_step300/mp_rank_00.pt` of step 300 is `#/mp_rank_00.pt`: parts of a path that are called after the step. */
function nameWithoutStep(path: string, { step, isSingleFile }: ComparedCheckpoint): string {
  if (isSingleFile) return '#';
  // Most names have no step: looking for its digits takes less than to divide the path.
  if (step === null || !path.includes(String(step))) return path;
  return path
    .split('/')
    .map((part) => (stepOfName(part) === step ? '#' : part))
    .join('/');
}
