/** What a file is for, and the rules that tell it by the file's name. */
import type { RoleId } from '../../files/roleLabels.js';
import type { TensorRule } from '../../formats/fileFormat.js';
import type { ComponentId } from '../../tensors/component.js';
import type { FileFormatId } from '../fileFormats.js';

/**
 * How a file is opened. `text` is a pointer or a note of a few bytes; `sniff` looks at the first bytes; `none` leaves it closed, as
 * its name says all that is reported.
 */
export type FileReader = FileFormatId | 'json' | 'index' | 'text' | 'sniff' | 'none';

/**
 * A pattern with a slash in it is matched with the end of the path, any other with the whole base name. `padded`: see
 * `FileSink.isPadded`. Without `tensors` these are the file's own component.
 */
export type Rule = [
  pattern: RegExp,
  role: RoleId,
  component: ComponentId,
  reader: FileReader,
  tensors?: TensorRule,
  storages?: 'padded',
];

export interface FileRole {
  role: RoleId;
  /** What the file's bytes are when its tensors do not say otherwise. */
  component: ComponentId;
  reader: FileReader;
  /** What its tensors are. */
  tensors: TensorRule;
  /** Format shown for a file that is not opened. */
  format: string;
  /** Keys before the names of its tensors, where a framework spreads one state over files that are named after it. */
  prefix?: readonly string[];
  /** Whose file it is where each rank writes its own. */
  rank?: string;
  isPadded?: boolean;
}

/** What tells the role of a file by its path below the root of a listing. */
export interface RolesOfPaths {
  of(path: string): FileRole;
}

/** The role of what an interrupted save or copy left, whatever it holds. */
export const leftoverRole: FileRole = {
  role: 'interrupted-save',
  component: 'unexplained',
  reader: 'none',
  tensors: 'unexplained',
  format: 'other',
};

/** The role of a second copy of a file that is there, as of a backup. */
export const secondCopyRole: FileRole = { ...leftoverRole, role: 'second-copy' };

/** Readers of files that any directory has. */
export const plainReaders: ReadonlySet<FileReader> = new Set(['json', 'index', 'text', 'sniff', 'none']);
