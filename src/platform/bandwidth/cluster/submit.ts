import { access, mkdtemp, realpath, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CheckError } from '../../../core/bandwidth/checkError.js';
import { limits } from '../../../core/bytes/limits.js';
import type { NodesMeasurement } from '../../../core/bandwidth/nodes.js';
import { readRegularText } from '../../regularFile.js';
import { readJobResult } from './jobResult.js';
import { runClusterProgram } from './clusterProgram.js';

/** The folder of one job, which its nodes see as well, and the files in it. */
export interface JobFolder {
  folder: string;
  scriptFile: string;
  resultFile: string;
  logFile: string;
}

/**
 * Makes a folder of its own for a job's script, result and log.
 * @param parent on a file system that the nodes share
 * @throws CheckError `not-writable`
 */
export async function makeJobFolder(parent: string): Promise<JobFolder> {
  try {
    const folder = await mkdtemp(path.join(await realpath(parent), 'stowage-bandwidth-job-'));
    const file = (name: string): string => path.join(folder, name);
    return { folder, scriptFile: file('job.sh'), resultFile: file('result.json'), logFile: file('log.txt') };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CheckError('not-writable', `no folder for the job can be made in ${parent}: ${reason}`, { cause: error });
  }
}

export async function writeJobScript(job: JobFolder, script: string): Promise<void> {
  await writeFile(job.scriptFile, script, { mode: 0o700, flag: 'wx' });
}

/** Removes a job's folder with what this program and its job put there, and nothing else. */
export async function removeJobFolder(job: JobFolder): Promise<void> {
  for (const file of [job.scriptFile, job.resultFile, `${job.resultFile}.new`, job.logFile]) await rm(file, { force: true });
  // What somebody else put there stays, and so does the folder.
  await rmdir(job.folder).catch(() => undefined);
}

/** A job as Slurm tells of it. */
export interface JobState {
  id: string;
  /** `PENDING`, `RUNNING`, `COMPLETING`. */
  state: string;
  /** Why it waits. */
  reason: string;
}

/** Between two questions to Slurm: its controller serves the whole cluster. */
const pollMs = 2_000;
/** Questions in a row that may fail: a controller that is started again takes a minute. */
const patience = 60;
/** Shared file systems may show a file of another node this much later (NFS: acdirmax). */
const visibleSeconds = 60;

/**
 * Submits a job's script and waits for its result.
 * @param onState called whenever the job's state changes
 * @throws CheckError `other-nodes` where Slurm refuses it or it ends without a result; `cancelled` once the job is gone
 */
export async function submitJob(
  job: JobFolder,
  onState: (state: JobState) => void,
  signal: AbortSignal,
): Promise<NodesMeasurement> {
  const id = await submit(job.scriptFile);
  try {
    await follow(id, onState, signal);
  } catch (error) {
    await runClusterProgram('scancel', [id]);
    // It is asked again until the job is gone: its nodes remove what they wrote until then.
    await follow(id, onState, AbortSignal.timeout(visibleSeconds * 1000)).catch(() => undefined);
    throw error;
  }
  return resultOf(job, id);
}

async function submit(scriptFile: string): Promise<string> {
  const { code, stdout, stderr } = await runClusterProgram('sbatch', ['--parsable', scriptFile]);
  // With several clusters the id is followed by the cluster's name.
  const id = /^(\d+)(;\S+)?\s*$/.exec(stdout)?.[1];
  if (code === 0 && id !== undefined) return id;
  throw new CheckError('other-nodes', `the job was not submitted: ${stderr.trim() || stdout.trim()}`);
}

/** Until the job is no longer in the queue. */
async function follow(id: string, onState: (state: JobState) => void, signal: AbortSignal): Promise<void> {
  let last = '';
  for (let failures = 0; failures < patience;) {
    const answer = await askQueue(id);
    if (answer === 'gone') return;
    if (answer === 'no-answer') failures += 1;
    else {
      failures = 0;
      const text = `${answer.state} ${answer.reason}`;
      if (text !== last) onState(answer);
      last = text;
    }
    await delay(pollMs, undefined, { signal }).catch(() => {
      throw new CheckError('cancelled', 'the check was cancelled');
    });
  }
  throw new CheckError('other-nodes', `Slurm stopped responding; cancellation of job ${id} was requested`);
}

/** Finished jobs stay in the queue's memory for some minutes, and are unknown to it after that. */
async function askQueue(id: string): Promise<JobState | 'gone' | 'no-answer'> {
  const { code, stdout, stderr } = await runClusterProgram('squeue', [
    '--noheader',
    `--jobs=${id}`,
    '--states=all',
    '--format=%T|%r',
  ]);
  if (code !== 0) return stderr.includes('Invalid job id') ? 'gone' : 'no-answer';
  const [state = '', reason = ''] = (stdout.split('\n')[0] ?? '').trim().split('|');
  return unfinished.has(state) ? { id, state, reason: reason === 'None' ? '' : reason } : 'gone';
}

/** squeue(1), "job state codes". */
const unfinished = new Set(['PENDING', 'CONFIGURING', 'RUNNING', 'COMPLETING', 'SUSPENDED', 'STAGE_OUT', 'SIGNALING', 'STOPPED']);

async function resultOf(job: JobFolder, id: string): Promise<NodesMeasurement> {
  for (let waitedMs = 0; waitedMs <= visibleSeconds * 1000; waitedMs += 500) {
    const result = await readJobResult(job.resultFile);
    if (result !== null) return result;
    // The log is there as soon as the job began; without it the job has not run at all, or its files are not seen yet.
    if (waitedMs > 3_000 && (await isThere(job.logFile))) break;
    await delay(500);
  }
  const log = await readRegularText(job.logFile, limits.jobResultBytes).catch(() => '');
  throw new CheckError('other-nodes', `job ${id} ended without a result: ${log.trim().slice(-2_000) || 'it left no log'}`);
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
