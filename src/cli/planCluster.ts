/** `stowage plan --cluster`: shows the commands that ask the cluster, and runs them once that is confirmed. */
import path from 'node:path';
import type { PlanInput } from '../app/useCaseInputs.js';
import { clusterCommands, commandLine } from '../core/planning/cluster/clusterCommands.js';
import { clusterFacts } from '../core/planning/cluster/clusterFacts.js';
import { planFields } from '../core/planning/inputs/planFields.js';
import { planKeys } from '../core/planning/inputs/planInputs.js';
import { inputText } from '../core/pages/plan/planMarkdown.js';
import { visibleText } from '../core/text/visibleText.js';
import { clusterPlace, runClusterCommands } from '../platform/cluster/clusterPrograms.js';
import { ask } from './ask.js';
import { UsageError } from './usageError.js';

interface ClusterFlags {
  cluster?: boolean;
  directory?: string;
  partition?: string;
  yes?: boolean;
}

/**
 * What the commands printed, as an input of a plan; nothing without `--cluster`.
 * @returns null where it was not confirmed
 * @throws UsageError
 */
export async function readCluster(flags: ClusterFlags): Promise<Pick<PlanInput, 'cluster'> | null> {
  const { cluster, directory, partition, yes } = flags;
  if (cluster !== true) {
    const other = (['directory', 'partition', 'yes'] as const).find((flag) => flags[flag] !== undefined);
    if (other !== undefined) throw new UsageError(`--${other} is of --cluster`);
    return {};
  }
  const place = clusterPlace(directory === undefined ? null : path.resolve(directory));
  if (place === null) throw new UsageError('--cluster asks programs of Linux and macOS');
  const commands = clusterCommands(place);
  say('These commands read and change nothing:');
  for (const command of commands) say(`  ${commandLine(command)}    # ${command.what}`);
  if (yes !== true && !(await ask('Run them?'))) {
    say('Not run. --yes runs them without asking.');
    return null;
  }
  const outputs = await runClusterCommands(commands);
  for (const { id, program } of commands)
    if (outputs[id] == null) say(`No answer of ${program} (${id}): it is not here, or failed.`);
  const facts = clusterFacts(outputs, place, partition ?? null);
  for (const key of planKeys) {
    const value = facts.inputs[key];
    if (value !== undefined) say(`${planFields[key].label}: ${inputText(key, value)} (${facts.origins[key]?.text ?? ''})`);
  }
  return { cluster: { place, partition: partition ?? null, outputs } };
}

function say(line: string): void {
  process.stderr.write(`${visibleText(line)}\n`);
}
