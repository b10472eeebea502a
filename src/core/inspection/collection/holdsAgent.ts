/** Agents of Stable-Baselines3 lie in directories of their own, as in RL Baselines3 Zoo: `ppo/CartPole-v1_1/CartPole-v1.zip`, with logs and settings beside it. */
import type { Probe } from '../../datasets/datasetLayout.js';
import type { FileEntry } from '../../files/fileTree.js';
import { isStableBaselines3 } from '../../formats/stableBaselines3/stableBaselines3.js';

/** How many archives may still be looked at: any kind of them is called `.zip`. */
export interface ArchiveLooks {
  left: number;
}

/** Whether one of the archives is a saved agent. */
export async function holdsAgent(entries: readonly FileEntry[], probe: Probe, looks: ArchiveLooks): Promise<boolean> {
  for (const { path } of entries) {
    if (!/\.zip$/i.test(path)) continue;
    if (looks.left === 0) return false;
    looks.left -= 1;
    if (isStableBaselines3(await probe.head(path))) return true;
  }
  return false;
}
