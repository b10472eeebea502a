import { limits } from '../../core/bytes/limits.js';
import type { FileTree } from '../../core/files/fileTree.js';
import { baseName, joinPath, parentPath } from '../../core/files/paths.js';
import { activeHolds, holdsOfRun, holdsPath, isHeldBy, readHolds, type Hold } from '../../core/retention/holds.js';
import { SmallFiles } from '../../core/retention/smallFile.js';
import { pathInRun } from '../../core/runs/pathInRun.js';
import type { RunsReport } from '../../core/runs/runsReport.js';
import type { TrainingRun } from '../../core/runs/trainingRun.js';

/**
 * Checkpoints that are held now, with the reasons, by their paths in the report: by the holds of their run, and by those beside it where these are below
 * the listed directory. A file with an error holds nothing here; a retention plan refuses it.
 * @param nowMs milliseconds since 1970
 */
export async function heldCheckpoints(
  { runs }: Pick<RunsReport, 'runs'>,
  folders: Pick<FileTree, 'open'>,
  nowMs: number,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const files = new SmallFiles(folders, signal);
  const held = new Map<string, string>();
  for (const run of runs) {
    const holds = activeHolds(await holdsFor(run, files), nowMs);
    for (const { path } of run.checkpoints) {
      const hold = holds.find((one) => isHeldBy(one, pathInRun(run, path)));
      if (hold !== undefined) held.set(path, hold.reason);
    }
  }
  return held;
}

async function holdsFor(run: TrainingRun, files: SmallFiles): Promise<Hold[]> {
  const own = await holdsIn(joinPath(run.path, holdsPath), files);
  if (run.path === '') return own;
  const beside = await holdsIn(joinPath(parentPath(run.path), holdsPath), files);
  const paths = run.checkpoints.map(({ path }) => pathInRun(run, path));
  return [...own, ...holdsOfRun(beside, baseName(run.path), paths)];
}

async function holdsIn(file: string, files: SmallFiles): Promise<Hold[]> {
  const text = await files.text(file, limits.retentionCharacters);
  return text === null ? [] : readHolds(text).catch(() => []);
}
