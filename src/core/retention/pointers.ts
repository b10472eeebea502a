/** Files and links beside the checkpoints by which a job finds the one to load. */
import type { FileEntry } from '../files/fileTree.js';
import { baseName, parentPath } from '../files/paths.js';
import { stepOfName } from '../checkpoints/runs/stepOfName.js';
import { pointsAt } from '../checkpoints/runs/pointsAt.js';
import { isPointerName, mostPointerBytes, targetIn } from '../inspection/runs/runPointers.js';
import { limits } from '../bytes/limits.js';
import { CheckpointNames } from './namedInText.js';
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
  const checkpoints = new CheckpointNames(run.members);
  const pointers: PointerFile[] = [];
  let others = 0;
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
      // A file may have several entries, the best ones or a history: what is named anywhere in it is named.
      const all = isListOfAll(text ?? '') ? [] : checkpoints.named(text ?? '');
      const names = [...new Set([...naming(target ?? ''), ...all])];
      const isUnderstood = names.length > 0 || (target !== undefined && stepOfName(baseName(target)) !== null);
      if (isPlain || names.length > 0) pointers.push({ path: entry.path, isLink: false, text, names, isUnderstood });
    } else if (others < limits.otherPointers && isSmallText(entry)) {
      // `production.txt`, `top_k.json`: whatever it is called, it is a pointer where it has the whole name of a checkpoint.
      others += 1;
      const text = await files.text(entry.path, mostPointerBytes);
      const names = checkpoints.namedInFull(text ?? '');
      if (names.length > 0) pointers.push({ path: entry.path, isLink: false, text, names, isUnderstood: true });
    }
  }
  return pointers;
}

/** TensorFlow's `checkpoint` has the newest first, and then all that are there. */
function isListOfAll(text: string): boolean {
  return text.startsWith('model_checkpoint_path:');
}

function isSmallText({ path, sizeBytes }: FileEntry): boolean {
  return sizeBytes > 0 && sizeBytes <= mostPointerBytes && mayNameCheckpoints(baseName(path));
}

/** Small texts; configs, states and records of training name files of checkpoints as well, and are read for what they are. */
function mayNameCheckpoints(name: string): boolean {
  return (
    /^[^.]+$|\.(?:txt|json|ya?ml|toml|csv|list)$/i.test(name) &&
    !/config|state|tokenizer|args|index|log|metrics|readme/i.test(name)
  );
}

/** A link to a file in a checkpoint names that checkpoint: Composer's `latest-rank0.pt` → `ep0-ba10/rank0.pt`. */
function namesAbove(target: string, naming: (target: string) => string[]): string[] {
  const parts = target.split('/');
  return parts.slice(0, -1).flatMap((_part, index) => naming(parts.slice(0, index + 1).join('/')));
}
