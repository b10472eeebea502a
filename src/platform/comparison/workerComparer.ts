import { limits } from '../../core/bytes/limits.js';
import type { SideName } from '../../core/comparison/comparedCheckpoint.js';
import type { InspectionTarget } from '../inspectionTarget.js';
import type { HostFiles } from '../hostFiles.js';
import type { RangedFiles } from '../rangedFileTree.js';
import type { RootPaths } from '../readableRoots.js';
import { startWorker } from '../startedWorker.js';
import type { WorkspaceFileSystem } from '../workspaceFileTree.js';
import type { Comparer, ComparerEvents, ComparerRequests, ComparisonTarget } from './comparer.js';
import type { ComparisonWorkerData, SideData } from './comparisonWorkerData.js';

/** It holds the tables of both sides. */
const heapBytes = 2 * limits.inspectionHeapBytes;

/**
 * Starts a comparer in a worker thread of its own.
 * @param workerFile the bundled `inspectionWorker.js`
 */
export function startWorkerComparer(workerFile: string, { a, b }: ComparisonTarget): Comparer {
  const workerData: ComparisonWorkerData = {
    kind: 'stowage-comparison',
    a: sideData(a),
    b: sideData(b),
    rootPaths: rootPathsOfBoth(a, b),
  };
  const handlers = filesHandlers({ a, b });
  return startWorker<ComparerRequests, ComparerEvents>(workerFile, { heapBytes, workerData, handlers });
}

function sideData({ kind, path }: InspectionTarget): SideData {
  return { kind, path };
}

/** Who chose both sides chose what either may read. */
function rootPathsOfBoth(a: InspectionTarget, b: InspectionTarget): RootPaths {
  const paths = [a, b].map((side) => (side.kind === 'local' ? side.rootPaths : []));
  return paths.some((one) => one === null) ? null : [...new Set(paths.flatMap((one) => one ?? []))];
}

type OfSide<K extends keyof HostFiles> = Parameters<HostFiles[K]>[0] & { side: SideName };

/** Only these methods may be asked for by a worker, each of a side that is reached that way. */
function filesHandlers(target: ComparisonTarget): object {
  const virtual = (side: SideName): WorkspaceFileSystem => {
    const of = target[side];
    if (of.kind !== 'virtual') throw new Error('the side is on no virtual file system');
    return of.files;
  };
  const remote = (side: SideName): RangedFiles => {
    const of = target[side];
    if (of.kind !== 'remote') throw new Error('the side is in no store');
    return of.files;
  };
  return {
    stat: ({ side, path }: OfSide<'stat'>) => virtual(side).stat({ path }),
    readDirectory: ({ side, path }: OfSide<'readDirectory'>) => virtual(side).readDirectory({ path }),
    readFile: ({ side, path }: OfSide<'readFile'>) => virtual(side).readFile({ path }),
    listAll: ({ side }: OfSide<'listAll'>, signal: AbortSignal) => remote(side).listAll({}, signal),
    readRange: ({ side, ...range }: OfSide<'readRange'>, signal: AbortSignal) => remote(side).readRange(range, signal),
  };
}
