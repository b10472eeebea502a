import type { ByteSource } from '../bytes/byteSource.js';
import { FormatError } from '../bytes/formatError.js';
import type { FileTree } from './fileTree.js';

/** A file of a store was not fetched: nothing is known of it, and what is said of the others may not hold without it. */
export class UnreachableError extends FormatError {
  readonly isUnreachable = true;

  constructor(detail: string, options: { cause?: unknown } = {}) {
    super('io', detail, options);
  }
}

/** Checks the shape, as errors may come from another bundle. */
export function isUnreachable(error: unknown): error is UnreachableError {
  return FormatError.is(error, 'io') && (error as { isUnreachable?: unknown }).isUnreachable === true;
}

/** Opens files, of which none is asked for any more once one was not fetched. */
export interface ReachableFiles {
  open: FileTree['open'];
  /** @throws UnreachableError for the first file that was not fetched: what was read in spite of it is of less than there is */
  check(): void;
}

/** @param tree of any kind: a file of this machine can be read or not, which is a fact about it */
export function reachableFiles(tree: Pick<FileTree, 'open'>): ReachableFiles {
  let failure: UnreachableError | undefined;
  const check = (): void => {
    if (failure !== undefined) throw failure;
  };
  const noted = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    check();
    try {
      return await work();
    } catch (error) {
      if (isUnreachable(error)) failure ??= error;
      throw error;
    }
  };
  return { open: (path, signal) => noted(async () => notedSource(await tree.open(path, signal), noted)), check };
}

function notedSource(source: ByteSource, noted: <Result>(work: () => Promise<Result>) => Promise<Result>): ByteSource {
  const readInto = source.readInto?.bind(source);
  return {
    name: source.name,
    sizeBytes: source.sizeBytes,
    read: (offset, length, signal) => noted(() => source.read(offset, length, signal)),
    ...(readInto && {
      readInto: (target: Uint8Array, offset: number, signal?: AbortSignal) => noted(() => readInto(target, offset, signal)),
    }),
    close: () => source.close(),
  };
}
