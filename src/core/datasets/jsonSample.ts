/** Which bare `.json` files are looked at: a project has ten thousands of them, and one that holds records is among others alike. */
import { limits } from '../bytes/limits.js';
import type { FileEntry } from '../files/fileTree.js';
import { baseName, parentPath } from '../files/paths.js';
import { withoutCompression } from './text/textFile.js';

/** JSON files that describe something else. */
const otherJson =
  /^(.*config|tokenizer.*|special_tokens_map|added_tokens|vocab|index|.*\.index|dataset_infos?|dataset_dict|state|trainer_state|.*results?|package(-lock)?|metadata|.*_metadata|README|stats|tsconfig.*)\.json$/i;

/** A `.json`, compressed or not, that may hold records as far as its name tells. */
export function mayHoldRecords(path: string, sizeBytes: number): boolean {
  const name = withoutCompression(baseName(path));
  return sizeBytes > 0 && /\.json$/i.test(name) && !otherJson.test(name);
}

/** `paths` is undefined where all are looked at. */
export interface JsonSample {
  paths: ReadonlySet<string> | undefined;
  /** Files that are not in it. */
  left: number;
}

/**
 * All of them, up to `limits.sniffedFiles`. Where there are more: the largest of each directory, those with the most bytes of JSON first.
 */
export function sampleJson(entries: readonly FileEntry[]): JsonSample {
  const open = entries.filter(({ path, sizeBytes }) => mayHoldRecords(path, sizeBytes));
  if (open.length <= limits.sniffedFiles) return { paths: undefined, left: 0 };
  const directories = [...byDirectory(open)].sort((a, b) => b.sizeBytes - a.sizeBytes);
  const paths = new Set<string>();
  for (const { largest } of directories) {
    for (const { path } of largest) if (paths.size < limits.sniffedFiles) paths.add(path);
  }
  return { paths, left: open.length - paths.size };
}

interface JsonDirectory {
  sizeBytes: number;
  largest: FileEntry[];
}

function byDirectory(entries: readonly FileEntry[]): Iterable<JsonDirectory> {
  const directories = new Map<string, JsonDirectory>();
  for (const entry of entries) {
    const directory = parentPath(entry.path);
    const known = directories.get(directory) ?? { sizeBytes: 0, largest: [] };
    directories.set(directory, known);
    known.sizeBytes += entry.sizeBytes;
    const at = known.largest.findIndex(({ sizeBytes }) => sizeBytes < entry.sizeBytes);
    known.largest.splice(at === -1 ? known.largest.length : at, 0, entry);
    if (known.largest.length > limits.sniffedOfDirectory) known.largest.pop();
  }
  return directories.values();
}
