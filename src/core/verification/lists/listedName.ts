import { isSafeFileName } from '../../files/paths.js';

/** True for a path that stays below its directory. It is looked up among the listed ones and never opened, so that a backslash is a character as any other. */
export function isListedName(path: string): boolean {
  return isSafeFileName(path.replaceAll('\\', '_'));
}
