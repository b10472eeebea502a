import type { ByteSource } from '../bytes/byteSource.js';
import type { ReadCounter } from '../bytes/countingSource.js';
import type { UnpackBudget } from '../bytes/unpackBudget.js';
import type { FileTree } from './fileTree.js';
import { refuseLfsPointer } from './lfsPointer.js';

/** How an inspection opens its files. */
export interface OpenContext {
  /** Counts what is read of its files: see `countedTree`. */
  readonly tree: FileTree;
  readonly counter: ReadCounter;
  readonly signal: AbortSignal | undefined;
  readonly unpackBudget: UnpackBudget;
}

/**
 * Opens a listed file. Who opens it closes it.
 * @throws FormatError `io` for a file that cannot be opened, and LfsPointerError for one that is not here
 */
export async function openFile({ tree, signal }: OpenContext, path: string): Promise<ByteSource> {
  const source = await tree.open(path, signal);
  try {
    await refuseLfsPointer(source, signal);
  } catch (error) {
    await source.close();
    throw error;
  }
  return source;
}

/** Opens a listed file for one use, and closes it however that ends. */
export async function withFile<T>(context: OpenContext, path: string, use: (source: ByteSource) => Promise<T>): Promise<T> {
  const source = await openFile(context, path);
  try {
    return await use(source);
  } finally {
    await source.close();
  }
}
