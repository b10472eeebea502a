import { randomBytes } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { JobError } from '../../core/jobs/jobError.js';

/**
 * Makes a folder of its own for a job's script, results and logs, which only its user may read.
 * @param parent on storage that all nodes mount under the same path
 * @param name of what the job does: `verify`
 * @returns its real path; the last part can be part of a name in Slurm and Kubernetes
 * @throws JobError `not-writable`
 */
export async function makeJobFolder(parent: string, name: string): Promise<string> {
  try {
    const folder = path.join(await realpath(parent), `stowage-${name}-job-${randomBytes(4).toString('hex')}`);
    await mkdir(folder, { mode: 0o700 });
    return folder;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new JobError('not-writable', `no folder for the job can be made in ${parent}: ${reason}`, { cause: error });
  }
}
