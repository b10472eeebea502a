import { parseLustreProject, parseLustreQuota, parseLustreTargets } from '../core/bandwidth/fileSystemPrograms.js';
import type { StorageRoom } from '../core/runs/storageRoom.js';
import { runProgram } from './os/runProgram.js';

/** Programs that ask a server get so long. */
const timeoutMs = 3_000;

/** Of Lustre: the quota of a directory's project and its fullest target, by `lfs`, which only reads; null where it does not tell. */
export async function lustreRoom(path: string): Promise<Pick<StorageRoom, 'project' | 'targets'>> {
  const [project, targets] = await Promise.all([projectQuota(path), runProgram('lfs', ['df', path], { timeoutMs })]);
  return { project, targets: targets === null ? null : parseLustreTargets(targets) };
}

async function projectQuota(path: string): Promise<StorageRoom['project']> {
  const named = await runProgram('lfs', ['project', '-d', path], { timeoutMs });
  const project = named === null ? null : parseLustreProject(named);
  if (project === null) return null;
  const output = await runProgram('lfs', ['quota', '-q', '-p', String(project), path], { timeoutMs });
  return output === null ? null : parseLustreQuota(output);
}
