import { access, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CheckError } from '../../../core/bandwidth/checkError.js';
import { limits } from '../../../core/bytes/limits.js';
import type { NodesMeasurement } from '../../../core/bandwidth/nodes.js';
import { makeJobFolder } from '../../cluster/jobFolder.js';
import { runSlurmJob, type JobState } from '../../cluster/slurmQueue.js';
import { readRegularText } from '../../regularFile.js';
import { asCheckError } from './asCheckError.js';
import { readJobResult } from './jobResult.js';

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
 * @throws JobError `not-writable`
 */
export async function makeCheckFolder(parent: string): Promise<JobFolder> {
  const folder = await makeJobFolder(parent, 'bandwidth');
  const file = (name: string): string => path.join(folder, name);
  return { folder, scriptFile: file('job.sh'), resultFile: file('result.json'), logFile: file('log.txt') };
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
  const id = await runSlurmJob(job.scriptFile, [], { onState }, signal).catch((error: unknown) => {
    throw asCheckError(error);
  });
  return resultOf(job, id);
}

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
