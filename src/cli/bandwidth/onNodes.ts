import { slurmScript } from '../../core/bandwidth/jobs/slurmScript.js';
import type { SlurmOptions } from '../../core/jobs/slurmOptions.js';
import type { CheckRequest } from '../../core/bandwidth/measurement.js';
import type { NodesMeasurement } from '../../core/bandwidth/nodes.js';
import {
  makeCheckFolder,
  removeJobFolder,
  submitJob,
  writeJobScript,
  type JobFolder,
} from '../../platform/bandwidth/cluster/submit.js';
import { jobStateInWords } from '../../platform/cluster/slurmQueue.js';

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
 * @throws CheckError, JobError
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
    const measurement = await submitJob(job, (state) => say(jobStateInWords(state)), signal);
    isDone = true;
    return measurement;
  } finally {
    if (isDone || signal.aborted) await removeJobFolder(job);
    else say(`The job's script and log stay in ${job.folder}.`);
  }
}

async function writtenJob({ request, options, promise, parent }: NodesJob): Promise<JobFolder> {
  const job = await makeCheckFolder(parent);
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
