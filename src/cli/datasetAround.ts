import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { indexNames, longestIndexText, recogniseIndex } from '../core/datasets/indexFiles.js';

/** For the index file of a dataset the folder that it is about, as in the editor; everything else as it is. */
export async function datasetAround(inspectedPath: string): Promise<string> {
  const name = path.basename(inspectedPath);
  if (!indexNames.includes(name)) return inspectedPath;
  try {
    const stats = await stat(inspectedPath);
    if (!stats.isFile() || stats.size > longestIndexText) return inspectedPath;
    const index = recogniseIndex(name, await readFile(inspectedPath, 'utf8'));
    return index === null || index.isPair ? inspectedPath : path.dirname(inspectedPath);
  } catch {
    // The inspection says what is in the way.
    return inspectedPath;
  }
}
