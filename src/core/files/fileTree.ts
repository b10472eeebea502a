import type { ByteSource } from '../bytes/byteSource.js';

/** A digest of a file's content that whoever lists the file states. */
export interface StatedDigest {
  /** `git-blob` is SHA-1 behind a header with the size (git hash-object). */
  algorithm: 'sha256' | 'git-blob' | 'md5';
  /** In lower-case hexadecimal digits. */
  digest: string;
  /** Who states it, such as `the list of the Hub`. */
  source: string;
}

export interface FileEntry {
  /** Relative to the root, with forward slashes. */
  path: string;
  /** Bytes that count for this entry: 0 for a link to a file that is listed itself. */
  sizeBytes: number;
  modifiedMs: number | null;
  /** When it was made, which a copy does not keep. Absent where unknown. */
  createdMs?: number;
  /**
   * Set for a symbolic link. `inside` links point at another listed entry or at a directory of listed ones, so that their bytes would count
   * twice; links to a directory are never followed. `entry` is the path of the listed entry that an `inside` link ends at, where that is known.
   */
  link?: { target: string; inside: boolean; entry?: string; isDirectory?: boolean };
  /** What the file takes on the disk: less than its size where it has holes, 0 for a hard link to a listed file. Absent where unknown. */
  allocatedBytes?: number;
  /** Equal for hard links, which are names of one file. Absent for a file that has one name, and where unknown. */
  fileId?: string;
  /** How many names the file has, where it has a `fileId`; they need not all be listed. Absent where unknown. */
  links?: number;
  /** Name of its owner, or the number where there is no name. Absent where unknown. */
  owner?: string;
  /** Of its content, as a store has it. Absent where none is stated. */
  statedDigest?: StatedDigest;
  /** Why it cannot be read, e.g. no permission or a dangling link. */
  error?: string;
}

/** The error of a link whose target is not there. */
export const linkWithoutTarget = 'the link points at nothing';

/** The error of what is no file of data. */
export const specialFile = 'it is a socket, pipe or device, which holds no file data';

export interface FileListing {
  /** In natural order of their paths. */
  entries: FileEntry[];
  /** Directories that could not be listed. */
  errors: { path: string; detail: string }[];
  /** True where there are more files than `limits.listedFiles`. */
  truncated: boolean;
}

/** All files below one root, or a single file. Nothing outside of the root is reachable through it. */
export interface FileTree {
  /** Last part of the inspected path. */
  readonly rootName: string;
  /** Where the root is, as the user named it, in full; absent where only its name is known. Nothing is opened by it. */
  readonly location?: string;
  /** The same without links, of a file its directory; absent where that is not known. */
  readonly realLocation?: string;
  /** True where the root is a file, which is listed with those that belong to it. */
  readonly isFile?: boolean;
  list(signal?: AbortSignal): Promise<FileListing>;
  /** The same files, whose bytes may be those that an earlier inspection has kept: for headers, not for what is verified. Absent where none are kept. */
  cached?(): FileTree;
  /** Opens a listed file. Throws FormatError `io` for a path that was not listed or cannot be opened. */
  open(path: string, signal?: AbortSignal): Promise<ByteSource>;
  /** Size and time of a listed file as they are now; null where it is gone. Absent where that cannot be determined. */
  look?(path: string): Promise<Pick<FileEntry, 'sizeBytes' | 'modifiedMs'> | null>;
}
