import { arrayWorks, type AnyArrayWork } from '../../app/jobs/arrayJob.js';
import { FormatError } from '../../core/bytes/formatError.js';
import { JobError } from '../../core/jobs/jobError.js';
import { counted } from '../../core/text/quantities.js';
import { visibleText } from '../../core/text/visibleText.js';
import { readArrayJob, readResults, ResultWriter } from '../../platform/cluster/arrayFolder.js';
import { createNodePlatform } from '../../platform/nodePlatform.js';
import { exitCode } from '../exitCode.js';
import { untilInterrupted } from '../untilInterrupted.js';
import { UsageError } from '../usageError.js';

/** Where Slurm and Kubernetes say which task of an array this is. */
const indexVariables = ['SLURM_ARRAY_TASK_ID', 'JOB_COMPLETION_INDEX'];

/**
 * `stowage job-task FOLDER`, which only the nodes of a job call: does what no earlier attempt at this task has done. Answers the exit code, which is
 * 0 as soon as all results are written, whatever they say.
 */
export async function runJobTask(args: readonly string[]): Promise<number> {
  const [folder, ...more] = args;
  const task = Number(indexVariables.map((name) => process.env[name]).find((value) => value !== undefined));
  if (folder === undefined || more.length > 0 || !Number.isInteger(task)) {
    throw new UsageError('job-task is called by the tasks of a job only');
  }
  try {
    await untilInterrupted((signal) => doTask(folder, task, signal));
    return exitCode.done;
  } catch (error) {
    if (FormatError.is(error, 'cancelled')) return exitCode.cancelled;
    if (!JobError.is(error)) throw error;
    process.stderr.write(`stowage: ${visibleText(error.detail)}\n`);
    return exitCode.unreadable;
  }
}

async function doTask(folder: string, task: number, signal: AbortSignal): Promise<void> {
  const job = await readArrayJob(folder);
  const share = job.shares[task];
  if (share === undefined) throw new JobError('bad-setting', `the job has no task ${task}`);
  const done = await readResults(folder, job, task);
  const left = share.filter((item) => !done.has(item));
  const work: AnyArrayWork = arrayWorks[job.use];
  say(`Task ${task}: ${counted(left.length, ...work.noun)}${done.size > 0 ? `, ${done.size} were done before` : ''}`);
  const writer = await ResultWriter.open(folder, task);
  try {
    await work.run(createNodePlatform(__filename), job.plan, left, (item, result) => writer.add(item, result), signal);
  } finally {
    await writer.close();
  }
  say(`Task ${task}: done`);
}

function say(line: string): void {
  process.stdout.write(`${visibleText(line)}\n`);
}
