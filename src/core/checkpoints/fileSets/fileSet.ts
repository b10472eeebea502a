/**
 * Formats that spread over several files: an index and the files that it refers to. A set is found by its marker in any directory,
 * whatever the layout around it, so that directories of two frameworks read as well as those of one.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import type { UnpackBudget } from '../../bytes/unpackBudget.js';
import type { FileEntry } from '../../files/fileTree.js';
import type { NamePattern } from '../../files/namePattern.js';
import type { RolesByName } from '../../formats/fileFormat.js';
import type { FileSink } from '../../formats/sink/fileSink.js';
import type { FilePart } from '../parts.js';
import type { Listing } from '../../files/listing.js';

/** Files of one listing that belong together. */
export interface FileSet {
  /** Directory of the set; empty for the inspected directory. */
  root: string;
  /** Every file that it may account for, the marker first. None of them is opened by anybody else, unless the set gives it back. */
  paths: readonly string[];
}

/** What a set may do with its files. */
export interface FileSetAccess {
  signal: AbortSignal | undefined;
  unpackBudget: UnpackBudget;
  entry(path: string): FileEntry | undefined;
  /** Position of a file in the listing, for pieces of tensors; undefined for a file that is not there. */
  fileNumber(path: string): number | undefined;
  /** Bytes of a file of the set. Throws FormatError as `ByteSource.read`. */
  read(path: string, offset: number, length: number): Promise<Uint8Array>;
  /** Opens a file for several reads, and closes it again. */
  withSource<T>(path: string, use: (source: ByteSource) => Promise<T>): Promise<T>;
  /** Where what is found in one file goes. Its `turn` is the set's. */
  sinkOf(path: string): FileSink;
  /** Says what a file of the set is; without it a file is tensor data of the set's format. */
  describe(path: string, facts: Partial<Pick<FilePart, 'format' | 'role' | 'roleOf' | 'component' | 'rank'>>): void;
  /** Gives back a file that nothing in the set refers to: it is read as any other, once the set has been read. */
  giveBack(path: string): void;
  /** As in FileSink: awaited once, after the reads and before anything is put in. */
  turn(): Promise<void>;
  /** Runs what reads one file: where that file is damaged it is a finding of this file, and the others go on. */
  guard(path: string, work: () => Promise<void>): Promise<void>;
  /** Shows how far a long read is. */
  onProgress(path: string): void;
}

/** A format of several files. `read` throws FormatError where the marker cannot be read; the files then stay unexplained. */
export interface FileSetFormat {
  /** Shown as the format of its files. */
  id: string;
  /** What reading a set compares, for the checks of a report. */
  checks: string;
  /** Names that tell its files from those of other programs. */
  names?: readonly NamePattern[];
  /** @param roles of the files, for formats whose data files may have any name */
  find(listing: Listing, roles: RolesByName): FileSet[];
  read(set: FileSet, access: FileSetAccess): Promise<void>;
}
