import { FormatError } from '../../core/bytes/formatError.js';
import { limits } from '../../core/bytes/limits.js';
import type { InputProblem } from '../../core/planning/inputs/planInputs.js';
import { readSitesFile, type SitesFile } from '../../core/planning/inputs/sitesFile.js';
import type { Platform } from '../platform.js';
import { PathError } from '../useCaseError.js';

/**
 * The systems of a sites file, with what of it could not be used, each by its key.
 * @throws PathError when it is none or cannot be read
 */
export async function openSites(platform: Platform, path: string): Promise<{ sites: SitesFile; problems: InputProblem[] }> {
  const read = readSitesFile(await textAt(platform, path));
  if ('failure' in read) throw new PathError(path, `is no sites file: ${read.failure}`);
  const file = platform.nameOf(path);
  return { ...read, problems: read.problems.map(({ key, text }) => ({ key: `${file}: ${key}`, text })) };
}

async function textAt(platform: Platform, path: string): Promise<string> {
  try {
    return await platform.readText(path, limits.sitesCharacters);
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    throw new PathError(path, `cannot be read: ${error.detail}`);
  }
}
