/** Small files that name the latest checkpoint of a run: `latest`, `latest_checkpointed_iteration.txt`. */
import { appendAll } from '../../bytes/appendAll.js';
import { baseName, joinPath, parentPath } from '../../files/paths.js';
import type { Finding } from '../../findings/finding.js';
import type { ReadResult } from '../readFiles.js';
import { namesLatest } from '../runs/pointerUse.js';
import { stepOfName } from '../runs/stepOfName.js';

/**
 * Directories that the pointers of one name refer to; a finding for each that is not here. `directoryOf` makes a directory's name of
 * what the file says.
 */
export function followPointers(
  { parts, side }: ReadResult,
  names: ReadonlySet<string>,
  directoryOf: (text: string) => string = (text) => text,
): Set<string> {
  const targets = new Set<string>();
  const pointers = [...side.texts].filter(([path]) => names.has(baseName(path)));
  if (pointers.length === 0) return targets;
  const directories = new Set<string>();
  for (const { path } of parts.files)
    for (let at = parentPath(path); at !== '' && !directories.has(at); at = parentPath(at)) directories.add(at);
  // What is behind a link that was not followed is there all the same.
  const links = new Set(parts.files.filter(({ role }) => role === 'directory-link').map(({ path }) => path));
  for (const [path, text] of pointers) {
    const target = joinPath(parentPath(path), directoryOf(text));
    targets.add(target);
    if (directories.has(target)) appendAll(parts.findings, newerBeside(path, target, directories));
    else if (!links.has(target))
      parts.findings.push({ code: 'pointer-target-missing', path, facts: { target: directoryOf(text) } });
  }
  return targets;
}

/** The checkpoint of the highest step beside the one that a pointer names, where that is later. */
function newerBeside(path: string, target: string, directories: ReadonlySet<string>): Finding[] {
  const own = stepOfName(baseName(target));
  if (own === null || !namesLatest(path)) return [];
  let newer: { step: number; name: string } = { step: own, name: '' };
  for (const directory of directories) {
    if (parentPath(directory) !== parentPath(target) || !isNamedAlike(baseName(directory), baseName(target))) continue;
    const step = stepOfName(baseName(directory)) ?? -1;
    if (step > newer.step) newer = { step, name: baseName(directory) };
  }
  if (newer.name === '') return [];
  return [{ code: 'pointer-names-older', path, facts: { target: baseName(target), newer: newer.name } }];
}

/** Whether names differ in their numbers alone: other directories beside a checkpoint may have numbers of their own. */
function isNamedAlike(a: string, b: string): boolean {
  return a.replace(/\d+/g, '0') === b.replace(/\d+/g, '0');
}
