/** Which directories in a directory may be checkpoints of a run, by names alone. */
import { FormatError } from '../../bytes/formatError.js';
import type { FolderNames } from '../../files/folders.js';
import { joinPath } from '../../files/paths.js';
import { isInstalledPackage } from '../../files/installedPackages.js';
import { isRepositoryInternal } from '../../files/repositoryInternals.js';
import { possibleOriginals } from '../../files/secondCopies.js';
import { areFileMembers, isMemberName } from '../../inspection/runs/run.js';

/** Whether runs are looked for in a directory of that name: none are in object databases of git and in installed packages. */
export function isWalked(name: string): boolean {
  const inside = joinPath(name, '');
  return name !== '.stowage' && !isRepositoryInternal(inside) && !isInstalledPackage(inside);
}

/** A pipeline of diffusers that is done lies beside its checkpoints, with its models in directories of their own. */
const pipelineIndex = 'model_index.json';
/** A checkpoint has files no deeper than `1000/default/manifest.ocdbt`; of a year's directory that is called as a step would be, they are deeper. */
const filesWithin = 2;
/** Of many alike some tell. */
const mostProbed = 3;
/** 1990 to 2100, and days of these years. */
const date = /^(?:199\d|20\d\d|2100)(?:[01]\d[0-3]\d)?$/;

/**
 * The names to look into; null where none is that of a checkpoint. What is called so and has no file near is none.
 * @param namesIn of a directory of these
 * @throws FormatError `cancelled`
 */
export async function checkpointNames(
  { folders, files }: FolderNames,
  namesIn: (folder: string) => Promise<FolderNames>,
): Promise<ReadonlySet<string> | null> {
  const known = new Set(folders);
  const named = folders.filter((name) => isWalked(name) && isCheckpointName(name, known));
  const holdsFiles = (name: string): Promise<boolean> => hasFiles(name, filesWithin, namesIn);
  const dates = named.filter((name) => date.test(name));
  const others = named.filter((name) => !date.test(name));
  const chosen = [...((await isAny(probesOf(others), holdsFiles)) ? others : [])];
  for (const name of dates) if (await holdsFiles(name)) chosen.push(name);
  if (chosen.length === 0 && !areFileMembers(files)) return null;
  return new Set(files.includes(pipelineIndex) ? folders : chosen);
}

function isCheckpointName(name: string, known: ReadonlySet<string>): boolean {
  return isMemberName(name) || possibleOriginals(name).some((original) => known.has(original) && isMemberName(original));
}

/** The last, the first and one between. */
function probesOf(names: readonly string[]): string[] {
  const at = [names.length - 1, 0, names.length >> 1];
  return [...new Set(at.flatMap((index) => names[index] ?? []))].slice(0, mostProbed);
}

async function isAny<T>(items: readonly T[], test: (item: T) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (await test(item)) return true;
  return false;
}

/** Down to so many levels, in the first directory of each. */
async function hasFiles(folder: string, levels: number, namesIn: (folder: string) => Promise<FolderNames>): Promise<boolean> {
  let at = folder;
  for (let level = 0; level < levels; level += 1) {
    const names = await readable(at, namesIn);
    const [first] = names.folders;
    if (names.files.length > 0) return true;
    if (first === undefined) return false;
    at = joinPath(at, first);
  }
  return false;
}

async function readable(folder: string, namesIn: (folder: string) => Promise<FolderNames>): Promise<FolderNames> {
  try {
    return await namesIn(folder);
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    return { folders: [], files: [] };
  }
}
