/** Files and links by which trainers find their newest checkpoint. */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import type { RunPointer } from '../../checkpoints/checkpointReport.js';
import type { RunMember } from './run.js';
import type { ReadContext } from '../../checkpoints/reading/readContext.js';
import { pointsAt } from '../../checkpoints/runs/pointsAt.js';
import { stepOfName } from '../../checkpoints/runs/stepOfName.js';
import type { FileEntry } from '../../files/fileTree.js';
import { baseName, parentPath } from '../../files/paths.js';

const pointerName = /^(latest(_universal|\.txt)?|latest_checkpointed_iteration(\.txt)?|last_checkpoint|checkpoint)$/;
const linkName = /(?:latest|newest|last|best|current|resume|checkpoint|ckpt)/i;
/** A name is short; anything larger is something else. */
export const mostPointerBytes = 4096;

/** Pointers in the run's own directory or beside its checkpoints, and whether what they name is there. */
export async function readPointers(
  context: ReadContext,
  members: readonly RunMember[],
  open: (path: string) => Promise<ByteSource>,
): Promise<RunPointer[]> {
  const pointers: RunPointer[] = [];
  const places = new Set(['', ...members.map(({ root }) => parentPath(root))]);
  for (const { path, link, sizeBytes, error } of context.entries) {
    if (!places.has(parentPath(path))) continue;
    const name = baseName(path);
    if (link !== undefined) {
      const isHere = link.isDirectory !== true || link.inside ? isMember(link.target, members) : false;
      // A link to a file that is there is that file, unless the file is a checkpoint.
      const isElsewhere = link.isDirectory === true || error !== undefined;
      if (isHere) pointers.push({ path, target: link.target, exists: true });
      else if (isElsewhere && namesCheckpoint(name, link.target))
        pointers.push({ path, target: link.target, ...(isOutside(link) ? outside : { exists: false }) });
    } else if (isPointerName(name) && sizeBytes <= mostPointerBytes) {
      const target = targetIn(await textOf(path, sizeBytes, open, context.signal));
      if (target !== undefined) pointers.push({ path, target, ...placeOf(target, members, context.entries) });
    }
  }
  return pointers;
}

const outside = { exists: true, followed: false } as const;

/** Whether a file of this name is one in which a framework keeps the name of a checkpoint. */
export function isPointerName(name: string): boolean {
  return pointerName.test(name);
}

/** Whether what a file names is a checkpoint that was read, or is behind a link that was not followed. */
function placeOf(
  target: string,
  members: readonly RunMember[],
  entries: readonly FileEntry[],
): Pick<RunPointer, 'exists' | 'followed'> {
  if (isMember(target, members)) return { exists: true };
  const isLinked = entries.some(({ path, link }) => link !== undefined && isOutside(link) && pointsAt(target, path));
  return isLinked ? outside : { exists: false };
}

/** A directory that is there, and of which nothing is listed. */
function isOutside({ isDirectory, inside }: NonNullable<FileEntry['link']>): boolean {
  return isDirectory === true && !inside;
}

/** Whether a link is meant for a checkpoint, by its own name or that of its target: others lead to data or code. */
function namesCheckpoint(name: string, target: string): boolean {
  return linkName.test(name) || stepOfName(baseName(target.replace(/\/+$/, ''))) !== null;
}

async function textOf(
  path: string,
  sizeBytes: number,
  open: (path: string) => Promise<ByteSource>,
  signal: AbortSignal | undefined,
): Promise<string> {
  let source: ByteSource | undefined;
  try {
    source = await open(path);
    return new TextDecoder().decode(await source.read(0, Math.min(sizeBytes, source.sizeBytes), signal));
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    return '';
  } finally {
    await source?.close();
  }
}

/** A bare name or number, or the first value of TensorFlow's `checkpoint`. */
export function targetIn(text: string): string | undefined {
  const quoted = /^model_checkpoint_path:\s*"([^"\n]+)"/.exec(text)?.[1];
  const bare = text.trim();
  return quoted ?? (/^[\w.=/-]+$/.test(bare) ? bare : undefined);
}

function isMember(target: string, members: readonly RunMember[]): boolean {
  return members.some(({ root }) => pointsAt(target, root));
}
