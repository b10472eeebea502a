import type { RealFiles } from '../../core/bandwidth/checkPreview.js';
import { findRun, type RunMember } from '../../core/inspection/runs/run.js';
import { stepOfName } from '../../core/checkpoints/runs/stepOfName.js';
import { Listing } from '../../core/files/listing.js';
import { baseName } from '../../core/files/paths.js';
import type { Platform } from '../platform.js';

/**
 * Names and sizes of the files of a checkpoint; of a directory of checkpoints those of the one with the highest step.
 * @throws FormatError `io` where it cannot be listed
 */
export async function filesToReplay(
  platform: Pick<Platform, 'openTree'>,
  checkpoint: string,
  signal?: AbortSignal,
): Promise<RealFiles> {
  const tree = await platform.openTree(checkpoint);
  const { entries } = await tree.list(signal);
  const run = findRun(new Listing(tree.rootName, entries));
  const newest = run?.members.reduce((best, member) => (stepOf(member) > stepOf(best) ? member : best));
  return {
    replayOf: newest === undefined || newest.root === '' ? checkpoint : `${checkpoint.replace(/\/+$/, '')}/${newest.root}`,
    files: (newest?.listing.entries ?? entries).map(({ path, sizeBytes }) => ({ name: path, sizeBytes })),
  };
}

function stepOf({ root }: RunMember): number {
  return stepOfName(baseName(root)) ?? -1;
}
