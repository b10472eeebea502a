/** What all DLIO workloads of checkpointing share. DLIO deletes none of the checkpoints that it writes. */
import type { YamlValue } from '../../text/yamlText.js';

type Section = { readonly [key: string]: YamlValue };

/** What MLPerf Storage writes and reads, and the most that a workload of a plan does. */
export const usualCheckpoints = 10;

/** A workload that only writes and reads checkpoints. */
export function workloadOf(model: Section, checkpoint: Section): Section {
  return {
    model,
    framework: 'pytorch',
    workflow: { generate_data: false, train: false, checkpoint: true },
    checkpoint,
  };
}
