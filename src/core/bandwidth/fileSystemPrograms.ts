/** What the programs of file systems say of stripes and quotas. */
import type { FileSystemFacts } from './targetFacts.js';

/**
 * Reads `lfs getstripe -d DIRECTORY`. A layout of several components (PFL) names one after the other, by growing offsets: the last
 * is taken, as most of a large file lies in it. A count of −1 is all targets; 0 is the file system's default, which is 1.
 */
export function parseLustreStripe(output: string): FileSystemFacts['stripe'] {
  const count = lastNumber(output, /stripe_count:\s+(-?\d{1,6})\b/g);
  const sizeBytes = lastNumber(output, /stripe_size:\s+(\d{1,15})\b/g);
  if (count === null || sizeBytes === null) return null;
  return { count: count === 0 ? 1 : count, sizeBytes };
}

function lastNumber(text: string, pattern: RegExp): number | null {
  const found = [...text.matchAll(pattern)].at(-1)?.[1];
  return found === undefined ? null : Number(found);
}

/** Reads `lfs quota -q -u USER PATH`: the mount point, KiB used, quota and limit. A long name has a line for itself. */
export function parseLustreQuota(output: string): FileSystemFacts['quota'] {
  return quotaOf(output.trim().split(/\s+/).slice(1));
}

/** Reads `lfs project -d DIRECTORY`, `1000 P /scratch/run`: the project that its files count for; null where there is none. */
export function parseLustreProject(output: string): number | null {
  const project = Number(/^\s*(\d{1,10})\s+[-P]\s/.exec(output)?.[1] ?? 0);
  return project === 0 ? null : project;
}

/** Reads `lfs df PATH`: how many object targets there are, and the least that is free on one. A target that does not answer is left out. */
export function parseLustreTargets(output: string): { count: number; leastFreeBytes: number } | null {
  const free = [...output.matchAll(/^\S*OST[0-9a-f]{4}_UUID\s+\d+\s+\d+\s+(\d{1,15})\s/gim)].map(([, kib]) => Number(kib) * 1024);
  return free.length === 0 ? null : { count: free.length, leastFreeBytes: free.reduce((least, bytes) => Math.min(least, bytes)) };
}

/** Reads `quota -w -p`, a line for each file system: its name, KiB used, quota and limit. */
export function parseQuota(output: string, names: readonly string[]): FileSystemFacts['quota'] {
  const line = output
    .split('\n')
    .map((text) => text.trim().split(/\s+/))
    .find(([name]) => name !== undefined && names.includes(name));
  return line === undefined ? null : quotaOf(line.slice(1));
}

/** The hard limit, or the soft one where there is no other; null where there is neither. A star marks what is exceeded. */
function quotaOf([used, soft, hard]: string[]): FileSystemFacts['quota'] {
  const [usedKiB, softKiB, hardKiB] = [used, soft, hard].map((text) => {
    const number = /^\[?(\d{1,15})\]?\*?$/.exec(text ?? '')?.[1];
    return number === undefined ? null : Number(number);
  });
  const limitKiB = hardKiB || softKiB;
  return usedKiB == null || !limitKiB ? null : { usedBytes: usedKiB * 1024, limitBytes: limitKiB * 1024 };
}
