import { appendAll } from '../../../core/bytes/appendAll.js';
import type { StoredObject } from '../remoteStore.js';

/** Pages of one folder that are looked through for some names: ten thousand files. */
const mostPages = 10;

/** Those of some names in a folder, out of pages of the files that lie in it. */
export async function namedObjects(
  pages: AsyncIterable<readonly StoredObject[]>,
  paths: ReadonlySet<string>,
): Promise<StoredObject[]> {
  const found: StoredObject[] = [];
  let count = 0;
  for await (const page of pages) {
    appendAll(
      found,
      page.filter(({ path }) => paths.has(path)),
    );
    count += 1;
    if (found.length === paths.size || count >= mostPages) break;
  }
  return found;
}
