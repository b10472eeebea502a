import type { ByteSource } from '../bytes/byteSource.js';
import { countReads, type ReadCounter } from '../bytes/countingSource.js';
import type { FileTree } from './fileTree.js';
import { refuseLfsPointer } from './lfsPointer.js';

/** How an inspection opens its files. */
export interface OpenContext {
  readonly tree: FileTree;
  readonly counter: ReadCounter;
  readonly signal: AbortSignal | undefined;
}

/**
 * Opens a listed file; what is read from it is counted. Who opens it closes it.
 * @throws FormatError `io` for a file that cannot be opened, and LfsPointerError for one that is not here
 */
export async function openFile({ tree, counter, signal }: OpenContext, path: string): Promise<ByteSource> {
  const source = countReads(await tree.open(path, signal), counter);
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
