import type { Mount } from '../../core/bandwidth/mountTable.js';

/** What tells one machine, and one start of it, from others. Null where the system does not give it. */
export interface MachineIdentity {
  /** Stays when the machine gets another name. Null on Linux, where images and clones share `/etc/machine-id`. */
  machineId: string | null;
  /** Changes with every start of the machine. */
  bootId: string | null;
  /** In which numbers of processes are counted: a container has its own. */
  processNamespace: string | null;
}

/** Which file system a path is on. Both are null where the system does not give it. */
export interface MountPlace {
  mount: Mount | null;
  /** Where the files are stored: below a container's overlay is another file system. */
  storing: Mount | null;
}

export interface FileStats {
  size: number;
  blocks: number;
}

/** All that differs between operating systems. */
export interface System {
  /** True for a path that makes the system log in to a server, or open a device or a stream behind a file, whoever wrote the path. */
  leadsOutOfFiles(path: string): boolean;
  /** False where `opendir` reports links of directories as directories: `readdir` has to list them. */
  opendirReportsLinks: boolean;
  /** True where a path may have no real path although it can be read, and a reparse point may be no link. */
  hasReparsePoints: boolean;
  /** True where blocks, owners and numbers of hard links are those of stat(2). */
  hasUnixStats: boolean;
  /** Why a file is not opened whose contents are not on this machine, so that no inspection downloads them; null for all others. */
  placeholderReason(path: string, stats: FileStats): string | null;
  /** True where a directory can be opened, held and synced. */
  opensDirectories: boolean;
  /** Leads to the names in an open directory; null where the system has no such path. */
  pathOfDescriptor(descriptor: number): string | null;
  /** The flag of `open` for reads and writes past the cache; null where Node reaches none. */
  directFlag: number | null;
  /** Types of file systems on which that flag is known to do so; null for all that take it. */
  directTypes: ReadonlySet<string> | null;
  /** True where `dd` can drop the pages of a file from the cache. */
  dropsPages: boolean;
  /** True where a virus scanner or an indexer may hold a file for a moment, so that its removal or renaming fails with EPERM, EBUSY or EACCES. */
  holdsFiles: boolean;
  identity(): Promise<MachineIdentity>;
  /** The same text for as long as the process lives, another one for a later process with the number; null where the system does not give it. */
  startOfProcess(pid: number): Promise<string | null>;
  /** @param path absolute, without symbolic links */
  mountAt(path: string): Promise<MountPlace>;
  /** Bytes that this thread has handed to write(2); null where they are not counted. */
  writtenByThread(): number | null;
  /** Names of the programs that run here; empty where the system does not list them. */
  programs(): Promise<string[]>;
}
