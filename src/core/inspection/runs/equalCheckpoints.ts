/** Checkpoints of a run that may be copies of another one under a name of their own: their files are called and sized alike, and some bytes agree. */
import { FormatError, throwIfCancelled } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeLatin1 } from '../../bytes/text.js';
import type { FileEntry } from '../../files/fileTree.js';
import { withFile, type OpenContext } from '../../files/openFiles.js';
import { runOrdered } from '../../files/orderedPool.js';
import { joinPath } from '../../files/paths.js';
import { stepOfName } from '../../checkpoints/runs/stepOfName.js';
import { detectLayout } from '../../frameworks/detectLayout.js';
import { ownModels } from './besideCheckpoints.js';
import type { RunMember } from './run.js';

/** Bytes that are read at a third and at two thirds of the largest file. */
const PROBE_BYTES = 256;

/**
 * For each member that may be a copy the one that it may repeat: of equals that which was written first, else that with the shorter name, else that of the
 * lower step. Weights alone are left out: steps of a low learning rate change few of them, and nothing else tells them apart.
 * @throws FormatError `cancelled`
 */
export async function possiblyEqual(context: OpenContext, members: readonly RunMember[]): Promise<ReadonlyMap<string, string>> {
  const alike = groupsBy(members.filter(holdsState), signatureOf).filter((group) => group.length > 1);
  const probed = alike.flat().slice(-limits.copyProbes);
  const keys = new Map<string, string>();
  await runOrdered(probed, limits.concurrentReads, async (member) => {
    throwIfCancelled(context.signal);
    const key = await probe(context, member);
    if (key !== undefined) keys.set(member.root, key);
  });
  const equals = new Map<string, string>();
  for (const group of alike) {
    const known = group.filter(({ root }) => keys.has(root));
    for (const [first, ...others] of groupsBy(known, ({ root }) => keys.get(root) ?? '')) {
      const all = first === undefined ? [] : [first, ...others].sort(earlierFirst);
      for (const { root } of all.slice(1)) equals.set(root, (all[0] as RunMember).root);
    }
  }
  return equals;
}

function groupsBy(members: readonly RunMember[], keyOf: (member: RunMember) => string): RunMember[][] {
  const groups = new Map<string, RunMember[]>();
  for (const member of members) {
    const key = keyOf(member);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [member]);
    else group.push(member);
  }
  return [...groups.values()];
}

function holdsState({ root, listing }: RunMember): boolean {
  return root !== '' && !listing.isSingleFile && !ownModels.has(detectLayout(listing).id);
}

/** Names and sizes of all files. */
function signatureOf({ listing }: RunMember): string {
  return listing.entries.map(({ path, sizeBytes }) => `${path}\n${sizeBytes}`).join('\n');
}

/** Some bytes of the largest file; undefined where it cannot be read. */
async function probe(context: OpenContext, { root, listing }: RunMember): Promise<string | undefined> {
  const largest = listing.entries.reduce<FileEntry | undefined>(
    (a, b) => (a !== undefined && a.sizeBytes >= b.sizeBytes ? a : b),
    undefined,
  );
  if (largest === undefined || largest.error !== undefined || largest.link !== undefined || largest.sizeBytes === 0)
    return undefined;
  const { sizeBytes } = largest;
  try {
    return await withFile(context, joinPath(root, largest.path), async (source) => {
      const texts: string[] = [];
      for (const third of [1, 2]) {
        const offset = Math.floor((sizeBytes * third) / 3);
        const bytes = await source.read(offset, Math.min(PROBE_BYTES, source.sizeBytes - offset), context.signal);
        texts.push(decodeLatin1(bytes, 0, bytes.byteLength));
      }
      return texts.join('');
    });
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    return undefined;
  }
}

function earlierFirst(a: RunMember, b: RunMember): number {
  const [first, second] = [writtenAt(a), writtenAt(b)];
  if (first !== second) return first - second;
  return a.root.length - b.root.length || (stepOfName(a.listing.rootName) ?? 0) - (stepOfName(b.listing.rootName) ?? 0);
}

/** When its first file was written; 0 where that is not known. */
function writtenAt({ listing }: RunMember): number {
  const times = listing.entries.flatMap(({ modifiedMs }) => modifiedMs ?? []);
  return times.reduce((earliest, time) => Math.min(earliest, time), times[0] ?? 0);
}
