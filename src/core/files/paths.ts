const SLASH = 0x2f;

/** Last part of a path with forward slashes. */
export function baseName(path: string): string {
  return path.slice(lastSlash(path) + 1);
}

/** The last part of a path that a user names, of any system: with either separator, which may be at its end too. */
export function placeName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}

/** Everything before the last part; empty for a file at the root. */
export function parentPath(path: string): string {
  const slash = lastSlash(path);
  return slash === -1 ? '' : path.slice(0, slash);
}

/** `lastIndexOf` leaves compiled code for each call; names are short, and a listing of 100,000 files has millions of calls. */
function lastSlash(path: string): number {
  let at = path.length - 1;
  while (at >= 0 && path.charCodeAt(at) !== SLASH) at -= 1;
  return at;
}

/** `parent/name`, or just the name at the root. */
export function joinPath(parent: string, name: string): string {
  return parent === '' ? name : `${parent}/${name}`;
}

/** True for a file name that stays inside its directory: an index or manifest may name any text at all. */
export function isSafeFileName(name: string): boolean {
  if (name === '' || name.startsWith('/') || name.includes('\\') || name.includes('\0') || name.includes('://')) return false;
  return name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

/** Where a relative path leads from a folder by its text; undefined for one outside of the root. */
export function resolvedPath(folder: string, target: string): string | undefined {
  let at = folder;
  for (const part of target.split('/')) {
    if (part === '..' && at === '') return undefined;
    if (part === '..') at = parentPath(at);
    else if (part !== '.' && part !== '') at = joinPath(at, part);
  }
  return at;
}
