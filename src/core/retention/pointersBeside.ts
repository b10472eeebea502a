/** Pointers in the directory that a run is in: `current -> run/checkpoint-100`, `latest` with the text `run/checkpoint-100`. */
import { FormatError } from '../bytes/formatError.js';
import type { FileEntry } from '../files/fileTree.js';
import type { Folders } from '../files/folders.js';
import { resolvedPath } from '../files/paths.js';
import { targetIn, mostPointerBytes } from '../inspection/runs/runPointers.js';
import { mayBePointer, type PointerFile } from './pointers.js';
import { CheckpointNames } from './namedInText.js';
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
  /** Names of links and files there whose text has the run's name in it, into the run or not: what comes later is none of these. */
  near: string[];
  unseen: string | null;
}

/** Only names of the directory itself are looked at. @throws FormatError `cancelled` */
export async function pointersBeside(run: RunMembers, place: RunPlace, signal?: AbortSignal): Promise<Beside> {
  try {
    const folders = await place.open();
    const { entries, errors, truncated } = await folders.list('', () => false, signal);
    const [own] = errors.filter(({ path }) => path === '');
    const files = new SmallFiles(folders, signal);
    const texts = await Promise.all(entries.map((entry) => textOf(entry, files)));
    return {
      pointers: entries.flatMap((entry, index) => pointerAt(entry, texts[index] ?? null, run, place) ?? []),
      near: entries.flatMap(({ path }, index) => (texts[index]?.includes(`${place.name}/`) === true ? [path] : [])),
      unseen: own?.detail ?? (truncated ? 'it has too many files' : null),
    };
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    return { pointers: [], near: [], unseen: error.detail };
  }
}

/** Of a link where it leads, of a file that may be a pointer what it holds; null for all others. */
async function textOf({ path, link, sizeBytes }: FileEntry, files: SmallFiles): Promise<string | null> {
  if (link !== undefined) return link.target;
  return mayBePointer(path) && sizeBytes <= mostPointerBytes ? files.text(path, mostPointerBytes) : null;
}

function pointerAt({ path, link }: FileEntry, text: string | null, run: RunMembers, place: RunPlace): PointerFile | null {
  const isLink = link !== undefined;
  const target = isLink || text === null ? text : targetIn(text);
  const inside = target === null || target === undefined ? undefined : pathInRun(target, place);
  const member = inside === undefined ? undefined : memberFinder(run.members)(inside);
  const others = isLink || text === null ? [] : namedBeside(text, run, place);
  const names = [...new Set([...(member === undefined ? [] : [member.root]), ...others])];
  return names.length === 0 ? null : { path: `../${path}`, isLink, text, names, isUnderstood: true };
}

/** A text may have several entries: paths into the run, and bare names of checkpoints where the run is the only one. */
function namedBeside(text: string, run: RunMembers, place: RunPlace): string[] {
  const names = new CheckpointNames(run.members);
  const memberOf = memberFinder(run.members);
  return text.split(/[\s"',;:[\]{}]+/).flatMap((part) => {
    if (!part.includes('/')) return names.named(part);
    const inside = pathInRun(part, place);
    const member = inside === undefined ? undefined : memberOf(inside);
    return member === undefined ? [] : [member.root];
  });
}

/** Of a target as a link beside the run has it, or of a whole path; undefined for what is elsewhere. */
export function pathInRun(target: string, { name, paths }: RunPlace): string | undefined {
  if (target.startsWith('/')) {
    const own = paths.find((path) => target.startsWith(`${path}/`));
    return own === undefined ? undefined : resolvedPath('', target.slice(own.length + 1));
  }
  const path = resolvedPath('', target);
  return path?.startsWith(`${name}/`) === true ? path.slice(name.length + 1) : undefined;
}
