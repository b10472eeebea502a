/** What a script calls a folder that only running it tells: `${SCRIPT_DIR}/`, `$(dirname "$0")/`, a backquoted command. */
const unknownFolder = /^(?:\$\(.*\)|`[^`]*`|\$\{[^}]*\}|\$\w+)\/+/s;

/** Folders of an absolute path that may be those of another machine. */
const mostFolders = 8;

/**
 * Where a file that a script sources may be, the likeliest first: below the folder that the script computes, which is usually its own, or an absolute path, which
 * may be another machine's and is tried from each of its folders on. Empty for what is no script by its name (`~/.bashrc`, `venv/bin/activate`).
 */
export function sourcePaths(written: string): string[] {
  if (!/\.(?:sh|bash)$/i.test(written)) return [];
  const relative = written.replace(unknownFolder, '').replace(/^\/+(?=\.\.?\/)/, '');
  if (/[$`~]/.test(relative)) return [];
  if (!relative.startsWith('/')) return [relative];
  const folders = relative.split('/').filter((part) => part !== '');
  return [relative, ...folders.slice(1, mostFolders).map((_, index) => folders.slice(index + 1).join('/'))];
}
