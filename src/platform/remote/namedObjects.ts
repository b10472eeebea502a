import { appendAll } from '../../core/bytes/appendAll.js';
import { joinPath } from '../../core/files/paths.js';
import type { RemoteStore, StoredObject } from './remoteStore.js';

/** Pages of one folder that are looked through for some names: ten thousand files. */
const mostPages = 10;

/** Those of some names in a folder that there are. @throws FormatError as the store does */
export async function namedObjects(
  store: RemoteStore,
  folder: string,
  names: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<readonly StoredObject[]> {
  if (store.look !== undefined) return store.look(folder, names, signal);
  const paths = new Set([...names].map((name) => joinPath(folder, name)));
  const found: StoredObject[] = [];
  let pages = 0;
  for await (const { files } of store.list(folder, false, signal)) {
    appendAll(
      found,
      files.filter(({ path }) => paths.has(path)),
    );
    pages += 1;
    if (found.length === paths.size || pages >= mostPages) break;
  }
  return found;
}
