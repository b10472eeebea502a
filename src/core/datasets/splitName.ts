/** The part of a dataset that a file belongs to, by the usual names of directories and files. */
import { possibleOriginals } from '../files/secondCopies.js';

const directoryName = /^(train|training|val|valid|validation|test|eval|dev|holdout)([-_.].*)?$/is;
const fileName = /(?:^|[-_.])(train|training|val|valid|validation|test|eval|dev|holdout)(?=[-_.]|$)/i;

/** `train` of `train/shard.00000.mds` and of `c4-train-00000.tar`; the innermost directory wins. In lower case, as file systems may change it; undefined where no name tells. */
export function splitOf(path: string): string | undefined {
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  return (parts.reverse().find((part) => directoryName.test(part)) ?? fileName.exec(name)?.[1])?.toLowerCase();
}

/** Whether a directory is called as the part of a dataset, or as a copy of one. */
export function isSplitName(name: string): boolean {
  return directoryName.test(name) || possibleOriginals(name).some((original) => directoryName.test(original));
}
