/** What a command that converts a checkpoint is made of: its files, its paths, and a program's words in the shell. */
import type { Conversion } from '../../checkpoints/loadReport.js';
import type { FilePart, Parts } from '../../checkpoints/parts.js';
import { baseName, joinPath, parentPath } from '../../files/paths.js';
import { shellWord } from '../../jobs/shellWord.js';
import type { LoadedAdapter } from '../loadedAdapter.js';
import type { DirectoryBytes } from './directoryBytes.js';

/** A checkpoint that a command converts. */
export interface Place {
  parts: Parts;
  json: ReadonlyMap<string, unknown>;
  place: string;
  adapters: readonly LoadedAdapter[];
  /** Summed once a program needs them. */
  bytes: () => ReadonlyMap<string, DirectoryBytes>;
}

/** The conversions of one framework. */
export type Maker = (place: Place) => Conversion[];

/** A path of the listing, as a command is to name it. */
export function at({ place }: Place, path: string): string {
  return path === '' ? place : joinPath(place, path);
}

/** @throws JobError where a path cannot be written into a command */
export function commandOf(words: readonly (string | { path: string })[]): string {
  return words.map((word) => (typeof word === 'string' ? word : shellWord(word.path))).join(' ');
}

/** The command that the layout states for other sizes, with its directories. @throws JobError */
export function reshardCommand({ parts }: Place, saved: string, converted: string): string | undefined {
  const paths: Readonly<Record<string, string>> = { SAVED: saved, CONVERTED: converted };
  return parts.reshard?.command
    ?.split(' ')
    .map((word) => (Object.hasOwn(paths, word) ? shellWord(paths[word] as string) : word))
    .join(' ');
}

/** Directories of files of a name, in the order of the listing. */
export function directoriesOf(files: readonly FilePart[], name: RegExp): string[] {
  return [...new Set(files.flatMap(({ path }) => (name.test(baseName(path)) ? [parentPath(path)] : [])))];
}
