import { limits } from '../../core/bytes/limits.js';
import type { SideName } from '../../core/comparison/comparedCheckpoint.js';
import type { InspectionTarget } from '../inspectionTarget.js';
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

type OfSide<K extends keyof WorkspaceFileSystem> = Parameters<WorkspaceFileSystem[K]>[0] & { side: SideName };

/** Only these three methods may be asked for by a worker, and only of a side that is virtual. */
function filesHandlers(target: ComparisonTarget): object {
  const filesOf = (side: SideName): WorkspaceFileSystem => {
    const of = target[side];
    if (of.kind !== 'virtual') throw new Error('the side is read by the worker itself');
    return of.files;
  };
  return {
    stat: ({ side, path }: OfSide<'stat'>) => filesOf(side).stat({ path }),
    readDirectory: ({ side, path }: OfSide<'readDirectory'>) => filesOf(side).readDirectory({ path }),
    readFile: ({ side, path }: OfSide<'readFile'>) => filesOf(side).readFile({ path }),
  };
}
