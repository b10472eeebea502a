import { longestIndexText, standsForFolder } from '../../core/datasets/indexFiles.js';
import type { Files } from '../platform.js';

/** The path to inspect: the folder around the index file of a dataset, every other path as it is. */
export async function datasetAround(files: Files, path: string): Promise<string> {
  try {
    const { kind, sizeBytes } = await files.stat(path);
    const isIndex =
      kind === 'file' && (await standsForFolder(files.nameOf(path), sizeBytes, () => files.readText(path, longestIndexText)));
    return isIndex ? files.folderOf(path) : path;
  } catch {
    // The inspection reports why the path cannot be read.
    return path;
  }
}
