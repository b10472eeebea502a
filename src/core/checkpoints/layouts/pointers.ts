/** Small files that name the latest checkpoint of a run: `latest`, `latest_checkpointed_iteration.txt`. */
import { baseName, joinPath, parentPath } from '../../files/paths.js';
import type { ReadResult } from '../readFiles.js';

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
  for (const [path, text] of pointers) {
    const target = joinPath(parentPath(path), directoryOf(text));
    targets.add(target);
    if (!directories.has(target))
      parts.findings.push({ code: 'pointer-target-missing', path, facts: { target: directoryOf(text) } });
  }
  return targets;
}
