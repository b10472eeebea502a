/** Which files detection looks at, of those whose names leave open whether they hold data: a project has ten thousands of each kind. */
import { limits } from '../bytes/limits.js';
import type { FileEntry } from '../files/fileTree.js';
import { counted } from '../text/quantities.js';
import { formatCount } from '../text/units.js';
import { filesBeyondSample } from './directorySample.js';
import { mayHoldRecords } from './jsonNames.js';
import { mayHoldTokens } from './layouts/tokenArray/tokenNames.js';

export interface NameSample {
  /** False for a file that is one of too many to look at each. */
  has(path: string): boolean;
  /** What was not looked at, in words. */
  notDone: string[];
}

/** A sample of the bare `.json` files, and one of the arrays and `.bin` files. */
export function sampleNames(entries: readonly FileEntry[]): NameSample {
  const json = filesBeyondSample(entries.filter(({ path, sizeBytes }) => mayHoldRecords(path, sizeBytes)));
  const arrays = filesBeyondSample(entries.filter(({ path, sizeBytes }) => sizeBytes > 0 && mayHoldTokens(path)));
  return {
    has: (path) => !json.has(path) && !arrays.has(path),
    notDone: [...notLooked(json.size, '.json file', 'records'), ...notLooked(arrays.size, 'array or .bin file', 'tokens')],
  };
}

function notLooked(left: number, files: string, held: string): string[] {
  if (left === 0) return [];
  const limit = formatCount(limits.sniffedFiles);
  return [`whether ${counted(left, files)} hold ${held}: of more than ${limit} the largest of each directory were looked at`];
}
