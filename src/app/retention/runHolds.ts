import { FormatError } from '../../core/bytes/formatError.js';
import { limits } from '../../core/bytes/limits.js';
import { baseName, parentPath } from '../../core/files/paths.js';
import type { FileTree } from '../../core/files/fileTree.js';
import { activeHolds, holdOfNothing, holdsOfRun, holdsPath, readHolds, type Hold } from '../../core/retention/holds.js';
import type { HoldsFile } from '../../core/retention/script/scriptPlan.js';
import { SmallFiles } from '../../core/retention/smallFile.js';
import type { Platform } from '../platform.js';
import { PathError } from '../useCaseError.js';

/** The holds of a run, and the files that they are in. */
export interface RunHolds {
  holds: Hold[];
  files: HoldsFile[];
}

const folderName = parentPath(holdsPath);

/**
 * Of the run's own file, and of one beside the run, in the folder that it is in.
 * @throws PathError where one of them has an error, FormatError `io` where one cannot be read
 */
export async function readRunHolds(
  platform: Pick<Platform, 'folderOf' | 'pathIn' | 'stat' | 'openTree' | 'openFolders'>,
  tree: FileTree,
  path: string,
  signal: AbortSignal | undefined,
): Promise<RunHolds> {
  const { entries, errors } = await tree.list(signal);
  const linked = entries.find((entry) => entry.path === folderName && entry.link !== undefined);
  if (linked !== undefined) throw new PathError(path, `has a ${folderName} that is a link: holds in it are not read`);
  const mistaken = entries.find((entry) => isMistaken(entry.path));
  if (mistaken !== undefined)
    throw new PathError(path, `has holds where they are not read: ${mistaken.path}; they are in ${holdsPath}`);
  const own = await holdsIn(tree, holdsPath, path, signal);
  const folder = platform.pathIn(platform.folderOf(tree.location ?? path), folderName);
  const beside = (await isThere(platform, folder))
    ? await holdsIn(await platform.openTree(folder), baseName(holdsPath), folder, signal)
    : { holds: [], text: null };
  const paths = [...entries, ...errors].map((entry) => entry.path);
  await refuseMistypedHolds(platform, beside.holds, { name: tree.rootName, paths, folder });
  return {
    holds: [...own.holds, ...holdsOfRun(beside.holds, tree.rootName, paths)],
    files: [
      { path: `./${holdsPath}`, text: own.text },
      { path: platform.pathIn(folder, baseName(holdsPath)), text: beside.text },
    ],
  };
}

/** Files that are called as holds are, where none are read. */
function isMistaken(file: string): boolean {
  const isOurs = parentPath(file) === folderName || parentPath(file) === '';
  return isOurs && file !== holdsPath && /^holds\.(?:ya?ml|json|txt)$/i.test(baseName(file));
}

/** A name with a mistake in it would leave what it is meant for without its hold. @throws PathError */
async function refuseMistypedHolds(
  platform: Pick<Platform, 'folderOf' | 'openFolders'>,
  holds: readonly Hold[],
  { name, paths, folder }: { name: string; paths: readonly string[]; folder: string },
): Promise<void> {
  const held = activeHolds(holds, Date.now());
  if (held.length === 0) return;
  const { folders, files } = await (await platform.openFolders(platform.folderOf(folder), null)).names('');
  const mistyped = holdOfNothing(held, name, { beside: new Set([...folders, ...files]), paths });
  if (mistyped !== undefined)
    throw new PathError(folder, `holds ${mistyped.path}, which is not here: correct its path, or remove the hold`);
}

/** False for what does not exist. @throws FormatError `io` where that cannot be determined */
async function isThere(platform: Pick<Platform, 'folderOf' | 'pathIn' | 'stat' | 'openTree'>, folder: string): Promise<boolean> {
  try {
    return (await platform.stat(folder)).kind === 'folder';
  } catch (error) {
    const { code } = (error as { cause?: { code?: unknown } }).cause ?? {};
    if (FormatError.is(error, 'io') && (code === undefined || code === 'ENOENT' || code === 'ENOTDIR')) return false;
    throw error;
  }
}

/** None where there is no such file. */
async function holdsIn(
  tree: FileTree,
  file: string,
  path: string,
  signal: AbortSignal | undefined,
): Promise<{ holds: Hold[]; text: string | null }> {
  const { entries, errors } = await tree.list(signal);
  const folder = parentPath(file);
  const problem = errors.find((error) => error.path === '' || error.path === folder);
  if (problem !== undefined)
    throw new FormatError('io', `${problem.path === '' ? 'it' : folder} cannot be listed: ${problem.detail}`);
  const other = entries.find(({ path: entry }) => entry.startsWith(`${file}/`) || entry === file.replace(/\.yaml$/, '.yml'));
  if (other !== undefined) throw new PathError(path, `has holds where they are not read: ${other.path}; they are in ${file}`);
  if (!entries.some((entry) => entry.path === file)) return { holds: [], text: null };
  const text = await new SmallFiles(tree, signal).text(file, limits.retentionCharacters);
  if (text === null) throw new PathError(path, `has holds that cannot be read: ${file}`);
  try {
    return { holds: await readHolds(text), text };
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    throw new PathError(path, `has holds with an error: ${file}, ${error.detail}`, { cause: error });
  }
}
