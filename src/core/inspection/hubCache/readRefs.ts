import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeLatin1 } from '../../bytes/text.js';
import { withFile, type OpenContext } from '../../files/openFiles.js';
import { runOrdered } from '../../files/orderedPool.js';
import type { CachedRepository } from './findHubCache.js';

/**
 * Reads which commit each ref names: the file has its 40 characters and nothing else (file_download.py,
 * `_cache_commit_hash_for_specific_revision`). A ref that cannot be read names no revision that is here.
 * @throws FormatError `cancelled`
 */
export async function readRefs(context: OpenContext, repositories: readonly CachedRepository[]): Promise<void> {
  const all = repositories.flatMap((repository) => repository.refFiles.map((file) => ({ repository, ...file })));
  const files = all.slice(0, limits.cacheRefs);
  for (const { repository } of all.slice(limits.cacheRefs)) repository.isWhole = false;
  const known = new Map(repositories.map(({ revisions }) => [revisions, new Map(revisions.map((each) => [each.commit, each]))]));
  await runOrdered(files, limits.concurrentReads, async ({ repository, name, entry }, _, turn) => {
    const commit = await commitIn(context, entry.path, entry.sizeBytes);
    await turn();
    const revision = commit === undefined ? undefined : known.get(repository.revisions)?.get(commit);
    if (revision === undefined) repository.missingRefs.push(name);
    else revision.refs.push(name);
  });
}

async function commitIn(context: OpenContext, path: string, sizeBytes: number): Promise<string | undefined> {
  if (sizeBytes > limits.pointerBytes) return undefined;
  try {
    return await withFile(context, path, async (source) => {
      const bytes = await source.read(0, Math.min(source.sizeBytes, limits.pointerBytes), context.signal);
      return decodeLatin1(bytes, 0, bytes.byteLength);
    });
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    return undefined;
  }
}
