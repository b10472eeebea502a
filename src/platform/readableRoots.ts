import path from 'node:path';
import { FormatError } from '../core/bytes/formatError.js';
import { describeIoError } from './ioError.js';
import { realPath } from './os/realPath.js';

/** Directories outside of which no file is read, whatever a link or a config names; null where every directory may be read. */
export type RootPaths = readonly string[] | null;

/** Decides by where a file really is. */
export class ReadableRoots {
  private constructor(private readonly realRoots: RootPaths) {}

  /** A root that is not there allows nothing. */
  static async of(paths: RootPaths): Promise<ReadableRoots> {
    if (paths === null) return new ReadableRoots(null);
    const found = await Promise.all(paths.map((root) => realPath(root).catch(() => null)));
    return new ReadableRoots(found.filter((root) => root !== null));
  }

  /**
   * Where a path leads.
   * @throws FormatError `io` for what is not there and what may not be read
   */
  async resolve(file: string): Promise<string> {
    let real: string;
    try {
      real = await realPath(file);
    } catch (error) {
      throw new FormatError('io', describeIoError(error), { cause: error });
    }
    const refusal = this.refusalOf(real);
    if (refusal !== null) throw new FormatError('io', refusal);
    return real;
  }

  /** Why a file is not read that really is at this path; null where it may be. */
  refusalOf(realFile: string): string | null {
    if (isOfKernel(realFile)) return 'it leads to the kernel, not to a disk';
    if (this.realRoots === null || this.realRoots.some((root) => isBelow(root, realFile))) return null;
    return 'it leads out of the workspace, which is not trusted';
  }
}

function isBelow(root: string, file: string): boolean {
  const relative = path.relative(root, file);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** Trees that the kernel makes up: reading there may wait, or do something. Shared memory is a place where checkpoints are. */
function isOfKernel(file: string): boolean {
  return /^\/(?:proc|sys|dev)(?:\/|$)/.test(file) && !/^\/dev\/shm(?:\/|$)/.test(file);
}
