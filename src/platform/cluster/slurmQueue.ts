/** Submits jobs to Slurm and follows them by its own programs. There may be no accounting, so what a job did is read from its files. */
import { setTimeout as delay } from 'node:timers/promises';
import { JobError } from '../../core/jobs/jobError.js';
import { runClusterProgram } from './clusterProgram.js';

/** A job as Slurm tells of it. */
export interface JobState {
  id: string;
  /** Tasks that are not done, by their state: `PENDING`, `RUNNING`, `COMPLETING`. A job that is no array has one. */
  tasks: ReadonlyMap<string, number>;
  /** Why the first of those that wait does. */
  reason: string;
}

/** Between two questions to Slurm: its controller serves the whole cluster. */
const pollMs = 2_000;
/** Questions in a row that may fail: a controller that is started again takes a minute. */
const patience = 60;
/** Nodes that a cancelled job runs on have so long to remove what they wrote. */
const endSeconds = 60;

/** Who follows a job. */
export interface JobFollower {
  /** Called whenever the job's state changes. */
  onState: (state: JobState) => void;
  /** Called with each question to Slurm. */
  onPoll?: () => Promise<void>;
}

/**
 * Submits a script and waits until Slurm is done with it, however it ended.
 * @param args of sbatch before the script
 * @returns the id of the job
 * @throws JobError `other-nodes` where Slurm refuses it or no longer answers; `cancelled` once the job is gone
 */
export async function runSlurmJob(
  scriptFile: string,
  args: readonly string[],
  follower: JobFollower,
  signal: AbortSignal,
): Promise<string> {
  const id = await submit(scriptFile, args);
  try {
    await follow(id, follower, signal);
  } catch (error) {
    await runClusterProgram('scancel', [id]);
    // It is asked again until the job is gone: its nodes remove what they wrote until then.
    await follow(id, { onState: follower.onState }, AbortSignal.timeout(endSeconds * 1000)).catch(() => undefined);
    throw error;
  }
  return id;
}

async function submit(scriptFile: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runClusterProgram('sbatch', ['--parsable', ...args, scriptFile]);
  // With several clusters the id is followed by the cluster's name.
  const id = /^(\d+)(;\S+)?\s*$/.exec(stdout)?.[1];
  if (code === 0 && id !== undefined) return id;
  throw new JobError('other-nodes', `the job was not submitted: ${stderr.trim() || stdout.trim()}`);
}

/** Until the job is no longer in the queue. */
async function follow(id: string, { onState, onPoll }: JobFollower, signal: AbortSignal): Promise<void> {
  let last = '';
  for (let failures = 0; failures < patience;) {
    const answer = await askQueue(id);
    await onPoll?.();
    if (answer === 'gone') return;
    if (answer === 'no-answer') failures += 1;
    else {
      failures = 0;
      const text = JSON.stringify([...answer.tasks, answer.reason]);
      if (text !== last) onState(answer);
      last = text;
    }
    await delay(pollMs, undefined, { signal }).catch(() => {
      throw new JobError('cancelled', 'the job was cancelled');
    });
  }
  throw new JobError('other-nodes', `Slurm stopped responding; cancellation of job ${id} was requested`);
}

/** Finished jobs stay in the queue's memory for some minutes, and are unknown to it after that. */
async function askQueue(id: string): Promise<JobState | 'gone' | 'no-answer'> {
  const { code, stdout, stderr } = await runClusterProgram('squeue', [
    '--noheader',
    `--jobs=${id}`,
    '--states=all',
    '--array',
    '--format=%T|%r',
  ]);
  if (code !== 0) return stderr.includes('Invalid job id') ? 'gone' : 'no-answer';
  const tasks = new Map<string, number>();
  let reason = '';
  for (const line of stdout.split('\n')) {
    const [state = '', why = ''] = line.trim().split('|');
    if (!unfinished.has(state)) continue;
    tasks.set(state, (tasks.get(state) ?? 0) + 1);
    if (reason === '' && why !== 'None') reason = why;
  }
  return tasks.size === 0 ? 'gone' : { id, tasks, reason };
}

/** squeue(1), "job state codes". */
const unfinished = new Set([
  'PENDING',
  'CONFIGURING',
  'RUNNING',
  'COMPLETING',
  'SUSPENDED',
  'STAGE_OUT',
  'SIGNALING',
  'STOPPED',
  'REQUEUED',
  'REQUEUE_HOLD',
  'REQUEUE_FED',
  'SPECIAL_EXIT',
  'RESIZING',
]);

/** `Job 12: 2 running, 10 pending (Resources)`. */
export function jobStateInWords({ id, tasks, reason }: JobState): string {
  const states = [...tasks].map(([state, count]) =>
    tasks.size === 1 && count === 1 ? state.toLowerCase() : `${count} ${state.toLowerCase()}`,
  );
  return `Job ${id}: ${states.join(', ')}${reason === '' ? '' : ` (${reason})`}`;
}
