/** Pointers in the directory that a run is in: `current -> run/checkpoint-100`, `latest` with the text `run/checkpoint-100`. */
import { FormatError } from '../bytes/formatError.js';
import type { FileEntry } from '../files/fileTree.js';
import type { Folders } from '../files/folders.js';
import { resolvedPath } from '../files/paths.js';
import { targetIn, mostPointerBytes } from '../inspection/runs/runPointers.js';
import { mayBePointer, type PointerFile } from './pointers.js';
import { memberFinder, type RunMembers } from './runMembers.js';
import { SmallFiles } from './smallFile.js';

/** Where a run is. */
export interface RunPlace {
  /** Opens the directory that it is in. @throws FormatError `io` */
  open: () => Promise<Folders>;
  /** Its name there. */
  name: string;
  /** Whole paths by which it is called. */
  paths: readonly string[];
}

/** What lies beside a run: pointers into it, relative to it, and why there may be more; null where all was seen. */
export interface Beside {
  pointers: PointerFile[];
  unseen: string | null;
}

/** Only names of the directory itself are looked at. @throws FormatError `cancelled` */
export async function pointersBeside(run: RunMembers, place: RunPlace, signal?: AbortSignal): Promise<Beside> {
  try {
    const folders = await place.open();
    const { entries, errors, truncated } = await folders.list('', () => false, signal);
    const [own] = errors.filter(({ path }) => path === '');
    const files = new SmallFiles(folders, signal);
    const found = await Promise.all(entries.map((entry) => pointerAt(entry, run, place, files)));
    return {
      pointers: found.filter((pointer) => pointer !== null),
      unseen: own?.detail ?? (truncated ? 'it has too many files' : null),
    };
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    return { pointers: [], unseen: error.detail };
  }
}

async function pointerAt(entry: FileEntry, run: RunMembers, place: RunPlace, files: SmallFiles): Promise<PointerFile | null> {
  const { path, link, sizeBytes } = entry;
  const isLink = link !== undefined;
  if (!isLink && (!mayBePointer(path) || sizeBytes > mostPointerBytes)) return null;
  const text = isLink ? link.target : await files.text(path, mostPointerBytes);
  const target = isLink || text === null ? text : targetIn(text);
  const inside = target === null || target === undefined ? undefined : pathInRun(target, place);
  const member = inside === undefined ? undefined : memberFinder(run.members)(inside);
  return member === undefined ? null : { path: `../${path}`, isLink, text, names: [member.root], isUnderstood: true };
}

/** Undefined for what is elsewhere. */
function pathInRun(target: string, { name, paths }: RunPlace): string | undefined {
  if (target.startsWith('/')) {
    const own = paths.find((path) => target.startsWith(`${path}/`));
    return own === undefined ? undefined : resolvedPath('', target.slice(own.length + 1));
  }
  const path = resolvedPath('', target);
  return path?.startsWith(`${name}/`) === true ? path.slice(name.length + 1) : undefined;
}
