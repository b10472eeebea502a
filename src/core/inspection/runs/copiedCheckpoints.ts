/** Checkpoints of a run that were copied beside themselves: `checkpoint-6 - Copy`. Names, or the sizes of the files, choose what is compared, and the bytes at some places decide. */
import { throwIfCancelled } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { evenly } from '../../bytes/sampledBytes.js';
import { FEWEST_PLACES, MOST_PLACES, PLACES_OF_ALL, repeatsBeginning, type FilePair } from '../../files/comparedFiles.js';
import type { OpenContext } from '../../files/openFiles.js';
import { runOrdered } from '../../files/orderedPool.js';
import { joinPath } from '../../files/paths.js';
import { possibleOriginals } from '../../files/secondCopies.js';
import { possiblyEqual } from './equalCheckpoints.js';
import type { RunMember } from './run.js';

/** A checkpoint and the one that it repeats, whole or as far as the copy came. */
export interface CopiedCheckpoint {
  original: string;
  files: number;
  /** How many of them were compared. */
  compared: number;
  /** What the copy takes beside the original: hard links of the original's files and symbolic links take nothing. */
  bytes: number;
}

/** A member that is called as a copy of another. */
interface NamedCopy {
  root: string;
  original: string;
  files: (FilePair & { isSameFile: boolean })[];
}

/** The member that each of these is called as a copy of, by the names alone. */
export function namedOriginals(members: readonly RunMember[]): ReadonlyMap<string, string> {
  const roots = new Set(members.map(({ root }) => root));
  return new Map(
    members.flatMap(({ root }) => {
      const original = possibleOriginals(root).find((each) => roots.has(each));
      return original === undefined ? [] : [[root, original] as const];
    }),
  );
}

/**
 * The members that repeat another one, by their paths. Reads at most `limits.allCopiesBytes`. A copy that was changed, or that has a file
 * of its own, is a checkpoint like the others.
 * @throws FormatError `cancelled`
 */
export async function findCopiedCheckpoints(
  context: OpenContext,
  members: readonly RunMember[],
): Promise<ReadonlyMap<string, CopiedCheckpoint>> {
  const byRoot = new Map(members.map((member) => [member.root, member]));
  const originals = new Map([...(await possiblyEqual(context, members)), ...namedOriginals(members)]);
  const named = [...originals].flatMap(([root, original]) => namedCopyOf(byRoot, root, original) ?? []);
  const files = named.flatMap((copy) => copy.files.filter(({ isSameFile }) => !isSameFile).map((file) => ({ copy, file })));
  const chosen = evenly(files, Math.floor(PLACES_OF_ALL / FEWEST_PLACES));
  const places = Math.min(MOST_PLACES, Math.floor(PLACES_OF_ALL / Math.max(1, chosen.length)));
  const compared = new Map<NamedCopy, number>();
  const differing = new Set<NamedCopy>();
  await runOrdered(chosen, limits.concurrentReads, async ({ copy, file }) => {
    throwIfCancelled(context.signal);
    if (!(await repeatsBeginning(context, file, places))) differing.add(copy);
    compared.set(copy, (compared.get(copy) ?? 0) + 1);
  });
  return new Map(
    named.flatMap((copy) => (differing.has(copy) ? [] : [[copy.root, copiedCheckpoint(copy, compared.get(copy) ?? 0)] as const])),
  );
}

function copiedCheckpoint({ original, files }: NamedCopy, compared: number): CopiedCheckpoint {
  const own = files.filter(({ isSameFile }) => !isSameFile);
  const bytes = own.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return { original, files: files.length, compared: compared + files.length - own.length, bytes };
}

/** Undefined where the copy has a file that the original does not have. */
function namedCopyOf(members: ReadonlyMap<string, RunMember>, root: string, original: string): NamedCopy | undefined {
  const [own, first] = [members.get(root)?.listing, members.get(original)?.listing];
  if (own === undefined || first === undefined || own.isSingleFile !== first.isSingleFile) return undefined;
  const files: NamedCopy['files'] = [];
  for (const entry of own.entries) {
    const of = first.entry(first.isSingleFile ? first.rootName : entry.path);
    if (of === undefined || entry.error !== undefined || of.error !== undefined) return undefined;
    files.push({
      path: own.isSingleFile ? root : joinPath(root, entry.path),
      sizeBytes: entry.sizeBytes,
      original: own.isSingleFile ? original : joinPath(original, of.path),
      originalBytes: of.sizeBytes,
      isSameFile: entry.link !== undefined || (entry.fileId !== undefined && entry.fileId === of.fileId),
    });
  }
  return files.length === 0 ? undefined : { root, original, files };
}
