import { randomBytes } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { JobError } from '../../core/jobs/jobError.js';
import { describeIoError } from '../ioError.js';

/**
 * Makes a folder of its own for a job's script, results and logs, which only its user may read.
 * @param parent on storage that all nodes mount under the same path
 * @param name of what the job does: `verify`
 * @param read a directory that the job reads: its folder is none of its files
 * @returns its real path; the last part can be part of a name in Slurm and Kubernetes
 * @throws JobError `not-writable`; `bad-setting` where it would be in the directory that is read
 */
export async function makeJobFolder(parent: string, name: string, read?: string): Promise<string> {
  try {
    const real = await realpath(parent);
    if (read !== undefined) refuseWithin(real, await realpath(read));
    const folder = path.join(real, `stowage-${name}-job-${randomBytes(4).toString('hex')}`);
    await mkdir(folder, { mode: 0o700 });
    return folder;
  } catch (error) {
    if (JobError.is(error)) throw error;
    throw new JobError('not-writable', `no folder for the job can be made in ${parent}: ${describeIoError(error)}`, {
      cause: error,
    });
  }
}

/** @throws JobError `bad-setting` */
function refuseWithin(place: string, directory: string): void {
  const relative = path.relative(directory, place);
  if (relative.startsWith('..') || path.isAbsolute(relative)) return;
  throw new JobError(
    'bad-setting',
    `the job's folder would be in ${directory}, whose files it reads: name another one with --job-folder`,
  );
}
