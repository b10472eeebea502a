import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { standsForFolder } from '../core/datasets/indexFiles.js';

/** For the index file of a dataset the folder that it is about, as in the editor; everything else as it is. */
export async function datasetAround(inspectedPath: string): Promise<string> {
  try {
    const stats = await stat(inspectedPath);
    const isIndex =
      stats.isFile() && (await standsForFolder(path.basename(inspectedPath), stats.size, () => readFile(inspectedPath, 'utf8')));
    return isIndex ? path.dirname(inspectedPath) : inspectedPath;
  } catch {
    // The inspection says what is in the way.
    return inspectedPath;
  }
}
