/** Agents of Stable-Baselines3 that lie in directories of their own, as in RL Baselines3 Zoo: `ppo/CartPole-v1_1/CartPole-v1.zip`, with logs and settings beside it. */
import { limits } from '../../bytes/limits.js';
import { parentPath } from '../../files/paths.js';
import type { Probe } from '../../datasets/datasetLayout.js';
import type { Listing } from '../../files/listing.js';
import { isStableBaselines3 } from '../../formats/stableBaselines3/stableBaselines3.js';

/**
 * The outermost directories that have an agent; empty where these are fewer than two, as saves of one agent lie beside each other.
 * @param probe by the first bytes: any archive is called `.zip`
 */
export async function agentDirectories(listing: Listing, probe: Probe): Promise<string[]> {
  const found: string[] = [];
  let left: number = limits.sniffedFiles;
  for (const [directory, archives] of archivesByDirectory(listing)) {
    if (found.some((outer) => directory.startsWith(`${outer}/`))) continue;
    for (const path of archives) {
      if (left <= 0) break;
      left -= 1;
      if (!isStableBaselines3(await probe.head(path))) continue;
      if (directory === '') return [];
      found.push(directory);
      break;
    }
  }
  return found.length < 2 ? [] : found;
}

/** The outermost directories first. Most listings have no archive, and many directories. */
function archivesByDirectory({ entries }: Listing): (readonly [string, readonly string[]])[] {
  const directories = new Map<string, string[]>();
  for (const { path } of entries) {
    if (!/\.zip$/i.test(path)) continue;
    const archives = directories.get(parentPath(path)) ?? [];
    archives.push(path);
    directories.set(parentPath(path), archives);
  }
  return [...directories].sort(([a], [b]) => a.length - b.length);
}
