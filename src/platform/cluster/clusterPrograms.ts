/** Runs the commands that ask a cluster for its facts: fixed programs found in PATH, without a shell, in bounded time and with bounded output. */
import { userInfo } from 'node:os';
import type { ClusterCommand, ClusterPlace } from '../../core/planning/cluster/clusterCommands.js';
import type { ClusterOutputs } from '../../core/planning/cluster/clusterFacts.js';
import { runProgram } from '../os/runProgram.js';
import { systemName } from '../os/systemName.js';

/** A server that is busy answers within that, or not at all. */
const timeoutMs = 10_000;

/**
 * The machine as its programs are asked. @param directory absolute, where checkpoints go; null for none
 * @returns null where the programs of clusters do not run
 */
export function clusterPlace(directory: string | null): ClusterPlace | null {
  const system = systemName();
  if (system !== 'linux' && system !== 'macos') return null;
  const { uid } = userInfo();
  return { system, userId: uid >= 0 ? uid : null, directory };
}

/** All at once, as each waits for another server. Never rejected. */
export async function runClusterCommands(commands: readonly ClusterCommand[], signal?: AbortSignal): Promise<ClusterOutputs> {
  const outputs = await Promise.all(
    commands.map(async ({ id, program, args }) => {
      // Not in a folder of the workspace: where PATH names the folder itself, a program of the workspace would be found.
      const output = await runProgram(program, [...args], { timeoutMs, signal, directory: '/' }).catch(() => null);
      return [id, output] as const;
    }),
  );
  return Object.fromEntries(outputs);
}
