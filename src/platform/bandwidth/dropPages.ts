import path from 'node:path';
import type { ShapeFile } from '../../core/bandwidth/checkShape.js';
import { forEachAtOnce } from './forEachAtOnce.js';
import { runProgram } from '../os/runProgram.js';
import { thisSystem } from '../os/thisSystem.js';

const timeoutMs = 10_000;
/** `dd` is mostly start-up; more at once than this only wait for each other. */
const concurrentPrograms = 4;

/**
 * Drops the pages of files from the cache of the kernel (posix_fadvise DONTNEED), which Node cannot do itself and dropping all caches would
 * need root for. The files have to be synced, as pages that are still to be written stay. Answers whether all were dropped;
 * false on other systems, whose `dd` may end without an error and drop nothing.
 */
export async function dropPages(
  directory: string,
  files: readonly ShapeFile[],
  signal: AbortSignal,
  system = thisSystem,
): Promise<boolean> {
  let isDropped = system.dropsPages;
  await forEachAtOnce(files, concurrentPrograms, async ({ name }) => {
    if (!isDropped || signal.aborted) return;
    // With count=0 GNU dd reads nothing and drops the whole file, see its manual on `nocache`. Others refuse the flag.
    const args = [`if=${path.join(directory, name)}`, 'iflag=nocache', 'count=0'];
    if ((await runProgram('dd', args, { timeoutMs })) === null) isDropped = false;
  });
  return isDropped;
}
