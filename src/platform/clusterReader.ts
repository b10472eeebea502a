/** Asks a cluster's programs, wherever the platform can run them. */
import type { ClusterCommand, ClusterPlace } from '../core/planning/cluster/clusterCommands.js';
import type { ClusterOutputs } from '../core/planning/cluster/clusterFacts.js';

export type { ClusterOutputs };

export interface ClusterReader {
  /** @param directory absolute, where checkpoints go; null for none @returns null where the programs of clusters do not run */
  place(directory: string | null): ClusterPlace | null;
  /** Never rejected. */
  run(commands: readonly ClusterCommand[]): Promise<ClusterOutputs>;
}
