import { slurmScript } from '../../core/bandwidth/jobs/slurmScript.js';
import type { SlurmOptions } from '../../core/bandwidth/jobs/slurmOptions.js';
import type { CheckRequest } from '../../core/bandwidth/measurement.js';
import type { NodesMeasurement } from '../../core/bandwidth/nodes.js';
import { visibleText } from '../../core/text/visibleText.js';
import {
  makeJobFolder,
  removeJobFolder,
  submitJob,
  writeJobScript,
  type JobFolder,
  type JobState,
} from '../../platform/bandwidth/cluster/submit.js';

export interface NodesJob {
  request: CheckRequest;
  options: SlurmOptions;
  /** What will be written, in sentences. */
  promise: readonly string[];
  /** Folder on a file system that the nodes share, for the job's own. */
  parent: string;
}

/**
 * Writes the job that makes a check on several nodes, and once that is confirmed submits it and waits for its result. The script
 * stays where it was not confirmed, and with the log where it failed.
 * @returns null where it was not confirmed
 * @throws CheckError
 */
export async function measureOnNodes(
  nodesJob: NodesJob,
  { isConfirmed, say }: { isConfirmed: () => Promise<boolean>; say: (line: string) => void },
  signal: AbortSignal,
): Promise<NodesMeasurement | null> {
  const job = await writtenJob(nodesJob);
  say(`The job for Slurm is in ${job.scriptFile}.`);
  if (!(await isConfirmed())) {
    say(`The script stays: sbatch ${job.scriptFile}`);
    return null;
  }
  let isDone = false;
  try {
    const measurement = await submitJob(job, (state) => say(stateInWords(state)), signal);
    isDone = true;
    return measurement;
  } finally {
    if (isDone || signal.aborted) await removeJobFolder(job);
    else say(`The job's script and log stay in ${job.folder}.`);
  }
}

async function writtenJob({ request, options, promise, parent }: NodesJob): Promise<JobFolder> {
  const job = await makeJobFolder(parent);
  try {
    // The program as the nodes call it: by the same paths as here.
    const places = { ...job, node: process.execPath, cli: process.argv[1] ?? __filename };
    await writeJobScript(job, slurmScript(request, options, places, promise));
    return job;
  } catch (error) {
    await removeJobFolder(job);
    throw error;
  }
}

function stateInWords({ id, state, reason }: JobState): string {
  return visibleText(`Job ${id}: ${state.toLowerCase()}${reason === '' ? '' : ` (${reason})`}`);
}
