import type { RealFiles } from '../../core/bandwidth/checkPreview.js';
import { FormatError } from '../../core/bytes/formatError.js';
import { partPathsInWords } from '../../core/inspection/collection/missingPart.js';
import { findRun, type RunMember } from '../../core/inspection/runs/run.js';
import { stepOfName } from '../../core/checkpoints/runs/stepOfName.js';
import { Listing } from '../../core/files/listing.js';
import type { FileEntry } from '../../core/files/fileTree.js';
import { baseName, parentPath } from '../../core/files/paths.js';
import { detectLayout } from '../../core/frameworks/detectLayout.js';
import type { Platform } from '../platform.js';

/**
 * Names and sizes of the files of a checkpoint; of a directory of checkpoints those of the one with the highest step.
 * @throws FormatError `io` where it cannot be listed, and where it holds several things
 */
export async function filesToReplay(
  platform: Pick<Platform, 'openTree'>,
  checkpoint: string,
  signal?: AbortSignal,
): Promise<RealFiles> {
  const tree = await platform.openTree(checkpoint);
  const { entries } = await tree.list(signal);
  const listing = new Listing(tree.rootName, entries);
  const several = severalIn(listing);
  if (several.length > 1) throw new FormatError('io', `it holds several things. Name one: ${partPathsInWords(several)}`);
  const run = findRun(listing);
  const newest = run?.members.reduce((best, member) => (stepOf(member) > stepOf(best) ? member : best));
  return {
    replayOf: newest === undefined || newest.root === '' ? checkpoint : `${checkpoint.replace(/\/+$/, '')}/${newest.root}`,
    files: (newest?.listing.entries ?? entries).map(({ path, sizeBytes }) => ({ name: path, sizeBytes })),
  };
}

/** Directories with a checkpoint or a run each, as far as names tell; a run by itself is one. */
function severalIn(listing: Listing): { path: string }[] {
  const run = findRun(listing);
  const parents = new Set(run?.members.map(({ root }) => parentPath(root)));
  if (run !== undefined) return parents.size < 2 ? [] : [...parents].map((path) => ({ path }));
  if (detectLayout(listing).id !== 'unknown') return [];
  const directories = new Map<string, FileEntry[]>();
  for (const entry of listing.entries) {
    const [name = '', ...rest] = entry.path.split('/');
    if (rest.length === 0) continue;
    const inside = directories.get(name) ?? [];
    inside.push({ ...entry, path: rest.join('/') });
    directories.set(name, inside);
  }
  return [...directories].flatMap(([path, entries]) =>
    detectLayout(new Listing(path, entries)).id === 'unknown' ? [] : [{ path }],
  );
}

function stepOf({ root }: RunMember): number {
  return stepOfName(baseName(root)) ?? -1;
}
