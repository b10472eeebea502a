/** Files and links beside the checkpoints by which a job finds the one to load. */
import { baseName, parentPath } from '../files/paths.js';
import { stepOfName } from '../checkpoints/runs/stepOfName.js';
import { pointsAt } from '../checkpoints/runs/pointsAt.js';
import { isPointerName, mostPointerBytes, targetIn } from '../inspection/runs/runPointers.js';
import type { RunMembers } from './runMembers.js';
import type { SmallFiles } from './smallFile.js';

export interface PointerFile {
  /** Relative to the run. */
  path: string;
  /** A symbolic link, whose target is its text. */
  isLink: boolean;
  /** As it is stored; null where it cannot be read. */
  text: string | null;
  /** Paths of the checkpoints that it names. */
  names: string[];
  /** Its text was read, and it is that of a pointer. */
  isUnderstood: boolean;
}

/** Files that are no pointers of a known framework are taken for one where they name a checkpoint. */
const otherName = /^\.?(?:latest|last|newest|best|current|resume)/i;
/** Of these, names that say so alone, or with the word for a checkpoint: what such a file holds is a pointer, understood or not. */
const plainName =
  /^\.?(?:latest|last|newest|best|current|resume)(?:[-_.]?(?:checkpoint|ckpt|step|iteration|iter|model))?(?:\.(?:json|txt|ya?ml))?$/i;

/** Whether a file of this name may be a pointer. */
export function mayBePointer(name: string): boolean {
  return isPointerName(name) || otherName.test(name);
}

export async function readPointerFiles(run: RunMembers, files: SmallFiles): Promise<PointerFile[]> {
  const places = new Set(['', run.parent]);
  const roots = run.members.map(({ root }) => root);
  const naming = (target: string): string[] => roots.filter((root) => root !== '' && pointsAt(target, root));
  const pointers: PointerFile[] = [];
  for (const entry of run.rest) {
    const name = baseName(entry.path);
    if (!places.has(parentPath(entry.path))) continue;
    if (entry.link !== undefined) {
      const { target } = entry.link;
      const end = entry.link.entry === undefined ? [] : naming(entry.link.entry);
      const names = [...new Set([...naming(target), ...namesAbove(target, naming), ...end])];
      // A step that is not there is one that was removed.
      const isUnderstood = names.length > 0 || stepOfName(baseName(target.replace(/\/+$/, ''))) !== null;
      if (names.length > 0 || isPointerName(name) || plainName.test(name))
        pointers.push({ path: entry.path, isLink: true, text: target, names, isUnderstood });
    } else if (mayBePointer(name)) {
      const isPlain = isPointerName(name) || plainName.test(name);
      if (entry.sizeBytes > mostPointerBytes) {
        if (isPlain) pointers.push({ path: entry.path, isLink: false, text: null, names: [], isUnderstood: false });
        continue;
      }
      const text = await files.text(entry.path, mostPointerBytes);
      const target = text === null ? undefined : targetIn(text);
      const names = naming(target ?? stepIn(text ?? '') ?? text?.trim() ?? '');
      const isUnderstood = names.length > 0 || (target !== undefined && stepOfName(baseName(target)) !== null);
      if (isPlain || names.length > 0) pointers.push({ path: entry.path, isLink: false, text, names, isUnderstood });
    }
  }
  return pointers;
}

/** The step of `{"step": 100}`, whatever else is there. */
function stepIn(text: string): string | undefined {
  return /"(?:global_)?(?:step|iteration)"\s*:\s*"?(\d{1,15})\b/.exec(text)?.[1];
}

/** A link to a file in a checkpoint names that checkpoint: Composer's `latest-rank0.pt` → `ep0-ba10/rank0.pt`. */
function namesAbove(target: string, naming: (target: string) => string[]): string[] {
  const parts = target.split('/');
  return parts.slice(0, -1).flatMap((_part, index) => naming(parts.slice(0, index + 1).join('/')));
}
