/** Shares a use case among nodes: writes the job, submits it once that is confirmed, and gathers what its tasks leave. */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../../app/answer.js';
import { arrayWorks, planArrayJob, type AnyArrayWork, type ArrayJob, type ArrayUse } from '../../app/jobs/arrayJob.js';
import type { Platform } from '../../app/platform.js';
import type { ArrayProgram, DescribedArray } from '../../core/jobs/arrayProgram.js';
import { indexedJob } from '../../core/jobs/indexedJob.js';
import { JobError } from '../../core/jobs/jobError.js';
import { rangesOf } from '../../core/jobs/ranges.js';
import { shellWord } from '../../core/jobs/shellWord.js';
import { slurmArray } from '../../core/jobs/slurmArray.js';
import { counted } from '../../core/text/quantities.js';
import { limits } from '../../core/bytes/limits.js';
import { formatBytes } from '../../core/text/units.js';
import { visibleText } from '../../core/text/visibleText.js';
import {
  readArrayJob,
  readResults,
  removeArrayFolder,
  ResultCounter,
  writeArrayJob,
  writeNew,
} from '../../platform/cluster/arrayFolder.js';
import { makeJobFolder } from '../../platform/cluster/jobFolder.js';
import { jobStateInWords, runSlurmJob } from '../../platform/cluster/slurmQueue.js';
import { ask } from '../ask.js';
import { UsageError } from '../usageError.js';
import type { ArrayPlace } from './arrayFlags.js';

/** Submissions of a job whose tasks end without a result: a node may be lost, and so may the next one. */
const mostSubmissions = 3;
/** Shared file systems may show what another node wrote some seconds later (NFS: acdirmin, acregmin). */
const visibleMs = 5_000;

/** A job as it is written down. */
interface WrittenJob {
  folder: string;
  job: ArrayJob;
  place: ArrayPlace;
  /** The script, or the manifest. */
  file: string;
  name: string;
}

/**
 * Runs a use case on several nodes.
 * @returns null where it was not confirmed, and for Kubernetes, whose manifest is all that is written
 * @throws InputError, PathError, UsageError; JobError; FormatError `cancelled`
 */
export async function runArray<Gathered extends Answer>(
  platform: Platform,
  use: ArrayUse,
  input: { path: string },
  place: ArrayPlace,
  signal: AbortSignal,
): Promise<Gathered | null> {
  const job = await planArrayJob(platform, use, input, { system: place.system, nodes: place.options.nodes });
  const written = await write(platform, job, input.path, place);
  if (place.system === 'kubernetes') {
    sayHowToApply(written, place.options.namespace);
    return null;
  }
  say(`The job for Slurm is in ${written.file}.`);
  if (!place.isAgreed && !(await ask('Submit it?', signal))) {
    say(
      `Nothing was submitted: sbatch ${shellWord(written.file)} does, and then stowage ${use} --gather ${shellWord(written.folder)} gathers.`,
    );
    return null;
  }
  const results = await submitted(written, signal);
  const work: AnyArrayWork = arrayWorks[use];
  const answer = (await work.gather(platform, job.plan, results, signal)) as Gathered;
  await removeArrayFolder(written.folder);
  return answer;
}

/**
 * Gathers what the tasks of a job have left.
 * @throws UsageError where the job is of another use case; JobError where results are missing, with how to go on
 */
export async function gatherArray<Gathered extends Answer>(
  platform: Platform,
  use: ArrayUse,
  folder: string,
  signal: AbortSignal,
): Promise<Gathered> {
  const job = await readArrayJob(folder);
  if (job.use !== use) throw new UsageError(`${folder} has a job of ${job.use}`);
  const results = await readResults(folder, job);
  const left = tasksLeft(job, results);
  if (left.length > 0) {
    throw new JobError('other-nodes', `${missingInWords(job, results, left)}. ${goOnInWords(job, folder, left)}`);
  }
  const work: AnyArrayWork = arrayWorks[use];
  return (await work.gather(platform, job.plan, results, signal)) as Gathered;
}

function goOnInWords({ system }: ArrayJob, folder: string, left: readonly number[]): string {
  const file = (name: string): string => shellWord(path.join(folder, name));
  return system === 'slurm'
    ? `sbatch --array=${rangesOf(left)} ${file('job.sh')} runs ${left.length === 1 ? 'it' : 'them'} again`
    : `Where the Job has ended, kubectl replace --force -f ${file('job.yaml')} begins it again; what is done is not read again`;
}

async function write(platform: Platform, job: ArrayJob, target: string, place: ArrayPlace): Promise<WrittenJob> {
  const folder = await makeJobFolder(place.parent, job.use, target);
  const name = path.basename(folder).replace('-job-', '-');
  const work: AnyArrayWork = arrayWorks[job.use];
  const sizes = work.sizesBytes(job.plan);
  const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
  const bytesOf = (items: readonly number[]): number => items.reduce((sum, item) => sum + (sizes[item] ?? 0), 0);
  const array: DescribedArray = {
    name,
    target,
    tasks: job.shares.length,
    mostBytes: job.shares.reduce((most, share) => Math.max(most, bytesOf(share)), 0),
    promise: [
      `Reads up to ${formatBytes(total)} in ${counted(sizes.length, ...work.noun)} of ${target}, in ${tasksInWords(job.shares.length, place.options.nodes)}.`,
      `The tasks write results into ${folder}, and nothing else.`,
    ],
  };
  try {
    await writeArrayJob(folder, job);
    const file = await writeProgram(platform, folder, array, place);
    for (const sentence of array.promise) say(sentence);
    return { folder, job, place, file, name };
  } catch (error) {
    await removeArrayFolder(folder);
    throw error;
  }
}

/** `12 tasks, 3 at once`. */
function tasksInWords(tasks: number, nodes: number): string {
  return `${counted(tasks, 'task')}${tasks > nodes ? `, ${nodes} at once` : ''}`;
}

/** @returns the path of the script, or of the manifest */
async function writeProgram(platform: Platform, folder: string, array: DescribedArray, place: ArrayPlace): Promise<string> {
  const cli = process.argv[1] ?? __filename;
  if (place.system === 'slurm') {
    // The program as the nodes call it: by the same paths as here.
    const program: ArrayProgram = { node: process.execPath, cli, folder };
    return writeNew(folder, 'job.sh', slurmArray(array, place.options, program), 0o700);
  }
  const copy = path.join(folder, 'cli.js');
  const manifest = indexedJob(array, place.options, { node: 'node', cli: copy, folder });
  await writeNew(folder, 'cli.js', await platform.readBytes(cli, limits.programBytes));
  return writeNew(folder, 'job.yaml', manifest);
}

/** All results. @throws JobError `other-nodes` where some are missing, `cancelled` */
async function submitted({ folder, job, place, file }: WrittenJob, signal: AbortSignal): Promise<Map<number, unknown>> {
  const counter = new ResultCounter(folder);
  const work: AnyArrayWork = arrayWorks[job.use];
  const items = job.shares.flat().length;
  let shown = 0;
  const onPoll = async (): Promise<void> => {
    const done = Math.min(items, await counter.count());
    if (done > shown) say(`${done} of ${counted(items, ...work.noun)}`);
    shown = done;
  };
  const follower = { onState: (state: Parameters<typeof jobStateInWords>[0]) => say(jobStateInWords(state)), onPoll };
  let left: number[] = [];
  try {
    for (let submission = 1; submission <= mostSubmissions; submission++) {
      const again = submission === 1 ? [] : [`--array=${rangesOf(left)}%${place.options.nodes}`];
      if (submission > 1)
        say(`${counted(left.length, 'task')} ended without all results and ${left.length === 1 ? 'is' : 'are'} submitted again.`);
      await runSlurmJob(file, again, follower, signal);
      const results = await settled(folder, job);
      left = tasksLeft(job, results);
      if (left.length === 0) return results;
    }
    throw new JobError('other-nodes', missingInWords(job, await readResults(folder, job), left));
  } catch (error) {
    say(`Results and logs stay in ${folder}: stowage ${job.use} --gather ${shellWord(folder)} says how to go on.`);
    throw error;
  }
}

/** Results once they can be seen from here. */
async function settled(folder: string, job: ArrayJob): Promise<Map<number, unknown>> {
  const results = await readResults(folder, job);
  if (tasksLeft(job, results).length === 0) return results;
  await delay(visibleMs);
  return readResults(folder, job);
}

function tasksLeft({ shares }: ArrayJob, results: ReadonlyMap<number, unknown>): number[] {
  return [...shares.keys()].filter((task) => shares[task]?.some((item) => !results.has(item)));
}

function missingInWords({ use, shares }: ArrayJob, results: ReadonlyMap<number, unknown>, left: readonly number[]): string {
  const items = shares.flat();
  const missing = items.filter((item) => !results.has(item)).length;
  const [one, many] = (arrayWorks[use] as AnyArrayWork).noun;
  return `of ${counted(items.length, one, many)} ${missing} have no result, in ${left.length === 1 ? 'task' : 'tasks'} ${rangesOf(left)}`;
}

function sayHowToApply({ job, folder, file, name }: WrittenJob, namespace: string | null): void {
  const inNamespace = namespace === null ? '' : ` --namespace ${namespace}`;
  say(`The Job for Kubernetes is in ${file}.`);
  say(`  kubectl apply -f ${shellWord(file)}`);
  say(`  kubectl get${inNamespace} job/${name} --watch    until it is Complete or Failed`);
  say(`  stowage ${job.use} --gather ${shellWord(folder)}`);
}

function say(line: string): void {
  process.stderr.write(`${visibleText(line)}\n`);
}
